// `npm run dev`: as `npm start`, and each change is built and answered with at once. A debugger can attach.
import { readdirSync, watch } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { buildService } from '../../esbuild.js';
import { freePort } from './emulator.js';
import { runService } from './run.js';

// The emulator loads a handler once. This one hands each event to the newest build, a folder of its own for each.
const HANDLER = `import { readFileSync } from 'node:fs';
const newest = () => import(readFileSync(new URL('newest', import.meta.url), 'utf8'));
await newest();
export const handler = async (event, context) => (await newest()).handler(event, context);
`;
let number = 0;
let building = Promise.resolve();

await rm('dist', { recursive: true, force: true });
await mkdir('dist');
await writeFile('dist/api.mjs', HANDLER);
await rebuild();
let timer: NodeJS.Timeout | undefined;
// Folder by folder: on Linux, Node.js 20 watching recursively loses a file that an editor replaces.
const entries = ['functions', 'shared'].flatMap((root) => readdirSync(root, { recursive: true, withFileTypes: true }));
for (const folder of new Set(['docs', 'docs/page', ...entries.map(({ parentPath }) => parentPath)])) {
  watch(folder, () => {
    clearTimeout(timer);
    // An editor may write a file in several steps.
    timer = setTimeout(() => {
      building = building.then(rebuild);
    }, 30);
  });
}
const debugging = ['--enable-source-maps', `--inspect=127.0.0.1:${await freePort(9229)}`];
process.exit(await runService({ options: process.argv.slice(2), node: debugging }));

async function rebuild(): Promise<void> {
  const started = performance.now();
  const folder = `builds/${number + 1}`;
  try {
    await buildService(`dist/${folder}`, { minify: false, sourcemap: 'linked', sourcesContent: true });
    // Renamed, so that nobody reads half of it.
    await writeFile('dist/newest.tmp', `./${folder}/api.mjs`);
    await rename('dist/newest.tmp', 'dist/newest');
    await rm(`dist/builds/${number - 1}`, { recursive: true, force: true });
    number += 1;
    console.log(`Built in ${Math.round(performance.now() - started)} ms.`);
  } catch (error) {
    // esbuild has printed what is wrong with the code. The build before goes on answering.
    if (!(error as { errors?: unknown }).errors) console.error(error);
  }
}
