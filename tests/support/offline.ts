import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { NOWHERE } from './nowhere.js';

/** Starts the service as `npm start` does, with what has been built. */
export function startOffline(
  variables: Readonly<Record<string, string>>,
  ...options: readonly string[]
): ChildProcessWithoutNullStreams {
  const command = ['node_modules/serverless/bin/serverless.js', 'offline', '--no-build', ...options];
  const env = { PATH: process.env.PATH, ...NOWHERE, ...variables };
  return spawn(process.execPath, command, { env });
}

/** In milliseconds. On a machine with forty busy processes, a start takes a minute, in which it prints more than once. */
const SILENCE = 90_000;

/**
 * Waits until the service can be called.
 *
 * @returns Its URL, which it has printed as that of the page.
 * @throws Error with what it has printed, if it ends, or is silent for too long.
 */
export function urlOf(service: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const fail = (what: string) => {
      clearTimeout(silence);
      service.kill('SIGKILL');
      reject(new Error(`npm start ${what} before it printed the URL of the page. It printed:\n${printed}`));
    };
    const silence = setTimeout(fail, SILENCE, 'was silent for 90 seconds');
    for (const stream of [service.stdout, service.stderr])
      stream.on('data', (text) => {
        printed += text;
        const [, url] = /^Page {2}(\S+)\/swagger\/ui$/m.exec(printed) ?? [];
        silence.refresh();
        if (url === undefined) return;
        clearTimeout(silence);
        resolve(url);
      });
    service.once('close', () => fail('ended'));
  });
}
