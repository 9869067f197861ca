import { spawn } from 'node:child_process';

/** Builds dist/, and removes what was there. */
export async function buildDist(): Promise<void> {
  await runTypeScript(['esbuild.ts', '--quiet'], 'The service could not be built');
}

/** For each project of TypeScript that is deployed, what checks its types. */
export const TYPE_CHECKS: readonly (readonly string[])[] = ['functions', 'docs/page'].map((project) => [
  'node_modules/typescript/bin/tsc',
  ...['--project', project],
]);

/** Checks the types of all that is deployed. */
export async function checkTypes(): Promise<void> {
  await Promise.all(TYPE_CHECKS.map((check) => run(check, 'The types are not right')));
}

/**
 * Runs a file of TypeScript in a process of its own, because Serverless Framework changes how its process loads modules. The
 * file gets a channel to this process. It prints to the same output, and keeps this process from ending until it has
 * sent a message. If it fails after that, this process ends, too: whoever works with it would not see what is missing.
 *
 * @param script - The file and its options.
 * @param fault - What it means if the file fails.
 * @returns The first message, as soon as it comes, or undefined when the file has ended without one.
 * @throws Error with `fault`.
 */
export function runTypeScript(script: readonly string[], fault: string): Promise<unknown> {
  return run(['--import', 'tsx', ...script], fault, ['ipc']);
}

function run(script: readonly string[], fault: string, channel: readonly 'ipc'[] = []): Promise<unknown> {
  const child = spawn(process.execPath, script, { stdio: ['ignore', 'inherit', 'inherit', ...channel] });
  return new Promise((resolve, reject) => {
    child.once('message', (message) => {
      child.once('exit', (code) => {
        if (!code) return;
        console.error('Stopped, because a process behind it has failed: see above.');
        process.exit(1);
      });
      child.unref();
      child.channel?.unref();
      resolve(message);
    });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve(undefined) : reject(new Error(`${fault}: see above.`))));
  });
}
