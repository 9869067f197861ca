import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const { arch, env, platform } = process;

/** @returns {boolean} Whether there is a browser: an installed one, or the one from npm, which runs only on Linux on x64. */
export function hasBrowser() {
  return installedBrowser() !== undefined || (platform === 'linux' && arch === 'x64' && existsSync(PACKAGED));
}

/**
 * Starts a browser, headless: that of BROWSER_PATH, an installed Chrome, Chromium or Edge, or the one from npm.
 *
 * @returns {Promise<import('playwright-core').Browser>}
 * @throws Error that names the browser, if it can't be started.
 */
export async function startBrowser() {
  // jest.config.mjs needs the rest of this file alone.
  const { chromium } = await import('playwright-core');
  const path = installedBrowser();
  const { executablePath, libraries } = path ? { executablePath: path } : unpack();
  // The packaged Chromium's own options are for Lambda, and switch off what the tests of the page's policy need.
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];
  const variables = { ...env, ...(libraries && { LD_LIBRARY_PATH: libraries }) };
  return chromium.launch({ executablePath, args, env: variables }).catch(({ message }) => {
    const [reason] = message.split('\n');
    throw new Error(`The browser ${executablePath} can't be started. Set BROWSER_PATH to another one. ${reason}`);
  });
}

/** Unpacks the browser from npm if it is the one to start, because several tests at once would unpack it into the same file. */
export function unpackBrowser() {
  if (hasBrowser() && !installedBrowser()) unpack();
}

function installedBrowser() {
  return env.BROWSER_PATH || PLACES.find((path) => existsSync(path));
}

const NAMES = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge'];

const PLACES = [
  ...(env.PATH ?? '').split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name))),
  ...['Google Chrome', 'Chromium', 'Microsoft Edge'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`),
];

const PACKAGED = 'node_modules/@sparticuz/chromium';

/** Many machines lack its libraries, as Lambda does. It unpacks them only if the variables say that it is on Lambda. */
function unpack() {
  const variables = { ...env, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };
  const options = { env: variables, encoding: 'utf8' };
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', UNPACK], options));
}

const UNPACK = `import chromium from '@sparticuz/chromium';
const executablePath = await chromium.executablePath();
console.log(JSON.stringify({ executablePath, libraries: process.env.LD_LIBRARY_PATH }));`;
