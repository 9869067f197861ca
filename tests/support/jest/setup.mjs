import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from '../browser/installed.mjs';

/**
 * Before the run, makes what all workers share: a folder for the deployments that several test files examine, and in it a
 * file where they note which of the document's answers they have seen. teardown.mjs removes it.
 */
export default function setup() {
  if (!existsSync('dist/api.mjs')) throw new Error('There is no dist/ to test: run "npm run build" first.');
  const { path, libraries } = findBrowser();
  if (path) process.env.BROWSER_PATH = path;
  if (libraries) process.env.BROWSER_LIBRARIES = libraries;
  process.env.ANSWERS_FILE = join(mkdtempSync(join(tmpdir(), 'todo-answers-')), 'answers.txt');
  writeFileSync(process.env.ANSWERS_FILE, '');
}
