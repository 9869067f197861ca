import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A command that runs the service, as `npm start` does. */
export interface Command {
  /** All that it has printed. */
  readonly printed: string;
  /** Its exit code, when it has ended. */
  readonly code: Promise<number | null>;
  /** Waits until it has printed a text. It throws when the command ends before. */
  until(text: string): Promise<void>;
  /** Stops it, and gives its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts a command that runs the service, without npm around it.
 *
 * @param name - That of npm's script.
 * @param options - Its options.
 * @param changed - The folder of the project, the program, and environment variables, where they are other than those of
 * this process.
 * @returns The command.
 */
export function startCommand(
  name: 'start' | 'dev',
  options: readonly string[],
  changed: { cwd?: string; program?: readonly string[]; environment?: Record<string, string> } = {},
): Command {
  const { CORS_ORIGINS: _origins, PORT: _port, npm_lifecycle_event: _script, ...inherited } = process.env;
  const { cwd = '.', program = [process.execPath, 'tests/support/start/main.mjs', name], environment = {} } = changed;
  const [file = '', ...given] = [...program, ...options];
  const child = spawn(file, given, { cwd, env: { ...inherited, ...environment } });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      printed += text;
      child.emit('printed');
    });
  }
  const code = once(child, 'close').then(([code]) => code as number | null);
  return {
    get printed() {
      return printed;
    },
    code,
    async until(text) {
      while (!printed.includes(text)) {
        const ended = await Promise.race([code.then(() => true), once(child, 'printed').then(() => false)]);
        if (ended) throw new Error(`it ended:\n${printed}`);
      }
    },
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return code;
    },
  };
}
