import { type Browser, chromium } from 'playwright-core';

// The options of the packaged Chromium are for Lambda, and switch off what a test of a policy needs.
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];

/**
 * Starts the browser that the run of the tests has found, headless.
 *
 * @returns The browser.
 */
export async function startBrowser(): Promise<Browser> {
  const { BROWSER_PATH: executablePath, BROWSER_LIBRARIES: libraries, ...variables } = process.env;
  if (!executablePath) throw new Error('There is no browser: install Chrome, Edge or Chromium, or set BROWSER_PATH.');
  const env = { ...variables, ...(libraries && { LD_LIBRARY_PATH: libraries }) } as Record<string, string>;
  return chromium.launch({ executablePath, args: ARGUMENTS, env });
}
