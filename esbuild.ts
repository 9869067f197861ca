// `npm run build` builds dist/, which serverless-offline, the tests and the package all use.
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { makeServiceAssets } from './docs/service-assets.js';

const COPYRIGHT = /^ *Copyright .*$/m;

// Turns each `import()` of our code into a file of dist/: with esbuild's own splitting, shared code would be one more file that
// every cold start reads. AWS's SDK uses `import()` for credential providers, which Lambda does not need. They stay in
// node_modules, because bundling doubles the SDK's time to load. The bundle imports them by path, because pnpm hides their names.
const ownFiles: Plugin = {
  name: 'own-files',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[.@]/ }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const ofPackage = () => relative('dist', createRequire(`${resolveDir}/`).resolve(path));
      return { path: path.startsWith('.') ? `./${basename(path, '.js')}.cjs` : ofPackage(), external: true };
    }),
};

// A file that is loaded by `import()` must be listed here. Only the bundle with AWS's SDK is minified, so a stack in the log
// names functions and lines of the others.
const bundles = await Promise.all([
  bundle(['functions/api.ts', 'shared/openid/authenticator.ts'], { minify: false }),
  bundle(['shared/store/table.ts'], { minify: true }),
]);
const outputs = bundles.flatMap(({ metafile }) => Object.values(metafile.outputs));
const assets = makeServiceAssets();
await replace('dist/LICENSES.txt', await licencesOf(outputs.flatMap(({ inputs }) => Object.keys(inputs))));
for (const [name, response] of Object.entries(assets)) await replace(`dist/${name}.json`, JSON.stringify(response));
for (const { path, contents } of bundles.flatMap(({ outputFiles }) => outputFiles)) {
  await replace(path, contents);
  if (path.endsWith('.cjs')) console.log(`dist/${basename(path)} is ${kilobytes(contents.length)}`);
}
const page = Buffer.from(assets['page.gzip']?.body ?? '', 'base64');
console.log(`The page is ${kilobytes(page.length)}, compressed`);

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
    // An ES module would load everything that node:http exports, which takes 20 ms.
    format: 'cjs',
    supported: { 'dynamic-import': false },
    define: { 'import.meta.dirname': '__dirname' },
    platform: 'node',
    // esbuild leaves unused code out of the SDK's ES modules, but not out of its CommonJS.
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

/** Replaces a file atomically, because another build or `npm start` may be reading it. */
async function replace(file: string, contents: Uint8Array | string): Promise<void> {
  const beside = `${file}.${process.pid}.new`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(beside, contents);
  await rename(beside, file);
}

/** The licences of the packages that files are from, each text once, below its packages and their copyright lines. */
async function licencesOf(files: readonly string[]): Promise<string> {
  const namesOf: Record<string, string> = {};
  for (const folder of new Set(files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []))) {
    const name = (await readdir(folder)).find((file) => /^licen[cs]e/i.test(file)) ?? 'LICENSE';
    const text = await readFile(`${folder}/${name}`, 'utf8');
    // Apache's text ends with advice on how to apply it.
    const [terms = ''] = text.replace(COPYRIGHT, '').split('END OF TERMS');
    const unwrapped = terms.replace(/(\S)\n[ \t]*(?=\S)/g, '$1 ').trim();
    const named = `${folder.split('node_modules/').at(-1)}: ${COPYRIGHT.exec(text)?.[0].trim() ?? ''}`;
    namesOf[unwrapped] = `${namesOf[unwrapped] ?? ''}${named}\n`;
  }
  const texts = Object.entries(namesOf).map(([licence, names]) => `${names}\n${licence}`);
  return texts.join(`\n\n${'-'.repeat(72)}\n\n`);
}
