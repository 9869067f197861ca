import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort } from './support/emulator.js';

/** A run of `npm start`, without the build. */
interface Started {
  readonly process: ChildProcess;
  readonly code: Promise<number | null>;
  printed: string;
}

let running: Started | undefined;

afterEach(async () => {
  running?.process.kill('SIGTERM');
  await running?.code;
});

describe('npm start', () => {
  it('prints the three addresses, where the collection is, and what is not as on AWS', async () => {
    const port = await freePort();
    const started = start(port);
    await until(started, 'Document');
    for (const path of ['/swagger/ui', '/api/todo', '/swagger/v1/swagger.json']) {
      expect(started.printed).toContain(`http://localhost:${port}${path}\n`);
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(200);
    }
    expect(started.printed).toMatch(/in memory/);
    expect(started.printed).toMatch(/CORS_ORIGINS is not set/);
    expect(started.printed).not.toMatch(/serverless\.com|Offline \[http|λ|┌/);
  });

  it('says nothing of CORS where its origins are named, and ends when it is told to', async () => {
    const started = start(await freePort(), { CORS_ORIGINS: 'https://example.com' });
    await until(started, 'Document');
    expect(started.printed).not.toContain('CORS_ORIGINS');
    started.process.kill('SIGTERM');
    expect(await started.code).toBe(0);
  });

  it('names the command for another port when its own is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const started = start(port);
    expect(await started.code).toBe(1);
    server.close();
    expect(started.printed).toMatch(new RegExp(`^Port ${port} is taken.*npm start -- --httpPort \\d+\n$`));
  });

  it('refuses a variable that is wrong at once, with nothing but the message', async () => {
    const started = start(await freePort(), { LOG_LEVEL: 'loud' });
    expect(await started.code).toBe(1);
    expect(started.printed).toMatch(/^LOG_LEVEL is "loud".*\n$/);
  });
});

function start(port: number, environment: Record<string, string> = {}): Started {
  const options = ['node_modules/tsx/dist/cli.mjs', 'tests/support/start.ts', '--httpPort', String(port)];
  const { CORS_ORIGINS: _origins, npm_lifecycle_event: _script, ...inherited } = process.env;
  const child = spawn(process.execPath, options, { env: { ...inherited, ...environment } });
  const code = once(child, 'close').then(([code]) => code as number | null);
  const started: Started = { process: child, code, printed: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      started.printed += text;
    });
  }
  running = started;
  return started;
}

async function until(started: Started, text: string): Promise<void> {
  while (!started.printed.includes(text)) {
    const ended = await Promise.race([started.code.then(() => true), once(started.process.stdout as never, 'data')]);
    if (ended === true) throw new Error(`it ended:\n${started.printed}`);
  }
}
