// `npm run recipes` follows CONTRIBUTING's recipes in a copy of the project, all of them, and runs the tests there once: those that
// fail must be those that CONTRIBUTING names.
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { BROWSER_TESTS, hasBrowser } from '../support/browser/installed.mjs';
import { ADDITIONS, STORE_TEST } from './additions.js';
import { inCopy } from './copy.mjs';

/** What an addition could fail: the long stories of other folders are the same with it. */
const TESTS = ['tests/functions', 'tests/generator', 'tests/guides', 'tests/trials', 'tests/app/files', STORE_TEST];

interface Results {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: 'passed' | 'failed';
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Reads which tests the recipes name. Those of the page are left out where there is no browser. */
function readNamed(): readonly string[] {
  const guide = readFileSync('CONTRIBUTING.md', 'utf8');
  const missing = Object.keys(ADDITIONS).filter((title) => !guide.includes(`**${title}**`));
  if (missing.length > 0) throw new Error(`CONTRIBUTING.md has no recipe of the name ${missing.join(', ')}.`);
  const [, table = ''] = /^\*\*Which tests fail\?\*\*(.*?)^## /ms.exec(guide) ?? [];
  const named = [...new Set(table.match(/tests\/[\w/-]+\.test\.ts/g))].sort();
  return named.filter((file) => hasBrowser() || !new RegExp(BROWSER_TESTS).test(`/${file}`));
}

inCopy((folder, run) => {
  const named = readNamed();
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
    if (!named.includes(nameOf(name))) console.error(message);
  }
  const found = failed.map(({ name }) => nameOf(name)).sort();
  if (!isDeepStrictEqual(found, named))
    throw new Error(`These tests failed: ${found.join(', ')}. But CONTRIBUTING.md names ${named.join(', ')}.`);
  console.log('\nThe tests above failed, and no others: they are those that CONTRIBUTING.md names.');
});
