import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BROWSER_TESTS, hasBrowser, startBrowser } from '../browser/installed.mjs';

/** Builds what tests package and serve, and starts a browser for all workers, if a test needs one. */
export default async function setup({ rootDir, testPathPatterns }) {
  execFileSync(process.execPath, ['--import', 'tsx', 'esbuild.ts', '--quiet'], { stdio: 'inherit' });
  const run = testPathPatterns.toExecutor({ rootDir });
  const files = readdirSync('tests', { recursive: true }).map((file) => join(rootDir, 'tests', file));
  if (hasBrowser() && files.some((file) => new RegExp(BROWSER_TESTS).test(file) && run.isMatch(file))) {
    globalThis.browser = await startBrowser();
    process.env.BROWSER_ENDPOINT = globalThis.browser.wsEndpoint();
  }
}
