import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from './listen.js';
import { NOWHERE } from './nowhere.js';

export type Offline = Awaited<ReturnType<typeof startOffline>>;

/**
 * Starts the service as `npm start` does, but without a build and on a free port, and waits until it can be called.
 *
 * @returns Its URL; `printed`, which gives all that it has printed until then; and `stop`.
 * @throws Error with what it has printed, if it ends or takes two minutes before it prints its URL.
 */
export async function startOffline(variables: Readonly<Record<string, string>> = {}, ...options: readonly string[]) {
  const command = ['node_modules/serverless/bin/serverless.js', 'offline', '--no-build', ...options];
  const env = { PATH: process.env.PATH, ...NOWHERE, PORT: String(await freePort()), ...variables };
  const service = spawn(process.execPath, command, { env });
  const end = once(service, 'close');
  let printed = '';
  const address = new Promise<string>((resolve) => {
    for (const stream of [service.stdout, service.stderr])
      stream.on('data', (text) => {
        printed += text;
        const [, url] = /^Page {2}(\S+)\/swagger\/ui$/m.exec(printed) ?? [];
        if (url) resolve(url);
      });
  });
  const failure = end.then(([code]) => {
    const how = code === null ? 'was killed after two minutes' : `ended with ${code}`;
    throw new Error(`npm start ${how} before it printed its URL. It printed:\n${printed}`);
  });
  // A start takes up to a minute if forty other processes are busy.
  const patience = setTimeout(() => service.kill('SIGKILL'), 120_000);
  const url = await Promise.race([address, failure]).finally(() => clearTimeout(patience));
  return {
    url,
    printed: () => printed,
    /** Returns its exit code, and the signal that has ended it. */
    stop(signal: NodeJS.Signals = 'SIGKILL') {
      service.kill(signal);
      return end;
    },
  };
}
