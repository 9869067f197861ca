const { spawn } = require('node:child_process');
const { statSync } = require('node:fs');
const { resolve, sep } = require('node:path');
const { setTimeout } = require('node:timers/promises');

const FOLDER = resolve('dist');

/** Undefined while the next build takes the place of the folder. */
const timeOfBuild = () => statSync(`${FOLDER}/api.cjs`, { throwIfNoEntry: false })?.mtimeMs;

/** Builds each change in another process, and has the handler below serve the newest build. Waits for the first one. */
exports.watch = async ({ functions }) => {
  const started = Date.now();
  const sources = ['functions/**', 'shared/**', 'docs/**'].flatMap((files) => ['--include', files]);
  const tsx = [require.resolve('tsx/cli'), 'watch', '--clear-screen=false', ...sources];
  const child = spawn(process.execPath, [...tsx, 'esbuild.ts', '--quiet'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  process.on('exit', () => child.kill());
  functions.api.handler = 'serverless/watch.handler';
  while (!(timeOfBuild() > started)) await setTimeout(100);
};

let built;
let service;

exports.handler = async (event, context) => {
  const time = timeOfBuild() ?? built;
  if (time !== built) load();
  built = time;
  return service.handler(event, context);
};

/** If the newest build can't be loaded, the one before still serves. */
function load() {
  for (const file of Object.keys(require.cache)) if (file.startsWith(FOLDER + sep)) delete require.cache[file];
  try {
    service = require(`${FOLDER}/api.cjs`);
  } catch (error) {
    console.error(error);
  }
}
