import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.js';

/** What a command needs to build and run the service. */
const NEEDED = [
  ...['.gitignore', 'biome.json', 'esbuild.ts', 'package.json', 'serverless.yml', 'tsconfig.json'],
  ...['docs', 'functions', 'serverless', 'shared', 'tests/support'],
];

/**
 * Copies the project to a temporary folder, where a test may build and change it while other tests use the build here.
 *
 * @returns The folder, which is removed after the tests of the file. Its packages are those of the project.
 */
export function copyProject(): string {
  const folder = temporaryFolder();
  for (const name of NEEDED) cpSync(name, join(folder, name), { recursive: true });
  // What is deployed from this project is nothing that tests depend on.
  writeFileSync(join(folder, 'serverless/stages.yml'), 'default: {}\n');
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

/** A command that runs the service, as `npm start` does. */
export interface Command {
  /** What it has printed so far. */
  readonly printed: string;
  /** Its exit code, once it has ended. */
  readonly code: Promise<number | null>;
  /** Waits until it has printed a text. Throws if the command ends before that. */
  until(text: string): Promise<void>;
  /** Stops it, and returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts a command that runs the service.
 *
 * @param cwd - The folder of the project.
 * @param program - The command and its options.
 * @param environment - Environment variables besides those of this process.
 * @returns The command.
 */
export function startCommand(
  cwd: string,
  [file, ...options]: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>> = {},
): Command {
  const { CORS_ORIGINS: _origins, PORT: _port, npm_lifecycle_event: _script, ...inherited } = process.env;
  const child = spawn(file, options, { cwd, env: { ...inherited, ...environment } });
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
