import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from './free-port.js';
import { NOWHERE } from './nowhere.js';

export type Offline = Awaited<ReturnType<typeof startOffline>>;

/**
 * Starts the service as `npm start` does, with what has been built, on a free port, and waits until it can be called.
 *
 * @returns The URL that it has printed for the page; what it has printed until now; and how to stop it.
 * @throws Error with what it has printed, if it ends before that, or takes too long.
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
    throw new Error(`npm start ${how} before it printed the URL of the page. It printed:\n${printed}`);
  });
  // Beside forty busy processes, a start takes a minute.
  const patience = setTimeout(() => service.kill('SIGKILL'), 120_000);
  const url = await Promise.race([address, failure]).finally(() => clearTimeout(patience));
  return {
    url,
    printed: () => printed,
    /** Returns its exit code, and the signal that has ended it. */
    async stop(signal: NodeJS.Signals = 'SIGKILL') {
      service.kill(signal);
      const late = setTimeout(() => service.kill('SIGKILL'), 60_000);
      return end.finally(() => clearTimeout(late));
    },
  };
}
