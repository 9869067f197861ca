import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';

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
  const script = [
    '--require',
    './tests/support/start/ends-with-parent.cjs',
    'node_modules/serverless/bin/serverless.js',
  ];
  return spawn(process.execPath, [...node, ...script, 'offline', ...options], { env: environment });
}

/**
 * Waits until the emulator listens.
 *
 * @param emulator - Its process.
 * @param port - Where it is to listen.
 * @param rest - Takes what it prints to standard output after the box that it draws around its routes.
 * @throws Error with what it printed, when it ends before that.
 */
export async function untilReady(emulator: ChildProcess, port: number, rest?: (text: string) => void): Promise<void> {
  let printed = '';
  let drawn = false;
  emulator.stdout?.setEncoding('utf8').on('data', (text: string) => {
    if (drawn) return rest?.(text);
    printed += text;
    const end = printed.indexOf('┘') + 1;
    drawn = end > 0;
    const after = printed.slice(end).trimStart();
    if (drawn && after) rest?.(after);
  });
  const read = (text: Buffer) => {
    printed += text;
  };
  emulator.stderr?.on('data', read);
  while (!(await listens(port))) {
    if (emulator.exitCode !== null || emulator.signalCode) throw new Error(`serverless-offline ended:\n${printed}`);
    await setTimeout(20);
  }
  emulator.stderr?.off('data', read).resume();
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/**
 * Finds a port that nobody listens on.
 *
 * @param wanted - The first to try; any when left out.
 * @returns The port, or one of the hundred above it.
 */
export async function freePort(wanted = 0): Promise<number> {
  for (let port = wanted; port <= wanted + 100; port++) {
    try {
      return await tryPort(port);
    } catch {
      // Somebody has it.
    }
  }
  throw new Error(`No port from ${wanted} to ${wanted + 100} is free.`);
}

/** Listens on a port, 0 for any, just to see that it can. It throws Node.js's error where it can't. */
export async function tryPort(wanted: number): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
