// Prints where the Chromium from npm is, unpacked, and the folders of the libraries that it needs.
// It unpacks those, too, when it takes the machine for Lambda: like Lambda, a bare machine does not have them.
process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs24.x';
const { default: chromium } = await import('@sparticuz/chromium');
const path = await chromium.executablePath();
console.log(JSON.stringify({ path, libraries: process.env.LD_LIBRARY_PATH }));
