import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { transformSync } from 'esbuild';
import { describeError } from '../../../shared/log/log.js';
import { namingSource } from '../../../shared/log/stack.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const source = '\n\n\nexport function fail(): never {\n  throw new Error("x");\n}\n';
const options = { loader: 'ts', sourcemap: 'external', sourcefile: '../functions/x.ts' } as const;
const built = transformSync(source, { ...options, minify: true });
writeFileSync(join(folder, 'x.mjs'), built.code);
writeFileSync(join(folder, 'x.mjs.map'), built.map);
const long = transformSync('x();\n'.repeat(12), options);
writeFileSync(join(folder, 'long.mjs'), long.code);
writeFileSync(join(folder, 'long.mjs.map'), long.map);
writeFileSync(join(folder, 'broken.mjs.map'), '{');

const frame = (name: string, place: string) =>
  `Error: x\n    at fail (${pathToFileURL(join(folder, name)).href}:${place})`;

describe('a stack', () => {
  it('names the line of the source in place of that of the built file', () => {
    const column = built.code.indexOf('throw') + 1;
    expect(namingSource(frame('x.mjs', `1:${column}`))).toBe('Error: x\n    at fail (functions/x.ts:5:3)');
    expect(namingSource(frame('x.mjs', `1:${column}`))).toContain('functions/x.ts');
    expect(namingSource(frame('long.mjs', '12:1'))).toContain('functions/x.ts:12:1');
  });

  it('is logged like that, where an error has one', async () => {
    const error = Object.assign(new Error('x'), { stack: frame('long.mjs', '12:1') });
    expect(await describeError(error)).toHaveProperty('stack', 'Error: x\n    at fail (functions/x.ts:12:1)');
    expect(await describeError(Object.assign(new Error('x'), { stack: undefined }))).toEqual({
      name: 'Error',
      message: 'x',
    });
  });

  it.each([
    ['a place that the map does not know', frame('x.mjs', '0:0')],
    ['a file without a map', frame('y.mjs', '1:1')],
    ['a file with a broken map', frame('broken.mjs', '1:1')],
    ['code of Node.js', 'Error: x\n    at node:internal/main:1:1'],
    ['a URL that is no file', 'Error: x\n    at file://host/%00:1:1'],
  ])('is left as it is for %s', (_name, stack) => {
    expect(namingSource(stack)).toBe(stack);
  });
});
