import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Command, startCommand } from './support/command.js';
import { freePort } from './support/emulator.js';

let running: Command | undefined;

afterEach(async () => {
  await running?.stop();
});

describe('npm start', () => {
  it('prints the three addresses, where the collection is, and what is not as on AWS', async () => {
    const port = await freePort();
    const started = start(port);
    await started.until('Document');
    for (const path of ['/swagger/ui', '/api/todo', '/swagger/v1/swagger.json']) {
      expect(started.printed).toContain(`http://localhost:${port}${path}\n`);
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(200);
    }
    expect(started.printed).toMatch(/in memory/);
    expect(started.printed).toMatch(/CORS_ORIGINS is not set/);
    expect(started.printed).not.toMatch(/serverless\.com|Offline \[http|λ|┌/);
  });

  it('says nothing of CORS where its origins are named, takes none for memory, and ends when it is told to', async () => {
    const started = start(await freePort(), { CORS_ORIGINS: 'https://example.com', TODO_TABLE: 'none' });
    await started.until('Document');
    expect(started.printed).toContain('The collection is in memory');
    expect(started.printed).not.toContain('CORS_ORIGINS');
    expect(await started.stop()).toBe(0);
  });

  it('leaves nothing running when it is killed', async () => {
    const port = await freePort();
    const started = start(port);
    await started.until('Document');
    await started.stop('SIGKILL');
    while (await freePort(port).then((free) => free !== port)) await setTimeout(20);
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

function start(port: number, environment: Record<string, string> = {}): Command {
  running = startCommand('tests/support/start.ts', port, { environment });
  return running;
}
