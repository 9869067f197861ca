// `npm run build` builds dist/, which serverless-offline, the tests and the package all use.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { makeAssets } from './docs/generator/assets.js';
import { makePage } from './docs/generator/page.js';

/**
 * Builds the service.
 *
 * @param folder - The folder to build; what was in it is removed.
 * @param changed - Options of esbuild that differ from those of a deployment.
 * @throws Error if the code doesn't compile; esbuild has printed where.
 */
export async function buildService(folder: string, changed: BuildOptions = {}): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const options = { ...OPTIONS, outdir: folder, ...changed };
  await build({ ...options, entryPoints: ['functions/api.ts', 'shared/log/stack.ts', 'shared/store/table.ts'] });
  const document = await readFile('docs/swagger.json', 'utf8');
  const openapi = await readFile('docs/openapi.json', 'utf8');
  for (const [name, response] of Object.entries(makeAssets(document, openapi, makePage(JSON.parse(document))))) {
    await writeFile(`${folder}/${name}.json`, JSON.stringify(response));
  }
}

// Code that is imported only when it is needed gets a file of its own. esbuild's splitting would put what both files need
// into a third file, which every cold start would have to read.
const externalDynamicImports: Plugin = {
  name: 'external-dynamic-imports',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `./${basename(path, '.js')}.mjs`, external: true } : undefined,
    );
  },
};

// Gets Node.js's own modules without `import`, which loads all of their exports first: for node:http, that takes 30 ms.
const builtin: Plugin = {
  name: 'builtin',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^[\w:/]+$/ }, ({ path }) =>
      isBuiltin(path) ? { path: path.replace(/^(node:)?/, 'node:'), namespace: 'builtin' } : undefined,
    );
    onLoad({ filter: /^/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}')`,
    }));
  },
};

const OPTIONS: BuildOptions = {
  entryNames: '[name]',
  plugins: [externalDynamicImports, builtin],
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minify: true,
  legalComments: 'none',
  // The source map is beside the code, which does not name it. shared/log/stack.ts reads it when an error is logged.
  sourcemap: 'external',
  sourcesContent: false,
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildService('dist');
  console.log('     bytes    zipped  file');
  for (const name of await readdir('dist')) {
    const content = await readFile(`dist/${name}`);
    const sizes = [content.length, deflateRawSync(content).length].map((size) => String(size).padStart(10));
    console.log(`${sizes.join('')}  dist/${name}`);
  }
}
