import { readdirSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { build } from 'esbuild';

const APART = /^tests\/(functions|own)\/|\/node_modules\//;

it('only tests/functions imports the operations; the tests of shared/ and of the page load nothing that changes with them', async () => {
  const files = readdirSync('tests', { recursive: true, encoding: 'utf8' }).map((name) => `tests/${name}`);
  const { metafile } = await build({
    entryPoints: files.filter((name) => name.endsWith('.test.ts') && !APART.test(name)),
    bundle: true,
    write: false,
    outdir: 'none',
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });
  const importsOf = (name: string) => metafile.inputs[name]?.imports.map(({ path }) => path) ?? [];
  const operations = importsOf('functions/routes.ts').filter((name) => name.startsWith('functions/'));
  expect(operations).not.toEqual([]);
  const tests = Object.keys(metafile.inputs).filter((name) => name.startsWith('tests/'));
  expect(tests.filter((name) => importsOf(name).some((path) => operations.includes(path)))).toEqual([]);

  for (const { entryPoint = '', inputs } of Object.values(metafile.outputs)) {
    const changing = Object.keys(inputs).filter((name) => /^functions\/|^docs\/\w+\.json$|^package\.json$/.test(name));
    if (/^tests\/(shared|page|docs\/page)\//.test(entryPoint)) expect([entryPoint, changing]).toEqual([entryPoint, []]);
  }
});
