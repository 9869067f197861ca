import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { COLLECTION, MEMBERS } from '../support/collection.js';
import { asking } from '../support/service/answer.js';
import { callThrough } from '../support/service/service.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
symlinkSync(resolve('node_modules'), `${folder}/node_modules`);
const options = { extends: resolve('tsconfig.json'), compilerOptions: { incremental: false }, include: ['functions'] };
writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(options));
for (const part of ['functions', 'shared']) cpSync(part, `${folder}/${part}`, { recursive: true });

const blocksOf = (guide: string) =>
  Array.from(readFileSync(`docs/${guide}.md`, 'utf8').matchAll(/^```ts\n(.*?)^```$/gms), ([, code = '']) => code);
const [member = '', problem = '', operation = ''] = blocksOf('architecture');
const [importOfProblem = '', completion = ''] = operation.split('\n\n');
const [upgrade = ''] = blocksOf('table');

add('functions/todo.ts', /(?<=isComplete: .*\n)/, member);
add('functions/todo.ts', /(?<=import \{ )(?=.* from '..\/shared\/schema\/formats)/, 'date, ');
add('functions/todo.ts', /(?<=import .*\n)/, `${importOfProblem}\n`);
add('functions/todo.ts', /$/, completion);
add('shared/problem-kinds.ts', /(?<=PROBLEMS = \{\n)/, problem);
const UPGRADE = `import type { Resource } from '../shared/schema/schema.js';
export const { upgrade } = {${upgrade}} satisfies Partial<Resource>;`;
writeFileSync(`${folder}/functions/upgrade.ts`, UPGRADE);

/** Adds code to a file of the copy, unless it declares the same already, because somebody has followed the guide. */
function add(file: string, place: RegExp, code: string): void {
  const text = readFileSync(`${folder}/${file}`, 'utf8');
  expect(text).toMatch(place);
  const [declaration = code] = /^(export const \w+|['\w-]+:)/m.exec(code) ?? [];
  if (!text.includes(declaration))
    writeFileSync(
      `${folder}/${file}`,
      text.replace(place, () => code),
    );
}

it('the code in the guides to changes compiles in the service', () => {
  const { stdout, status } = spawnSync('node_modules/.bin/tsc', ['--project', folder]);
  expect([String(stdout), status]).toEqual(['', 0]);
});

it("its member and its operation work, with the operation's own problem", async () => {
  const { createService } = await import(`${folder}/functions/service.ts`);
  const ask = asking(callThrough(createService({}), (_method, _path, answer) => answer));
  const { key } = (await ask(`POST ${COLLECTION}`, 201, { body: { ...JSON.parse(MEMBERS), due: '2026-12-24' } })).json;
  const path = `${COLLECTION}/${key}`;
  await ask(`POST ${path}/complete`, 412, { headers: { 'If-Match': '"7"' } });
  expect((await ask(`POST ${path}/complete`, 204)).headers.etag).toBe('"2"');
  expect((await ask(`POST ${path}/complete`, 409)).json).toHaveProperty('code', 'already-complete');
  expect((await ask(`GET ${path}`, 200)).json).toMatchObject({ isComplete: true, due: '2026-12-24' });
});

it('its upgrade turns items from before and after a rename into current ones', async () => {
  const { upgrade: upgraded } = await import(`${folder}/functions/upgrade.ts`);
  for (const members of [{ name: 'a' }, { title: 'a' }])
    expect(upgraded({ key: 'k', ...members, isComplete: true })).toEqual({ key: 'k', title: 'a', isComplete: true });
});
