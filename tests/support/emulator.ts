import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Starts serverless-offline, with what the build has made. It ends with this process.
 *
 * @param options - Of its command.
 * @param environment - The environment variables that it gets, instead of those of this process.
 * @param node - Options of Node.js.
 * @returns The process. Its output is piped.
 */
export function spawnEmulator(
  options: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
  node: readonly string[] = [],
): ChildProcess {
  const script = ['--require', './tests/support/ends-with-parent.cjs', 'node_modules/serverless/bin/serverless.js'];
  return spawn(process.execPath, [...node, ...script, 'offline', ...options], { env: environment });
}

/**
 * Waits until the emulator listens.
 *
 * @param emulator - Its process.
 * @param rest - Takes what it prints to standard output from then on.
 * @throws Error with what it printed, when it ends before that.
 */
export async function untilReady(emulator: ChildProcess, rest?: (text: string) => void): Promise<void> {
  let printed = '';
  let ready = false;
  await new Promise<void>((resolve, reject) => {
    emulator.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (ready) return rest?.(text);
      printed += text;
      // It draws a box around its routes when it listens.
      const end = printed.indexOf('┘');
      if (end < 0) return;
      ready = true;
      resolve();
      const after = printed.slice(end + 1).trimStart();
      if (after) rest?.(after);
    });
    emulator.stderr?.on('data', (text) => {
      if (!ready) printed += text;
    });
    emulator.on('exit', () => reject(new Error(`serverless-offline ended:\n${printed}`)));
  });
}

/**
 * Finds a port that nobody listens on.
 *
 * @param wanted - The first to try; any when left out.
 * @returns The port, or one of the hundred above it.
 */
export async function freePort(wanted = 0): Promise<number> {
  for (let port = wanted; port <= wanted + 100; port++) {
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    const address = server.address();
    server.close();
    await once(server, 'close');
    if (typeof address === 'object' && address) return address.port;
  }
  throw new Error(`No port from ${wanted} to ${wanted + 100} is free.`);
}
