import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from '../browser/installed.mjs';

/**
 * Before the run, makes what all workers share: a folder for the deployments that several test files examine, and in it a
 * file where they note which of the document's answers they have seen. teardown.mjs removes it.
 */
export default async function setup({ rootDir, testPathPatterns }) {
  if (!existsSync('dist/api.mjs')) throw new Error('There is no dist/ to test: run "npm run build" first.');
  const { path, libraries } = findBrowser();
  if (path) process.env.BROWSER_PATH = path;
  if (libraries) process.env.BROWSER_LIBRARIES = libraries;
  const run = testPathPatterns.toExecutor({ rootDir });
  const isNeeded = readdirSync(PAGE, { recursive: true }).some((file) => run.isMatch(join(rootDir, PAGE, file)));
  if (path && isNeeded) await tryBrowser(path, libraries);
  process.env.ANSWERS_FILE = join(mkdtempSync(join(tmpdir(), 'todo-answers-')), 'answers.txt');
  writeFileSync(process.env.ANSWERS_FILE, '');
}

const PAGE = 'tests/page';

/** Otherwise each test of the page would fail, and each with the same message. */
async function tryBrowser(path, libraries) {
  // Not every run needs it, and it takes a while to load.
  const { chromium } = await import('playwright-core');
  const env = { ...process.env, ...(libraries && { LD_LIBRARY_PATH: libraries }) };
  try {
    const browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox'], env });
    await browser.close();
  } catch ({ message }) {
    const [reason] = message.split('Call log:');
    throw new Error(`The browser ${path} can't be started. Set BROWSER_PATH to another one.\n${reason}`);
  }
}
