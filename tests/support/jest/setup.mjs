import { existsSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BROWSER_TESTS, hasBrowser, startBrowser } from '../browser/installed.mjs';

/**
 * Before the run, makes what all workers share: a browser, if a test needs one, and a folder with a file where they note which
 * of the document's answers they have seen. teardown.mjs removes both.
 *
 * @throws Error if there is no build, or one of older sources: many tests would test that. A watch goes on, but says so.
 */
export default async function setup({ rootDir, testPathPatterns, watch = false, watchAll = false }) {
  if (!existsSync('dist/api.cjs')) throw new Error('There is no dist/ to test: run "npm run build" first.');
  const newer = newerThanBuild();
  const reason = `dist/ is older than ${newer}: run "npm run build" first, because tests run what was built.`;
  if (newer && !watch && !watchAll) throw new Error(reason);
  if (newer) console.warn(reason);
  const run = testPathPatterns.toExecutor({ rootDir });
  const files = readdirSync('tests', { recursive: true }).map((file) => join(rootDir, 'tests', file));
  if (hasBrowser() && files.some((file) => new RegExp(BROWSER_TESTS).test(file) && run.isMatch(file))) {
    globalThis.browser = await startBrowser();
    process.env.BROWSER_ENDPOINT = globalThis.browser.wsEndpoint();
  }
  process.env.ANSWERS_FILE = join(mkdtempSync(join(tmpdir(), 'todo-answers-')), 'answers.txt');
  writeFileSync(process.env.ANSWERS_FILE, '');
}

/** What the build is made from. */
const SOURCES = [
  'functions',
  'shared',
  'docs/generator',
  'docs/page',
  'docs/swagger.json',
  'docs/openapi.json',
  'esbuild.ts',
];

/** Finds a source that has changed since the build. */
function newerThanBuild() {
  const built = statSync('dist/api.cjs').mtimeMs;
  const files = SOURCES.flatMap((source) =>
    /\.\w+$/.test(source) ? source : readdirSync(source, { recursive: true }).map((file) => join(source, file)),
  );
  return files.find((file) => /\.\w+$/.test(file) && statSync(file).mtimeMs > built);
}
