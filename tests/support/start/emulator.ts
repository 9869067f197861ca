import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** When the process that started the emulator ends, however that happens, standard input closes, and the emulator ends too. */
const END_WITH_PARENT = `process.stdin.on('end', () => process.exit(1)).resume(); process.stdin.unref?.();`;

/**
 * Starts serverless-offline with the last build. It ends with this process.
 *
 * @param options - Options of serverless-offline.
 * @param environment - All its environment variables: it gets none of this process's own.
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
 * @param port - The port on which it will listen.
 * @param rest - Gets what it prints to standard output after the box with its routes.
 * @throws Error with what it has printed, if it ends before that.
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
