import { cpSync, symlinkSync } from 'node:fs';
import { createServer as createWebServer } from 'node:http';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Command, copyProject, install, untilFree, unusedPort } from '../start/command.js';
import { listen } from '../support/listen.js';
import { temporaryFolder } from '../support/temporary-folder.js';

// Each start builds the service and the app: several at once, on a busy machine, take minutes.
jest.setTimeout(600_000);

const project = copyProject();
const copy = temporaryFolder();
beforeAll(() => install(project));

/** What the page of an app gets to know. */
async function settingsAt(url: string) {
  const html = await (await fetch(url)).text();
  const [, settings = ''] = /id="settings">(.*)<\/script>/.exec(html) ?? [];
  return JSON.parse(settings);
}

const appOf = ({ printed }: Command) => /App +(\S+)/.exec(printed)?.[1] as string;

describe('npm run app', () => {
  // Where the first provider and the first app are.
  const taken = [3003, 5173].map((port) =>
    createServer()
      .on('error', () => {})
      .listen(port, '127.0.0.1'),
  );
  let port: number;
  beforeAll(async () => {
    port = await unusedPort();
  });
  afterAll(() => taken.forEach((server) => void server.close()));

  const start = (environment: NodeJS.ProcessEnv = {}) =>
    new Command(project, ['npm', 'run', 'app', '--', '--httpPort', `${port}`], environment);

  /** Asks the service whether a page of an origin may send a request with a token. */
  async function mayCall(origin: string): Promise<boolean> {
    const headers = {
      origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization',
    };
    const response = await fetch(`http://127.0.0.1:${port}/api/todo`, { method: 'OPTIONS', headers });
    return ['*', origin].includes(String(response.headers.get('access-control-allow-origin')));
  }

  it.each([
    ['', false],
    ['*', false],
    ['https://example.com', true],
  ])(
    'starts the service with CORS_ORIGINS=%s, the provider and the app, which knows where they are, and ends with them',
    async (origins, mayExampleCall) => {
      const scope = { TOKEN_READ_SCOPE: 'read', TOKEN_WRITE_SCOPE: 'write' };
      const command = start({ CORS_ORIGINS: origins, ...scope });
      await command.until('App ');
      const app = appOf(command);
      const { service, signIn } = await settingsAt(app);
      const [, issuer] = /a token of (\S+)\. /.exec(command.printed) ?? [];
      expect([service, signIn]).toEqual([
        `http://localhost:${port}`,
        { issuer, client: 'page', scope: 'openid read write', audience: 'local' },
      ]);
      expect([new URL(app).port, new URL(String(issuer)).port]).not.toEqual(expect.arrayContaining(['5173', '3003']));
      expect(await mayCall(app)).toBe(true);
      expect(await mayCall('https://example.com')).toBe(mayExampleCall);
      // So may pages of the service.
      for (const [origin, status] of [
        [app, 200],
        [service, 200],
        ['https://example.net', 403],
      ] as const)
        expect((await fetch(`${issuer}/jwks`, { headers: { origin } })).status).toBe(status);
      await command.stop();
      for (const url of [app, service, String(issuer)]) await untilFree(Number(new URL(url).port));
    },
  );

  it('ends if the service can not start', async () => {
    const other = createServer().listen(port, '127.0.0.1');
    const command = start();
    expect(await command.code).toBe(1);
    expect(command.printed).toMatch(/Port \d+ is taken. To start on another one: npm run app -- --httpPort \d+/);
    other.close();
  });

  it('says that options of the app need --alone', async () => {
    const command = new Command(project, ['npm', 'run', 'app', '--', '--client=app']);
    expect(await command.code).toBe(1);
    expect(command.printed).toContain('--client=app needs --alone, which starts no service.');
  });
});

describe('npm run app -- --alone', () => {
  const start = (...options: readonly string[]) =>
    new Command(project, ['npm', 'run', '--silent', 'app', '--', '--alone', ...options]);

  it('serves the app for a service that is there already, on the port that is named, and nothing else', async () => {
    const port = await unusedPort();
    const command = start(`${port}`, '--service', 'https://api.example/live');
    await command.until('The app is at ');
    expect(command.printed).toBe(`The app is at http://localhost:${port}\n`);
    const app = `http://localhost:${port}`;
    expect(await settingsAt(app)).toEqual({ service: 'https://api.example/live' });
    const html = await (await fetch(app)).text();
    for (const [, name] of html.matchAll(/(?:src|href)="((?:main|style)-[^"]+)"/g))
      expect((await fetch(`${app}/${name}`)).status).toBe(200);
    // Any site can ask for these, with the address of an image.
    for (const name of ['../package.json', '__proto__', 'constructor', 'toString'])
      expect([name, (await fetch(`${app}/${name}`)).status]).toEqual([name, 404]);
    await command.stop();
    await untilFree(port);
  });

  it('signs people in where the options say, and says so if that can not be reached any more', async () => {
    const provider = createWebServer((_request, response) => response.end('{"token_endpoint":"https://id.example/"}'));
    const issuer = `http://${await listen(provider)}`;
    const port = await unusedPort();
    const signIn = ['--issuer', issuer, '--client', 'app', '--scope', 'openid read', '--audience', 'todo'];
    const command = start(String(port), '--service', 'https://api.example', ...signIn);
    await command.until('The app is at ');
    const app = `http://localhost:${port}`;
    expect((await settingsAt(app)).signIn).toEqual({ issuer, client: 'app', scope: 'openid read', audience: 'todo' });
    provider.close().closeAllConnections();
    const failed = await fetch(app);
    expect([failed.status, await failed.text()]).toEqual([500, expect.stringContaining('could not be read')]);
    expect((await fetch(`${app}/other`)).status).toBe(404);
  });

  it.each([
    [['one'], 'Usage: npm start -- --alone [PORT] [options]; got one.'],
    [['5200', '5300'], 'got 5200 5300.'],
    [['--isuer', 'https://id.example'], "Unknown option '--isuer'"],
  ])('says what is wrong with %j', async (options, reason) => {
    const command = start(...options);
    expect([await command.code, command.printed]).toEqual([1, expect.stringContaining(reason)]);
  });

  it('says so if its port is taken, because the provider knows the app by its address', async () => {
    const server = createServer();
    const [, port = ''] = (await listen(server)).split(':');
    const command = start(port);
    expect([await command.code, command.printed]).toEqual([
      1,
      `Port ${port} is taken: name another one, as in npm start -- --alone 5200\n`,
    ]);
    server.close();
  });
});

it('npm start in a copy of the folder says that no service is beside it', async () => {
  cpSync('docs/front-end', copy, { recursive: true, filter: (path) => !path.includes('node_modules') });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'), 'junction');
  const command = new Command(copy, ['npm', 'start']);
  expect(await command.code).toBe(1);
  expect(command.printed).toContain('No service is beside this folder: npm start -- --alone');
});
