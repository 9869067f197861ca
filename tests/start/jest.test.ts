import { execFile } from 'node:child_process';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const BUILT = ['functions/todo.ts', 'shared/http/body.ts', 'docs/generator/response.ts', 'docs/page/style.css'];
const FILES = [...BUILT, 'docs/swagger.json', 'docs/openapi.json', 'esbuild.ts', 'docs/guide.md', 'tests/a.test.ts'];

/** Prepares a run of the tests in the folder, as Jest does before it. */
async function prepare(options = {}) {
  const setup = pathToFileURL(resolve('tests/support/jest/setup.mjs'));
  const given = `{ rootDir: '.', testPathPatterns: { toExecutor: () => ({ isMatch: () => false }) }, ...${JSON.stringify(options)} }`;
  const script = `import('${setup}').then(({ default: setup }) => setup(${given}))`;
  return (await promisify(execFile)(process.execPath, ['--eval', script], { cwd: folder })).stderr;
}

/** Writes a file that was changed so many seconds after the build. */
function write(file: string, seconds: number): void {
  mkdirSync(join(folder, file, '..'), { recursive: true });
  writeFileSync(join(folder, file), '');
  utimesSync(join(folder, file), 1_000 + seconds, 1_000 + seconds);
}

beforeEach(() => {
  for (const file of FILES) write(file, -1);
  write('dist/api.mjs', 0);
});

describe('npx jest', () => {
  it.each([...BUILT, 'docs/swagger.json', 'docs/openapi.json', 'esbuild.ts'])(
    'stops if %s has changed since the build, and says what to do',
    async (file) => {
      write(file, 1);
      await expect(prepare()).rejects.toThrow(`dist/ is older than ${file}: run "npm run build" first, because tests`);
    },
  );

  it('runs if only guides and tests have changed since', async () => {
    write('docs/guide.md', 1);
    write('tests/a.test.ts', 1);
    expect(await prepare()).toBe('');
  });

  it.each([{ watch: true }, { watchAll: true }])('says so and goes on where it watches: %j', async (options) => {
    write('shared/http/body.ts', 1);
    expect(await prepare(options)).toMatch(/^dist\/ is older than shared\/http\/body\.ts: /);
  });
});
