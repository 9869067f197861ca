import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { NOWHERE } from './nowhere.js';

/** Starts the service as `npm start` does, with what has been built. */
export function startOffline(
  variables: Readonly<Record<string, string>>,
  ...options: readonly string[]
): ChildProcessWithoutNullStreams {
  const command = ['node_modules/serverless/bin/serverless.js', 'offline', ...options];
  const env = { PATH: process.env.PATH, ...NOWHERE, NO_BUILD: 'true', ...variables };
  return spawn(process.execPath, command, { env });
}

/**
 * Waits until the service can be called.
 *
 * @returns Its URL, which it has printed for the page and for the API.
 * @throws Error with what it has printed, if it ends.
 */
export function urlOf(service: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    for (const stream of [service.stdout, service.stderr])
      stream.on('data', (text) => {
        printed += text;
        const [, url] = /^Page {2}(\S+)\/swagger\/ui\nAPI {3}\1\/api\/todo$/m.exec(printed) ?? [];
        if (url) resolve(url);
      });
    service.once('exit', () => reject(new Error(`npm start has ended: ${printed}`)));
  });
}
