import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { components } from '../../docs/openapi.json';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();

it('the code in the guide to web apps compiles with the types of an item', () => {
  const [, code = ''] = /^```ts\n(.*?)^```$/ms.exec(readFileSync('docs/front-end.md', 'utf8')) ?? [];
  writeFileSync(join(folder, 'to-dos.ts'), code);
  // As openapi-typescript generates them, which needs an older TypeScript than this project has.
  const members = Object.entries(components.schemas.StoredTodoItem.properties).map(
    ([name, { type }]) => `${name}: ${[type].flat().join(' | ')}`,
  );
  writeFileSync(
    join(folder, 'api.d.ts'),
    `export interface components { schemas: { StoredTodoItem: { ${members} } } }`,
  );
  const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
  const target = ['--target', 'es2022', '--lib', 'es2022,dom', '--module', 'preserve', '--noEmit', '--ignoreConfig'];
  const { stdout, status } = spawnSync('npx', ['tsc', ...strict, ...target, join(folder, 'to-dos.ts')]);
  expect([String(stdout), status]).toEqual(['', 0]);
});
