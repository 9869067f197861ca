// `npm run recipes` follows CONTRIBUTING's recipes in a copy of the project, all of them, and runs the tests there once: those that
// fail must be those that spell out what to-dos are.
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { BROWSER_TESTS, hasBrowser } from '../support/browser/installed.mjs';
import { ADDITIONS, STORE_TEST } from './additions.js';
import { inCopy } from './copy.mjs';

/** What an addition could fail: the long stories of other folders are the same with it. */
const TESTS = ['tests/functions', 'tests/generator', 'tests/guides', 'tests/trials', 'tests/app/files', STORE_TEST];

/** They spell out what to-dos are, and fail until what was added is added to them. */
const TO_FAIL: readonly string[] = [
  'tests/functions/todo/console.test.ts',
  'tests/functions/todo/document.test.ts',
  'tests/functions/todo/guides.test.ts',
  'tests/functions/todo/page.test.ts',
  'tests/functions/todo/specification.test.ts',
  'tests/trials/your-own.test.ts',
];

interface Results {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: 'passed' | 'failed';
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

inCopy((folder, run) => {
  const guide = readFileSync('CONTRIBUTING.md', 'utf8');
  const missing = Object.keys(ADDITIONS).filter((title) => !guide.includes(`**${title}**`));
  if (missing.length > 0) throw new Error(`CONTRIBUTING.md has no recipe of the name ${missing.join(', ')}.`);
  const toFail = TO_FAIL.filter((file) => hasBrowser() || !new RegExp(BROWSER_TESTS).test(`/${file}`));
  for (const add of Object.values(ADDITIONS)) add(folder);
  for (const words of ['tsx docs/generate.ts', 'tsc', 'tsx esbuild.ts --quiet']) run('npx', ...words.split(' '));
  run('npm', 'run', '--silent', 'app:types');
  run('npx', 'tsc', '--project', 'docs/front-end');
  const [file, log] = [join(folder, 'results.json'), join(folder, 'jest.log')];
  try {
    // What it prints of tests that are to fail would look like a failure of this run.
    run('sh', '-c', `npx jest --silent --json --outputFile=results.json ${TESTS.join(' ')} > jest.log 2>&1`);
  } catch {
    // It is in the results.
  }
  if (!existsSync(file)) throw new Error(`Jest has not run:\n${readFileSync(log, 'utf8')}`);
  const { testResults }: Results = JSON.parse(readFileSync(file, 'utf8'));
  const nameOf = (path: string) => relative(folder, path).replaceAll('\\', '/');
  const failed = testResults.filter(({ status }) => status === 'failed');
  for (const { name, assertionResults, message } of failed) {
    const tests = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
    console.log(`\n${nameOf(name)}\n  ${tests.join('\n  ')}`);
    if (!toFail.includes(nameOf(name))) console.error(message);
  }
  const found = failed.map(({ name }) => nameOf(name)).sort();
  if (!isDeepStrictEqual(found, toFail))
    throw new Error(
      `These tests failed: ${found.join(', ')}. Those that spell out what to-dos are: ${toFail.join(', ')}.`,
    );
  console.log('\nThe tests above failed, and no others: they are those that spell out what to-dos are.');
});
