import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BROWSER_TESTS, hasBrowser, startBrowser } from '../browser/installed.mjs';

/**
 * Before the run, makes what all workers share: a browser, if a test needs one, and a folder with a file where they note which
 * of the document's answers they have seen. teardown.mjs removes both.
 */
export default async function setup({ rootDir, testPathPatterns }) {
  if (!existsSync('dist/api.mjs')) throw new Error('There is no dist/ to test: run "npm run build" first.');
  const run = testPathPatterns.toExecutor({ rootDir });
  const files = readdirSync('tests', { recursive: true }).map((file) => join(rootDir, 'tests', file));
  if (hasBrowser() && files.some((file) => new RegExp(BROWSER_TESTS).test(file) && run.isMatch(file))) {
    globalThis.browser = await startBrowser();
    process.env.BROWSER_ENDPOINT = globalThis.browser.wsEndpoint();
  }
  process.env.ANSWERS_FILE = join(mkdtempSync(join(tmpdir(), 'todo-answers-')), 'answers.txt');
  writeFileSync(process.env.ANSWERS_FILE, '');
}
