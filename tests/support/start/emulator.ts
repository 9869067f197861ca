import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** Standard input closes when the process that started this one is gone, however that ended; then nobody would stop this one. */
const END_WITH_PARENT = `process.stdin.on('end', () => process.exit(1)).resume(); process.stdin.unref?.();`;

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
  environment: NodeJS.ProcessEnv,
  node: readonly string[] = [],
): ChildProcess {
  const loaded = `--import=data:text/javascript,${encodeURIComponent(END_WITH_PARENT)}`;
  const script = [...node, loaded, 'node_modules/serverless/bin/serverless.js', 'offline'];
  return spawn(process.execPath, [...script, ...options], { env: environment });
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
