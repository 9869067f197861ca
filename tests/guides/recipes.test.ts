import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();

it('the declarations that CONTRIBUTING.md shows whole compile in functions/todo.ts', () => {
  const recipes = Array.from(
    readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/^```ts\n(.*?)^```/gms),
    ([, code = '']) => code,
  );
  const whole = recipes.filter((code) => /^export /m.test(code));
  expect(whole).toHaveLength(2);
  const todo = readFileSync('functions/todo.ts', 'utf8');
  for (const [index, code] of whole.entries()) {
    const text = `${todo}\n${code}`.replaceAll("from '../", `from '${resolve()}/`);
    writeFileSync(join(folder, `todo-${index}.ts`), text);
  }
  const compilerOptions = { typeRoots: [resolve('node_modules/@types')] };
  const configuration = { extends: resolve('tsconfig.json'), include: ['*.ts'], exclude: [], compilerOptions };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configuration));
  const { stdout, status } = spawnSync('npx', ['tsc', '--project', folder], { encoding: 'utf8' });
  expect([stdout, status]).toEqual(['', 0]);
});
