// `npm run build` builds dist/, which serverless-offline, the tests and the package all use. `--quiet` prints no sizes.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'esbuild';
import { makeServiceAssets } from './docs/service-assets.js';

const FOLDER = 'dist';

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

// A part that is imported by `import()` has to be one of these files. What is not minified is what a stack names.
const [plain, minified] = await Promise.all([
  bundle(['functions/api.ts', 'shared/openid/authenticator.ts'], false),
  bundle(['shared/store/table.ts'], true),
]);
const inputs = Object.keys({ ...plain.metafile.inputs, ...minified.metafile.inputs });
const files = new Map<string, Uint8Array | string>([
  ...[...plain.outputFiles, ...minified.outputFiles].map(
    ({ path, contents }) => [relative(FOLDER, path), contents] as const,
  ),
  ...Object.entries(makeServiceAssets()).map(([name, response]) => [`${name}.json`, JSON.stringify(response)] as const),
  ['LICENSES.txt', await licencesOf(inputs)],
]);
for (const [name, contents] of files) {
  await replace(`${FOLDER}/${name}`, contents);
  if (process.argv.includes('--quiet')) continue;
  const [size, compressed] = [contents, gzipSync(contents)].map(({ length }) => `${(length / 1000).toFixed(1)} kB`);
  console.log(name.padEnd(32), size?.padStart(10), `compressed ${compressed}`);
}
// What earlier builds have left would be packaged, too.
for (const name of await readdir(FOLDER, { recursive: true }))
  if (/\.(cjs|map|json)$/.test(name) && !files.has(name)) await rm(`${FOLDER}/${name}`, { force: true });

function bundle(entryPoints: string[], minify: boolean) {
  return build({
    entryPoints,
    outdir: FOLDER,
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
  const folders = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? '');
  const texts = [...new Set(folders)].filter(Boolean).map(async (folder) => {
    const [licence] = (await readdir(folder)).filter((name) => /^licen[cs]e/i.test(name));
    if (!licence) throw new Error(`${folder} has no licence`);
    return `${basename(folder)}\n\n${(await readFile(`${folder}/${licence}`, 'utf8')).trim()}\n`;
  });
  return (await Promise.all(texts)).sort().join(`\n${'-'.repeat(72)}\n\n`);
}
