// Builds dist/, the one output that serverless-offline, the tests and the package all use.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { makeAssets } from './shared/swagger/assets.js';

await rm('dist', { recursive: true, force: true });
await mkdir('dist');
await build({
  entryPoints: ['functions/api.ts'],
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minify: true,
  legalComments: 'none',
  logLevel: 'info',
});

const document = await readFile('docs/swagger.json', 'utf8');
const template = await readFile('docs/ui.html', 'utf8');
for (const [name, response] of Object.entries(makeAssets(document, template, 'node_modules/swagger-ui-dist'))) {
  await writeFile(`dist/${name}.json`, JSON.stringify(response));
}
