import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { COLLECTION } from '../support/service/resource.js';
import { type Command, startCommand } from '../support/start/command.js';
import { freePort } from '../support/start/emulator.js';
import { copyProject } from '../support/start/project.js';

const cwd = copyProject();
let running: Command;

afterEach(async () => {
  await running.stop();
});

afterAll(() => {
  rmSync(cwd, { recursive: true });
});

describe('npm start', () => {
  it('says what it waits for, and then the three addresses, where the collection is, and what is not as on AWS', async () => {
    const port = await freePort();
    const started = start(port);
    await started.until('\n');
    expect(started.printed).toBe(`${WAITING}\n`);
    await started.until('Document');
    for (const path of ['/swagger/ui', COLLECTION, '/swagger/v1/swagger.json']) {
      expect(started.printed).toContain(`http://localhost:${port}${path}\n`);
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(200);
    }
    expect(started.printed).toMatch(/in memory/);
    expect(started.printed).toMatch(/CORS_ORIGINS is not set/);
    expect(started.printed).not.toMatch(/serverless\.com|Offline \[http|λ|┌/);
  });

  it('is at the port that PORT names, says nothing of CORS where its origins are named, takes none for memory, and ends when it is told to', async () => {
    const port = await freePort();
    const environment = { PORT: String(port), CORS_ORIGINS: 'https://example.com', TODO_TABLE: 'none' };
    running = startCommand('start', [], { cwd, environment });
    await running.until(`http://localhost:${port}${COLLECTION}`);
    expect((await fetch(`http://127.0.0.1:${port}${COLLECTION}`)).status).toBe(200);
    await running.until('Document');
    expect(running.printed).toContain('The collection is in memory');
    expect(running.printed).not.toContain('CORS_ORIGINS');
    expect(await running.stop()).toBe(0);
  });

  it('leaves nothing running when it is killed', async () => {
    const port = await freePort();
    const started = start(port);
    await started.until('Document');
    await started.stop('SIGKILL');
    await untilFree(port);
  });

  it('leaves nothing running when npm, which runs it, is told to end', async () => {
    const port = await freePort();
    const program = ['npm', 'start', '--'];
    running = startCommand('start', ['--httpPort', String(port)], { cwd, program });
    await running.until('Document');
    await running.stop('SIGTERM');
    await untilFree(port);
  });

  it.each(['', '0', '65536', '-1', '4000x', '4e3'])('refuses %j as a port, and says what one is', async (port) => {
    running = startCommand('start', [`--httpPort=${port}`], { cwd });
    await expectFailure(`The port is "${port}": it takes a number from 1 to 65535, as in npm start -- --httpPort 4000`);
  });

  it('names the command for another port when its own is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    start(port);
    await expectFailure(new RegExp(`^Port ${port} is taken. To start on another one: npm start -- --httpPort \\d+$`));
    server.close();
  });

  it('refuses a variable that is wrong at once, with nothing but the message', async () => {
    start(await freePort(), { LOG_LEVEL: 'loud' });
    await expectFailure(/^LOG_LEVEL is "loud".*$/);
  });

  it('says so where it may not write what it builds', async () => {
    // Where tests run as root, they may write into any folder.
    const fail = "() => Promise.reject(Object.assign(Error('EACCES: permission denied'), { code: 'EACCES' }))";
    const plant = `import fs from 'fs'; import { syncBuiltinESMExports as sync } from 'module'; fs.promises.mkdir = ${fail}; sync();`;
    start(await freePort(), { NODE_OPTIONS: loading(plant) });
    await expectFailure(/^What is built can't be written here \(EACCES: permission denied\): make the folder your own/);
  });
});

describe('npm start and npm run dev, before anything is loaded,', () => {
  it('say in one sentence that packages are missing: all of them, or those for development', async () => {
    rmSync(join(cwd, 'node_modules'));
    running = startCommand('start', [], { cwd });
    expect(await running.code).toBe(1);
    expect(running.printed).toBe('The packages are not installed: run npm ci, and then this command again.\n');
    mkdirSync(join(cwd, 'node_modules/tsx'), { recursive: true });
    running = startCommand('dev', [], { cwd });
    expect(await running.code).toBe(1);
    expect(running.printed).toMatch(
      /^The packages for development are not installed: run npm ci without --omit=dev.*\n$/,
    );
  });

  it.each(['18.20.8', '20.18.3'])('say that Node.js %s is too old', async (version) => {
    const plant = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
    running = startCommand('start', [], { cwd, environment: { NODE_OPTIONS: loading(plant) } });
    expect(await running.code).toBe(1);
    expect(running.printed).toMatch(new RegExp(`^This is Node.js ${version}: the service needs 20.19 or later.*\n$`));
  });
});

const WAITING = 'Building the service, and starting serverless-offline: this takes a few seconds.';

function start(port: number, environment: Record<string, string> = {}): Command {
  running = startCommand('start', ['--httpPort', String(port)], { cwd, environment });
  return running;
}

async function expectFailure(reason: string | RegExp): Promise<void> {
  expect(await running.code).toBe(1);
  const [first, ...rest] = running.printed.trimEnd().split('\n') as string[];
  expect(first).toBe(WAITING);
  expect(rest).toEqual([typeof reason === 'string' ? reason : expect.stringMatching(reason)]);
}

async function untilFree(port: number): Promise<void> {
  while ((await freePort(port)) !== port) await setTimeout(20);
}

/** The option of Node.js with which a process begins with some code. */
function loading(code: string): string {
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
}
