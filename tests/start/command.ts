import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, expect } from '@jest/globals';
import { freePort } from '../../serverless/local/ports.js';
import { type Answer, answerOf } from '../support/service/answer.js';
import type { Service } from '../support/service/service.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** What a command needs to build and run the service. */
const NEEDED = [
  ...['esbuild.ts', 'package.json', 'serverless.yml', 'tsconfig.json'],
  ...['docs', 'functions', 'serverless', 'shared'],
];
/** These are copied, because their paths are in the source map of the build. */
const BUNDLED = ['jose', 'uuid'];
const running: Command[] = [];

/** Copies the project without its packages and its build to a folder that is removed after the tests of the file. */
export function copyProject(): string {
  // Before the folder is removed.
  afterAll(() => Promise.all(running.map((command) => command.stop())));
  const folder = temporaryFolder();
  const filter = (path: string) => !path.includes('node_modules');
  for (const name of NEEDED) cpSync(name, join(folder, name), { recursive: true, filter });
  // What is deployed from this project is nothing that tests depend on.
  writeFileSync(join(folder, 'serverless/stages.yml'), 'default: {}\n');
  return folder;
}

/** Gives a copy the packages of `npm ci`, or just those of `npm ci --omit=dev`. */
export function install(folder: string, isForDevelopment = true): void {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const packages = readdirSync('node_modules').flatMap((name) =>
    name.startsWith('@') ? readdirSync(join('node_modules', name)).map((below) => join(name, below)) : name,
  );
  for (const name of packages.filter((name) => isForDevelopment || !(name in devDependencies))) {
    const [from, to] = [resolve('node_modules', name), join(folder, 'node_modules', name)];
    if (existsSync(to)) continue;
    mkdirSync(dirname(to), { recursive: true });
    if (BUNDLED.includes(name)) cpSync(from, to, { recursive: true });
    else symlinkSync(from, to, 'junction');
  }
}

/** A command that was started. It is stopped after the tests of the file. */
export class Command {
  /** What it has printed so far. */
  printed = '';
  /** Its exit code, once it has ended and nothing that it started has its output any more. */
  readonly code: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor(cwd: string, [file, ...options]: readonly [string, ...string[]], environment: NodeJS.ProcessEnv = {}) {
    const { CORS_ORIGINS: _origins, PORT: _port, npm_lifecycle_event: _script, ...inherited } = process.env;
    const child = spawn(file, options, { cwd, env: { ...inherited, ...environment } });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        this.printed += text;
        child.emit('printed');
      });
    }
    this.#child = child;
    this.code = once(child, 'close').then(([code]) => code);
    running.push(this);
  }

  /** Waits until it has printed a text, after so many characters. Throws if the command ends before that. */
  async until(text: string, after = 0): Promise<void> {
    while (!this.printed.includes(text, after)) {
      const ended = await Promise.race([this.code.then(() => true), once(this.#child, 'printed').then(() => false)]);
      if (ended) throw new Error(`it ended:\n${this.printed}`);
    }
  }

  /** Stops it, and returns its exit code. */
  stop(): Promise<number | null> {
    this.#child.kill();
    return this.code;
  }
}

/** Runs a file of a copy, and some code before it. */
export function run(folder: string, file: string, code = ''): Command {
  const before = `--import=data:text/javascript,${encodeURIComponent(code)}`;
  return new Command(folder, [process.execPath, before, ...file.split(' ')]);
}

/** Expects a command to fail, and to print these lines, and no others. */
export async function expectFailure(command: Command, ...lines: (string | RegExp)[]): Promise<void> {
  expect(await command.code).toBe(1);
  const expected = lines.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line)));
  expect(command.printed.trimEnd().split('\n')).toEqual(expected);
}

/** Finds a free port below those that the system gives to outgoing connections, one of which could have it a second later. */
export function unusedPort(): Promise<number> {
  return freePort(randomInt(10_000, 32_000));
}

/** Waits until a port is free. */
export async function untilFree(port: number): Promise<void> {
  while ((await freePort(port)) !== port) await setTimeout(20);
}

/** Sends a text to a port of this machine, and returns all that comes back until the connection is closed. */
export async function exchangeText(port: number, sent: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(sent);
  return await text(socket);
}

/** Sends a request to a port of this machine with its path as it is; fetch would normalise that. */
export async function send(
  port: number,
  method: string,
  path: string,
  { headers = {}, body }: Parameters<Service['call']>[2] = {},
): Promise<Answer> {
  const sent = request({ host: '127.0.0.1', port, method, path, headers });
  sent.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
  const [response] = await once(sent, 'response');
  return answerOf(response.statusCode, response.headers, await buffer(response));
}
