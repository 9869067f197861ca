const { spawn } = require('node:child_process');

/** Builds dist/, and removes what was there. */
function buildService() {
  return runTypeScript(['esbuild.ts', '--quiet'], 'The service could not be built');
}

/** Checks the types of all that is deployed. */
async function checkTypes() {
  const check = (project) => run(['node_modules/typescript/bin/tsc', '--project', project], 'The types are not right');
  await Promise.all(['functions', 'docs/page'].map(check));
}

/**
 * Runs a file of TypeScript in a process of its own, because Serverless Framework changes how its process loads modules. The
 * file gets a channel to this process. It prints to the same output, and keeps this process from ending until it has
 * sent a message.
 *
 * @param {readonly string[]} script - The file and its options.
 * @param {string} fault - What it means if the file fails.
 * @returns {Promise<unknown>} The first message, as soon as it comes, or undefined when the file has ended without one.
 * @throws Error with `fault`.
 */
function runTypeScript(script, fault) {
  return run(['--import', 'tsx', ...script], fault, ['ipc']);
}

module.exports = { buildService, checkTypes, runTypeScript };

function run(script, fault, channel = []) {
  const child = spawn(process.execPath, script, { stdio: ['ignore', 'inherit', 'inherit', ...channel] });
  return new Promise((resolve, reject) => {
    child.once('message', (message) => {
      child.unref();
      child.channel.unref();
      resolve(message);
    });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${fault}: see above.`))));
  });
}
