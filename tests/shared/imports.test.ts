import { readdirSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { build } from 'esbuild';

it('the tests of shared/ and of the page load nothing that changes with the operations', async () => {
  const files = readdirSync('tests', { recursive: true, encoding: 'utf8' }).map((name) => `tests/${name}`);
  const { metafile } = await build({
    entryPoints: files.filter((name) => /^tests\/(shared\/.*|page\/.*|generator\/markup)\.test\.ts$/.test(name)),
    bundle: true,
    write: false,
    outdir: 'none',
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });
  for (const { entryPoint, inputs } of Object.values(metafile.outputs)) {
    const changing = Object.keys(inputs).filter((name) => /^functions\/|^docs\/\w+\.json$|^package\.json$/.test(name));
    expect([entryPoint, changing]).toEqual([entryPoint, []]);
  }
});
