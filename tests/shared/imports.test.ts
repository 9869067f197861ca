import { readdirSync, readFileSync } from 'node:fs';
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

it('shared/, docs/generator and docs/page have no word about to-dos, so that they serve any resource', () => {
  const files = ['shared', 'docs/generator', 'docs/page'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `${parentPath}/${name}`),
  );
  const lines = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line, index) => `${file}:${index + 1} ${line}`),
  );
  expect(lines.length).toBeGreaterThan(5_000);
  expect(lines.filter((line) => /to-?do|isComplete|Item1|Walk the dog|\/api\b/i.test(line))).toEqual([]);
});
