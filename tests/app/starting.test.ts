import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Command, copyProject, install, untilFree, unusedPort } from '../start/command.js';

// Each start builds the service and the app: several at once, on a busy machine, take minutes.
jest.setTimeout(600_000);

const project = copyProject();
const withoutDevelopment = copyProject();
const START = [process.execPath, 'serverless/local/start.mjs'] as const;

/** What the page of an app gets to know. */
async function settingsAt(url: string) {
  const html = await (await fetch(url)).text();
  const [, settings = ''] = /id="settings">(.*)<\/script>/.exec(html) ?? [];
  return JSON.parse(settings);
}

const appOf = ({ printed }: Command) => /^ {2}App +(\S+)$/m.exec(printed)?.[1] as string;

it('npm start -- --app names the packages that are missing after npm ci --omit=dev', async () => {
  install(withoutDevelopment, false);
  const command = new Command(withoutDevelopment, [...START, '--app']);
  expect(await command.code).toBe(1);
  expect(command.printed).toBe(
    'oidc-client-ts and openapi-fetch are not installed: run npm ci without --omit=dev, and then this command again.\n',
  );
});

describe('with all packages', () => {
  // Where the first provider and the first app are.
  const taken = [3003, 5173].map((port) =>
    createServer()
      .on('error', () => {})
      .listen(port, '127.0.0.1'),
  );
  let port: number;
  beforeAll(() => install(project));
  afterAll(() => taken.forEach((server) => void server.close()));

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

  it('npm run app starts the service, the provider and the app, which knows where the others are, also if their ports were taken', async () => {
    port = await unusedPort();
    const command = new Command(project, ['npm', 'run', 'app', '--', '--httpPort', `${port}`], { CORS_ORIGINS: '*' });
    await command.until('The list of bob');
    const app = appOf(command);
    const { service, signIn } = await settingsAt(app);
    const [, issuer] = /a token of (\S+)\. /.exec(command.printed) ?? [];
    expect([service, signIn]).toEqual([
      `http://localhost:${port}`,
      { issuer, client: 'page', scope: 'openid', audience: 'local' },
    ]);
    expect([new URL(app).port, new URL(String(issuer)).port]).not.toEqual(expect.arrayContaining(['5173', '3003']));
    expect(await mayCall(app)).toBe(true);
    expect(await mayCall('https://example.com')).toBe(true);
    // CORS_ORIGINS=* lets no page sign anybody in, but this one may.
    for (const [origin, status] of [
      [app, 200],
      ['https://example.com', 403],
    ] as const)
      expect((await fetch(`${issuer}/jwks`, { headers: { origin } })).status).toBe(status);
    await command.stop();
    await untilFree(Number(new URL(app).port));
  });

  it('npm start -- --app starts the service and the app without sign-in', async () => {
    port = await unusedPort();
    const options = { CORS_ORIGINS: 'https://app.example' };
    const command = new Command(project, [...START, '--app', '--httpPort', `${port}`], options);
    await command.until('Document');
    const app = appOf(command);
    expect(await settingsAt(app)).toEqual({ service: `http://localhost:${port}` });
    const html = await (await fetch(app)).text();
    for (const [, name] of html.matchAll(/(?:src|href)="((?:main|style)-[^"]+)"/g))
      expect((await fetch(`${app}/${name}`)).status).toBe(200);
    expect((await fetch(`${app}/../package.json`)).status).toBe(404);
    expect([await mayCall(app), await mayCall('https://app.example')]).toEqual([true, true]);
  });

  it('npm start -- --app says in a sentence what is missing to sign people in', async () => {
    port = await unusedPort();
    const variables = { TOKEN_ISSUER: 'https://id.example', TOKEN_AUDIENCE: 'todo', LIST_BY: 'all' };
    const command = new Command(project, [...START, '--app', '--httpPort', `${port}`], variables);
    expect(await command.code).toBe(1);
    expect(command.printed).toContain('The web app signs people in with the client of TOKEN_CLIENT, which is not set.');
  });
});
