// Builds dist/, the one output that serverless-offline, the tests and the package all use.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { makeAssets } from './shared/swagger/assets.js';
import { withExamples } from './shared/swagger/examples.js';
import { makePage } from './shared/swagger/page.js';

// What is imported when it is needed is a file of its own. esbuild's splitting would put what both need into a third one,
// which every cold start had to read.
const apart: Plugin = {
  name: 'apart',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `./${basename(path, '.js')}.mjs`, external: true } : undefined,
    );
  },
};

await rm('dist', { recursive: true, force: true });
await mkdir('dist');
const options: BuildOptions = {
  outdir: 'dist',
  entryNames: '[name]',
  plugins: [apart],
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minify: true,
  legalComments: 'none',
  // Beside the code and not named in it: shared/stack.ts reads it when a stack is to be told.
  sourcemap: 'external',
  sourcesContent: false,
};
await build({ ...options, entryPoints: ['functions/api.ts', 'shared/stack.ts'] });
await build({
  ...options,
  entryPoints: ['shared/todo/dynamodb.ts'],
  // For aws4, which is no ES module: it asks for modules of Node.js by require.
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
});

const document = await readFile('docs/swagger.json', 'utf8');
const page = makePage(withExamples(JSON.parse(document)));
for (const [name, response] of Object.entries(makeAssets(document, page))) {
  await writeFile(`dist/${name}.json`, JSON.stringify(response));
}

console.log('     bytes    zipped  file');
for (const name of await readdir('dist')) {
  const content = await readFile(`dist/${name}`);
  const sizes = [content.length, deflateRawSync(content).length].map((size) => String(size).padStart(10));
  console.log(`${sizes.join('')}  dist/${name}`);
}
