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
 * Starts a command that runs the service.
 *
 * @param script - Its script.
 * @param port - The port that the service gets.
 * @param options - The folder of the project and environment variables, where they are other than those of this process.
 * @returns The command.
 */
export function startCommand(
  script: string,
  port: number,
  { cwd = '.', environment = {} }: { cwd?: string; environment?: Record<string, string> } = {},
): Command {
  const { CORS_ORIGINS: _origins, npm_lifecycle_event: _script, ...inherited } = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', script, '--httpPort', String(port)], {
    cwd,
    env: { ...inherited, ...environment },
  });
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
