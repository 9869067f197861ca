import { spawn } from 'node:child_process';

export async function buildDist(): Promise<void> {
  await runTypeScript(['esbuild.ts', '--quiet'], 'The service could not be built');
}

export const TYPE_CHECKS: readonly (readonly string[])[] = ['functions', 'docs/page'].map((project) => [
  'node_modules/typescript/bin/tsc',
  ...['--project', project],
]);

export async function checkTypes(): Promise<void> {
  await Promise.all(TYPE_CHECKS.map((check) => run(check, 'The types are not right')));
}

/**
 * Runs a file of TypeScript in another process, because Serverless Framework changes how its process loads modules. It
 * keeps this process from ending until it has sent a message. If it fails after that, this process ends, too, because
 * nobody would see what is missing.
 *
 * @param script - The file and its options.
 * @returns The first message, or undefined if the file has ended without one.
 * @throws Error with the message `fault` if the file fails.
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
