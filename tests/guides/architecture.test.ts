import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { COLLECTION } from '../support/collection.js';
import { asking } from '../support/service/answer.js';
import { callThrough } from '../support/service/service.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
symlinkSync(resolve('node_modules'), `${folder}/node_modules`);
const options = {
  extends: resolve('tsconfig.json'),
  compilerOptions: { incremental: false },
  include: ['*/functions'],
};
writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(options));

const blocksOf = (guide: string) =>
  Array.from(readFileSync(`docs/${guide}.md`, 'utf8').matchAll(/^```ts\n(.*?)^```$/gms), ([, code = '']) => code);
const [member = '', problem = '', operation = ''] = blocksOf('architecture');
const [renamed = ''] = blocksOf('table');

/** Copies the service, and changes files of the copy: by name, what is replaced and by what. */
function changeCopy(name: string, changes: readonly (readonly [file: string, from: RegExp, to: string])[]): string {
  const copy = `${folder}/${name}`;
  for (const part of ['functions', 'shared']) cpSync(part, `${copy}/${part}`, { recursive: true });
  for (const [file, from, to] of changes) {
    const text = readFileSync(`${copy}/${file}`, 'utf8');
    expect(text).toMatch(from);
    writeFileSync(
      `${copy}/${file}`,
      text.replace(from, () => to),
    );
  }
  return copy;
}

const changed = changeCopy('changed', [
  ['functions/todo.ts', /(?<=isComplete: .*\n)/, member],
  ['functions/todo.ts', /(?<=import \{ )(?=integer)/, 'date, '],
  ['functions/todo.ts', /$/, operation],
  ['shared/problem-kinds.ts', /(?<=PROBLEMS = \{\n)/, problem],
]);
const withRename = changeCopy('renamed', [
  ['functions/todo.ts', /(?<= )name(?=: v\.)/, 'title'],
  ['functions/todo.ts', /export const todos = .*?;\n/s, renamed],
]);

it('the code in the guides to changes compiles in the service', () => {
  const { stdout, status } = spawnSync('node_modules/.bin/tsc', ['--project', folder]);
  expect([String(stdout), status]).toEqual(['', 0]);
});

it("its member and its operation work, with the operation's own problem", async () => {
  const { createService } = await import(`${changed}/functions/service.ts`);
  const ask = asking(callThrough(createService({}), (_method, _path, answer) => answer));
  const { key } = (await ask(`POST ${COLLECTION}`, 201, { body: { name: 'a', due: '2026-12-24' } })).json;
  const path = `${COLLECTION}/${key}`;
  await ask(`POST ${path}/complete`, 412, { headers: { 'If-Match': '"7"' } });
  expect((await ask(`POST ${path}/complete`, 204)).headers.etag).toBe('"2"');
  expect((await ask(`POST ${path}/complete`, 409)).json).toHaveProperty('code', 'already-complete');
  expect((await ask(`GET ${path}`, 200)).json).toEqual({ key, name: 'a', isComplete: true, due: '2026-12-24' });
});

it('its upgrade reads the rows of before and after', async () => {
  const { todos } = await import(`${withRename}/functions/todo.ts`);
  const { itemIn } = await import(`${withRename}/shared/store/row.ts`);
  for (const members of [{ name: 'a' }, { title: 'a' }]) {
    const item = { S: JSON.stringify({ key: 'k', isComplete: true, ...members }) };
    const stored = itemIn({ key: { S: 'k' }, version: { N: '1' }, item }, todos);
    expect(stored.item).toMatchObject({ title: 'a', isComplete: true });
  }
});
