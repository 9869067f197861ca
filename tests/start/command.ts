import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll } from '@jest/globals';
import { freePort } from '../../serverless/ports.cjs';
import { temporaryFolder } from '../support/temporary-folder.js';

/** What a command needs to build and run the service. */
const NEEDED = [
  ...['.gitignore', 'biome.json', 'esbuild.ts', 'package.json', 'serverless.yml', 'tsconfig.json'],
  ...['docs', 'functions', 'serverless', 'shared', 'tests/support'],
];
/** These are copied, because their paths are in the source map of the build. */
const BUNDLED = ['aws4', 'jose', 'uuid'];
const running: Command[] = [];

/**
 * Copies the project to a temporary folder, where a test may build and change it while other tests use the build here.
 *
 * @param isForDevelopment - Whether it has all packages, as after `npm ci`, or just those of `npm ci --omit=dev`.
 * @returns The folder, which is removed after the tests of the file. It has no build.
 */
export function copyProject(isForDevelopment = true): string {
  // Before the folder is removed.
  afterAll(() => Promise.all(running.map((command) => command.stop())));
  const folder = temporaryFolder();
  for (const name of NEEDED) cpSync(name, join(folder, name), { recursive: true });
  // What is deployed from this project is nothing that tests depend on.
  writeFileSync(join(folder, 'serverless/stages.yml'), 'default: {}\n');
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const packages = readdirSync('node_modules').flatMap((name) =>
    name.startsWith('@') ? readdirSync(join('node_modules', name)).map((below) => join(name, below)) : name,
  );
  for (const name of packages.filter((name) => isForDevelopment || !(name in devDependencies))) {
    const [from, to] = [resolve('node_modules', name), join(folder, 'node_modules', name)];
    mkdirSync(dirname(to), { recursive: true });
    if (BUNDLED.includes(name)) cpSync(from, to, { recursive: true });
    else symlinkSync(from, to, 'junction');
  }
  return folder;
}

/** A command that was started. */
export interface Command {
  /** What it has printed so far. */
  readonly printed: string;
  /** Its exit code, once it has ended and nothing that it started has its output any more. */
  readonly code: Promise<number | null>;
  /** Waits until it has printed a text. Throws if the command ends before that. */
  until(text: string): Promise<void>;
  /** Stops it, and returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts a command.
 *
 * @param cwd - The folder of the project.
 * @param program - The command and its options.
 * @param environment - Environment variables besides those of this process.
 * @returns The command, which is stopped after the tests of the file.
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
  const command: Command = {
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
  running.push(command);
  return command;
}

/** A command that serves. */
export interface Server extends Command {
  readonly port: number;
  readonly lambdaPort: number;
}

/** Starts a command that serves, on ports that no other test uses. */
export async function startServer(
  cwd: string,
  program: readonly [string, ...string[]],
  environment?: Readonly<Record<string, string>>,
): Promise<Server> {
  const [port, lambdaPort] = [await unusedPort(), await unusedPort()];
  const ports = ['--httpPort', String(port), '--lambdaPort', String(lambdaPort)];
  return Object.assign(startCommand(cwd, [...program, ...ports], environment), { port, lambdaPort });
}

/** Finds a free port below those that the system gives to outgoing connections, one of which could have it a second later. */
export function unusedPort(): Promise<number> {
  return freePort(randomInt(10_000, 32_000));
}

/** Waits until a port is free. */
export async function untilFree(port: number): Promise<void> {
  while ((await freePort(port)) !== port) await setTimeout(20);
}
