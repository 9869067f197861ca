// `npm run build` builds dist/, which serverless-offline, the tests and the package all use. `--quiet` prints no sizes.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { makeServiceAssets } from './docs/service-assets.js';

// What is in dist/ may be served meanwhile, and stays there if the build fails.
const FOLDER = 'dist-next';

// Only instances that need them load these. A part that is imported by `import()` has to be one of them.
const LOADED_LATER = ['shared/openid/authenticator.ts', 'shared/store/table.ts'];

// esbuild's own splitting would put what two files need into a third one, which every cold start would have to read.
const ownFiles: Plugin = {
  name: 'own-files',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\./ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `./${basename(path, '.js')}.cjs`, external: true } : undefined,
    ),
};

await rm(FOLDER, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: ['functions/api.ts', ...LOADED_LATER],
  outdir: FOLDER,
  entryNames: '[name]',
  outExtension: { '.js': '.cjs' },
  plugins: [ownFiles],
  bundle: true,
  // An ES module would load all that node:http exports, which takes 20 ms.
  format: 'cjs',
  supported: { 'dynamic-import': false },
  define: { 'import.meta.dirname': '__dirname' },
  platform: 'node',
  target: 'node20.19',
  legalComments: 'none',
  sourcemap: true, // for debuggers, and for NODE_OPTIONS=--enable-source-maps
  sourcesContent: false,
  metafile: true,
  logLevel: process.argv.includes('--quiet') ? 'warning' : 'info',
});
await writeFile(`${FOLDER}/LICENSES.txt`, await licencesOf(Object.keys(metafile.inputs)));
for (const [name, response] of Object.entries(makeServiceAssets())) {
  await mkdir(dirname(`${FOLDER}/${name}`), { recursive: true });
  await writeFile(`${FOLDER}/${name}.json`, JSON.stringify(response));
}
await rm('dist', { recursive: true, force: true });
await rename(FOLDER, 'dist');

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
