import { readdirSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { build } from 'esbuild';

it('the tests of shared/ load nothing that changes with the resource of the service', async () => {
  const files = readdirSync('tests/shared', { recursive: true, encoding: 'utf8' });
  const { metafile } = await build({
    entryPoints: files.filter((name) => name.endsWith('.test.ts')).map((name) => `tests/shared/${name}`),
    bundle: true,
    write: false,
    outdir: 'none',
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });
  const loaded = Object.keys(metafile.inputs);
  expect(loaded).toContain('shared/handler.ts');
  expect(loaded.filter((name) => /^functions\/|^docs\/\w+\.json$|^package\.json$/.test(name))).toEqual([]);
});
