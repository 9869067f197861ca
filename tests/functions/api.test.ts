import { spawnSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { environmentOf, startTables } from '../support/dynamodb/tables.js';
import { AUDIENCE, type Provider, startProvider } from '../support/openid/provider.js';
import { startDeployed } from '../support/service/deployed.js';
import { ALL_OPERATIONS, COLLECTION, EXAMPLE } from '../support/service/documented.js';
import type { Service } from '../support/service/service.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const tables = startTables();

afterAll(async () => (await tables).stop());

describe('functions/api.ts', () => {
  afterEach(() => void jest.restoreAllMocks());

  const folder = temporaryFolder();

  /** Loads it as a new instance would, and returns the function that creates an item, or lists them. */
  function load(environment: Readonly<Record<string, string>>) {
    jest.resetModules();
    jest.replaceProperty(process, 'env', { ...process.env, LOG_LEVEL: 'silent', ...environment });
    const { handler } = require('../../functions/api.js');
    return async (httpMethod: 'GET' | 'POST') =>
      JSON.parse((await handler({ httpMethod, path: COLLECTION, body: JSON.stringify(EXAMPLE) })).body);
  }

  it('rejects a wrong setting when it is loaded', () => {
    expect(() => load({ LOG_LEVEL: 'INFO' })).toThrow('LOG_LEVEL is "INFO"');
  });

  it('loads none of the modules that are slow to load, such as crypto, for the first requests of an instance', () => {
    const post = { httpMethod: 'POST', path: COLLECTION, body: JSON.stringify(EXAMPLE) };
    const event = { ...post, headers: { 'Content-Type': 'application/json' } };
    const source = `
      const known = process.moduleLoadList.slice();
      const { handler } = await import(${JSON.stringify(pathToFileURL('dist/api.mjs'))});
      await handler({ httpMethod: 'GET', path: '${COLLECTION}' });
      const { key } = JSON.parse((await handler(${JSON.stringify(event)})).body);
      for (const path of ['${COLLECTION}/' + key, '/none', '/swagger/ui']) await handler({ httpMethod: 'GET', path });
      console.error(process.moduleLoadList.filter((name) => !known.includes(name)).join('\\n'));`;
    // In a file, because Node.js loads more to import from what it was given as text.
    const script = join(folder, 'first-requests.mjs');
    writeFileSync(script, source);
    const env = { ...process.env, LOG_LEVEL: 'info' };
    const { stdout, stderr } = spawnSync(process.execPath, [script], { env });
    expect(String(stdout).match(/"status":\d+/g)).toEqual(
      [200, 201, 200, 404, 200].map((status) => `"status":${status}`),
    );
    expect(String(stderr).match(/^(NativeModule|Internal Binding) (?!internal\/modules\/esm\/).+/gm)).toBeNull();
  });

  it.each([
    ['table.mjs', { TABLE_NAME: 'none-is-asked', AWS_REGION: 'x', AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' }],
    ['authenticator.mjs', { LIST_BY: 'all', TOKEN_ISSUER: 'http://127.0.0.1:1', TOKEN_AUDIENCE: AUDIENCE }],
  ])('answers 500 to each request, and goes on, if %s is not there', (missing, settings) => {
    const broken = join(folder, missing);
    cpSync('dist', broken, { recursive: true });
    rmSync(join(broken, missing));
    const script = join(broken, 'two-requests.mjs');
    const source = `
      const { handler } = await import('./api.mjs');
      await new Promise((resolve) => setTimeout(resolve, 50));
      for (const path of ['${COLLECTION}', '${COLLECTION}', '/swagger'])
        console.error((await handler({ httpMethod: 'GET', path })).statusCode);`;
    writeFileSync(script, source);
    const env = { ...process.env, LOG_LEVEL: 'error', ...settings };
    const { status, stdout, stderr } = spawnSync(process.execPath, [script], { env });
    expect([status, String(stderr)]).toEqual([0, '500\n500\n302\n']);
    expect(String(stdout).match(/"unhandled exception".*Cannot find module.*/g)).toHaveLength(2);
  });

  it('answers 500 to each request if the code that checks tokens fails while it is loaded', async () => {
    jest.doMock('../../shared/openid/authenticator.js', () => {
      throw new Error('broken');
    });
    const get = load({ LIST_BY: 'all', TOKEN_ISSUER: 'http://127.0.0.1:1', TOKEN_AUDIENCE: AUDIENCE });
    expect([await get('GET'), await get('GET')]).toMatchObject([{ status: 500 }, { status: 500 }]);
    jest.dontMock('../../shared/openid/authenticator.js');
  });

  it('keeps items in memory unless a table is named, each instance its own', async () => {
    const [one, other] = [load({}), load({})];
    const created = await one('POST');
    expect(await one('GET')).toContainEqual(created);
    expect(await other('GET')).not.toContainEqual(created);
  });

  it('keeps items in the table that is named, for all instances, and asks for a token if an issuer is named', async () => {
    const environment = environmentOf(await (await tables).create());
    const created = await load(environment)('POST');
    expect(await load(environment)('GET')).toContainEqual(created);
    const signIn = { TOKEN_ISSUER: 'http://127.0.0.1:1', TOKEN_AUDIENCE: AUDIENCE };
    expect(await load({ ...environment, ...signIn })('GET')).toMatchObject({ status: 401 });
  });
});

it('pages of the origins that CORS_ORIGINS names may read', async () => {
  const { call } = startDeployed(undefined, { CORS_ORIGINS: 'https://app.example.com' });
  const { headers } = await call('GET', COLLECTION, { headers: { Origin: 'https://app.example.com' } });
  expect(headers['access-control-allow-origin']).toBe('https://app.example.com');
});

describe('where callers sign in', () => {
  let provider: Provider;
  let signIn: Readonly<Record<string, string>>;
  let service: Service;

  beforeAll(async () => {
    provider = await startProvider();
    const table = environmentOf(await (await tables).create());
    signIn = { ...table, TOKEN_ISSUER: provider.issuer, TOKEN_AUDIENCE: AUDIENCE };
    service = startDeployed(undefined, signIn);
  });

  afterAll(() => provider.stop());

  it('each person has a list of their own', async () => {
    const as = async (sub: string) => ({ Authorization: `Bearer ${await provider.sign({ sub })}` });
    const list = async (sub: string) => (await service.call('GET', COLLECTION, { headers: await as(sub) })).json;
    const { json: created } = await service.call('POST', COLLECTION, { headers: await as('ada'), body: EXAMPLE });
    expect(await list('ada')).toContainEqual(created);
    expect(await list('bob')).not.toContainEqual(created);
  });

  it('every operation needs its scope, if one is named', async () => {
    const scopes = { TOKEN_READ_SCOPE: 'read', TOKEN_WRITE_SCOPE: 'write' };
    const scoped = startDeployed(undefined, { ...signIn, ...scopes });
    for (const [method, path] of ALL_OPERATIONS) {
      const scope = method === 'GET' ? 'write' : 'read';
      const headers = { Authorization: `Bearer ${await provider.sign({ scope })}` };
      expect((await scoped.call(method, path, { headers })).status).toBe(403);
    }
  });

  it('every operation asks for a token', async () => {
    for (const [method, path] of ALL_OPERATIONS) expect((await service.call(method, path)).status).toBe(401);
  });

  it('the page, the redirects to it, OPTIONS and the documents are open, which say that there are tokens', async () => {
    const { text: swagger, json } = await service.call('GET', '/swagger/v1/swagger.json');
    expect(json.securityDefinitions.token).toMatchObject({ type: 'apiKey', name: 'Authorization', in: 'header' });
    const { text: openApi, json: other } = await service.call('GET', '/swagger/v1/openapi.json');
    expect(other.components.securitySchemes.token).toMatchObject({ type: 'http', scheme: 'bearer' });
    for (const text of [swagger, openApi]) expect(text.includes(provider.issuer)).toBe(true);
    expect((await service.call('GET', '/swagger/ui')).status).toBe(200);
    for (const path of ['/', '/swagger']) expect((await service.call('GET', path)).status).toBe(302);
    expect((await service.call('OPTIONS', COLLECTION)).status).toBe(204);
    expect((await service.call('GET', '/none')).status).toBe(404);
  });
});
