// `serverless offline --watch` runs this. It builds each change while the service answers, and sends a message after
// the first build.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, watch } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { buildService, explainFailure } from '../../esbuild.js';
import { TYPE_CHECKS } from './child.js';

const FOLDER = '.dev';
// The emulator loads a handler once. This one passes each event to the newest build, and each build has another folder.
const HANDLER = `import { readFileSync } from 'node:fs';
const newest = () => import(readFileSync(new URL('../newest', import.meta.url), 'utf8'));
await newest();
export const handler = async (event, context) => (await newest()).handler(event, context);
`;
const inMemory = ['', 'none'].includes(process.env.TABLE_NAME ?? '');
let number = 0;
let serving: string | undefined;
const background: ChildProcess[] = [];
let typesWereWrong = false;

process.on('disconnect', () => process.exit());
await rm(FOLDER, { recursive: true, force: true });
await mkdir(`${FOLDER}/dist`, { recursive: true });
await writeFile(`${FOLDER}/dist/api.mjs`, HANDLER);
await buildNext().catch((error) => {
  explainFailure(error);
  process.exit(1);
});
process.send?.('built');

let building = Promise.resolve();
let timer: NodeJS.Timeout | undefined;
const watched = new Set<string>();
watchFolders();

/** Folder by folder, because Node.js 20 on Linux loses a file that an editor replaces when it watches recursively. */
function watchFolders(): void {
  for (const root of ['functions', 'shared', 'docs']) watchBelow(root);
}

/** Watches a folder before it reads which folders are in it, so that it misses none. Any may be removed meanwhile. */
function watchBelow(folder: string): void {
  try {
    if (!watched.has(folder)) watchFolder(folder);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory() && entry.name !== 'node_modules') watchBelow(`${folder}/${entry.name}`);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function watchFolder(folder: string): void {
  const watcher = watch(folder, (_event, file) => {
    if (file?.endsWith('.md')) return;
    if (!existsSync(folder)) {
      watched.delete(folder);
      watcher.close();
    }
    // A folder may be new.
    watchFolders();
    clearTimeout(timer);
    // An editor may write a file in several steps.
    timer = setTimeout(() => {
      building = building.then(buildNext).catch(report);
    }, 30);
  });
  watched.add(folder);
  // Windows reports a removed folder as an error.
  watcher.on('error', () => watched.delete(folder));
}

/** If it throws, the previous build is still served. */
async function buildNext(): Promise<void> {
  const started = performance.now();
  for (const child of background.splice(0)) child.kill();
  number += 1;
  const folder = `builds/${number}`;
  await buildService(`${FOLDER}/${folder}`, { minify: false, sourcemap: 'linked', sourcesContent: true });
  void reportTypes();
  // The emulator loads the first one.
  if (serving) await load(`${FOLDER}/${folder}/api.mjs`);
  // Renamed, because the handler could read a file that is half written.
  await writeFile(`${FOLDER}/newest.tmp`, `../${folder}/api.mjs`);
  await rename(`${FOLDER}/newest.tmp`, `${FOLDER}/newest`);
  const isReset = serving !== undefined && inMemory;
  if (serving) await rm(`${FOLDER}/${serving}`, { recursive: true, force: true });
  serving = folder;
  const milliseconds = Math.round(performance.now() - started);
  console.log(`Built in ${milliseconds} ms.${isReset ? ' The collection in memory was reset.' : ''}`);
  // Documents that change cause another build.
  inBackground('--import', 'tsx', 'docs/generate.ts');
}

/** In another process, which prints errors with the lines of the source. */
async function load(file: string): Promise<void> {
  const loading = spawn(process.execPath, ['--enable-source-maps', file], { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(loading, 'exit');
  if (code !== 0) throw new Error('What was built does not load: see above.');
}

/** All that the compiler prints is about errors. */
async function reportTypes(): Promise<void> {
  const pretty = String(process.stdout.isTTY === true);
  const exits = TYPE_CHECKS.map((script) => {
    const check = inBackground(...script, '--pretty', pretty);
    check.stdout?.on('data', (text) => {
      typesWereWrong = true;
      process.stdout.write(text);
    });
    return once(check, 'close');
  });
  const codes = (await Promise.all(exits)).map(([code]) => code);
  if (!typesWereWrong || codes.some((code) => code !== 0)) return;
  console.log('The types are right again.');
  typesWereWrong = false;
}

/** Ends when the next build starts. */
function inBackground(...script: string[]): ChildProcess {
  const child = spawn(process.execPath, script, { stdio: ['ignore', 'pipe', 'inherit'] });
  background.push(child);
  return child;
}

function report(error: Error & { errors?: unknown }): void {
  // esbuild has printed what is wrong with the code.
  if (!error.errors) console.error(error.message);
  console.error('Still serving the previous build.');
}
