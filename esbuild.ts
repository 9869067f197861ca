// `npm run build` builds dist/, which serverless-offline, the tests and the package all use.
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { makeServiceAssets } from './docs/service-assets.js';

// esbuild's own splitting would put what two files need into a third one, which every cold start would have to read. What
// AWS's SDK imports so, for credentials that are not in the environment, stays in node_modules, which halves the time that
// the rest takes to load. Lambda needs none of it.
const ownFiles: Plugin = {
  name: 'own-files',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[.@]/ }, ({ kind, path }) => {
      if (kind !== 'dynamic-import') return undefined;
      return { path: path.startsWith('.') ? `./${basename(path, '.js')}.cjs` : path, external: true };
    }),
};

// A part that is imported by `import()` has to be one of these files. Minified is the one with AWS's SDK alone: of the others, a
// stack in the log names functions and lines.
const bundles = await Promise.all([
  bundle(['functions/api.ts', 'shared/openid/authenticator.ts'], { minify: false }),
  bundle(['shared/store/table.ts'], { minify: true }),
]);
const sources = bundles.flatMap(({ metafile }) => Object.keys(metafile.inputs));
const assets = makeServiceAssets();
await replace('dist/LICENSES.txt', await licencesOf(sources));
for (const [name, response] of Object.entries(assets)) await replace(`dist/${name}.json`, JSON.stringify(response));
for (const { path, contents } of bundles.flatMap(({ outputFiles }) => outputFiles)) {
  await replace(path, contents);
  if (path.endsWith('.cjs')) console.log(`dist/${basename(path)} has ${kilobytes(contents.length)}`);
}
const page = Buffer.from(assets['page.gzip']?.body ?? '', 'base64');
console.log(`The page has ${kilobytes(page.length)}, compressed`);

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}

function bundle(entryPoints: string[], { minify }: { minify: boolean }) {
  return build({
    entryPoints,
    outdir: 'dist',
    entryNames: '[name]',
    outExtension: { '.js': '.cjs' },
    plugins: [ownFiles],
    bundle: true,
    write: false,
    // An ES module would load all that node:http exports, which takes 20 ms.
    format: 'cjs',
    supported: { 'dynamic-import': false },
    define: { 'import.meta.dirname': '__dirname' },
    platform: 'node',
    // Nothing could be left out of the SDK's CommonJS.
    mainFields: ['module', 'main'],
    target: 'node20.19',
    minify,
    legalComments: 'none',
    // For debuggers, and for NODE_OPTIONS=--enable-source-maps.
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
  });
}

/** Replaces a file at once, because another build, a start or a package may use it meanwhile. */
async function replace(file: string, contents: Uint8Array | string): Promise<void> {
  const beside = `${file}.${process.pid}.new`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(beside, contents);
  await rename(beside, file);
}

/** The licences of the packages that files are from: they ask for a copy wherever their code is. */
async function licencesOf(files: readonly string[]): Promise<string> {
  const folders = new Set(files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
  const texts = [...folders].map(async (folder) => {
    const name = (await readdir(folder)).find((file) => /^licen[cs]e/i.test(file)) ?? 'LICENSE';
    return readFile(`${folder}/${name}`, 'utf8');
  });
  // Many have the same text.
  return [...new Set(await Promise.all(texts))].join(`\n${'-'.repeat(72)}\n\n`);
}
