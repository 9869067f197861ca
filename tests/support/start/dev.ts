import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, watch } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { buildService } from '../../../esbuild.js';
import { freePort } from './port.js';
import { runService } from './run.js';

const FOLDER = '.dev';
// The emulator loads a handler once. This one passes each event to the newest build; each build has a folder of its own.
const HANDLER = `import { readFileSync } from 'node:fs';
const newest = () => import(readFileSync(new URL('../newest', import.meta.url), 'utf8'));
await newest();
export const handler = async (event, context) => (await newest()).handler(event, context);
`;
const CHECKS = [['node_modules/typescript/bin/tsc'], ['--import', 'tsx', 'docs/generate.ts']];
let number = 0;
let answering: string | undefined;
let checking: ChildProcess[] = [];

/**
 * Runs `npm run dev`: like `npm start`, but builds each change and answers with it at once. A debugger can attach.
 *
 * @param options - Options of serverless-offline.
 * @returns The exit code.
 */
export async function dev(options: readonly string[]): Promise<number> {
  const node = ['--enable-source-maps', `--inspect=127.0.0.1:${await freePort(9229)}`];
  return runService({ options, node, folder: FOLDER, build });
}

async function build(): Promise<void> {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(`${FOLDER}/dist`, { recursive: true });
  await writeFile(`${FOLDER}/dist/api.mjs`, HANDLER);
  await buildNext();
  let building = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  // Folder by folder: on Linux, Node.js 20 watching recursively loses a file that an editor replaces.
  for (const folder of foldersOf('functions', 'shared', 'docs')) {
    watch(folder, (_event, file) => {
      if (file?.endsWith('.md')) return;
      clearTimeout(timer);
      // An editor may write a file in several steps.
      timer = setTimeout(() => {
        building = building.then(buildNext).catch(report);
      }, 30);
    });
  }
}

function foldersOf(...roots: string[]): string[] {
  const below = roots.flatMap((root) => readdirSync(root, { recursive: true, withFileTypes: true }));
  return [
    ...roots,
    ...below.filter((entry) => entry.isDirectory()).map(({ parentPath, name }) => `${parentPath}/${name}`),
  ];
}

/** Builds the code as it is now. If it throws, the previous build goes on answering. */
async function buildNext(): Promise<void> {
  const started = performance.now();
  number += 1;
  const folder = `builds/${number}`;
  await buildService(`${FOLDER}/${folder}`, { minify: false, sourcemap: 'linked', sourcesContent: true });
  // The first one is loaded before the emulator starts.
  if (answering) await load(`${FOLDER}/${folder}/api.mjs`);
  // The file is renamed, because the handler could read one that is half written.
  await writeFile(`${FOLDER}/newest.tmp`, `../${folder}/api.mjs`);
  await rename(`${FOLDER}/newest.tmp`, `${FOLDER}/newest`);
  const isEmptied = answering !== undefined && ['', 'none'].includes(process.env.TABLE_NAME ?? '');
  if (answering) await rm(`${FOLDER}/${answering}`, { recursive: true, force: true });
  answering = folder;
  const milliseconds = Math.round(performance.now() - started);
  console.log(`Built in ${milliseconds} ms.${isEmptied ? ' The collection in memory begins again.' : ''}`);
  check();
}

/** Loads a build in a process of its own, which prints any error with the lines of the source. */
async function load(file: string): Promise<void> {
  const loading = spawn(process.execPath, ['--enable-source-maps', file], { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(loading, 'exit');
  if (code !== 0) throw new Error('What was built does not load: see above.');
}

/** Checks the types and generates the documents while the service answers. Documents that change cause another build. */
function check(): void {
  for (const child of checking) child.kill();
  checking = CHECKS.map((options) => spawn(process.execPath, options, { stdio: ['ignore', 'inherit', 'inherit'] }));
}

function report(error: Error & { errors?: unknown }): void {
  // esbuild has printed what is wrong with the code.
  if (!error.errors) console.error(error.message);
  console.error('The previous build goes on answering.');
}
