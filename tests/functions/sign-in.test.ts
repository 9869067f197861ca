import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { environmentOf, startTables } from '../support/dynamodb/tables.js';
import { AUDIENCE, type Provider, startProvider } from '../support/openid/provider.js';
import { startDeployed } from '../support/service/deployed.js';
import { COLLECTION, EXAMPLE, OPERATIONS } from '../support/service/documented.js';
import type { Service } from '../support/service/service.js';

describe('where callers sign in', () => {
  const tables = startTables();
  let provider: Provider;
  let service: Service;

  beforeAll(async () => {
    provider = await startProvider();
    const signIn = { TOKEN_ISSUER: provider.issuer, TOKEN_AUDIENCE: AUDIENCE };
    service = startDeployed(undefined, { ...environmentOf(await (await tables).create()), ...signIn });
  });

  afterAll(async () => {
    await provider.stop();
    await (await tables).stop();
  });

  it('each person has a list of their own', async () => {
    const as = async (sub: string) => ({ Authorization: `Bearer ${await provider.sign({ sub })}` });
    const list = async (sub: string) => (await service.call('GET', COLLECTION, { headers: await as(sub) })).json;
    const { json: created } = await service.call('POST', COLLECTION, { headers: await as('ada'), body: EXAMPLE });
    expect(await list('ada')).toContainEqual(created);
    expect(await list('bob')).not.toContainEqual(created);
  });

  it('every operation asks for a token', async () => {
    for (const [method, path] of OPERATIONS) expect((await service.call(method, path)).status).toBe(401);
  });

  it('the page, the documents, redirects and OPTIONS are open', async () => {
    for (const path of ['/swagger/ui', '/swagger/v1/swagger.json', '/swagger/v1/openapi.json'])
      expect((await service.call('GET', path)).status).toBe(200);
    for (const path of ['/', '/swagger']) expect((await service.call('GET', path)).status).toBe(302);
    expect((await service.call('OPTIONS', COLLECTION)).status).toBe(204);
    expect((await service.call('GET', '/none')).status).toBe(404);
  });

  it('the documents declare tokens, and do not name the provider', async () => {
    const { json: swagger } = await service.call('GET', '/swagger/v1/swagger.json');
    const description = expect.stringContaining('Bearer');
    const token = { type: 'apiKey', name: 'Authorization', in: 'header', description };
    expect(swagger.securityDefinitions).toEqual({ token });
    const { json: openApi } = await service.call('GET', '/swagger/v1/openapi.json');
    expect(openApi.components.securitySchemes.token).toMatchObject({ type: 'http', scheme: 'bearer' });
    expect(JSON.stringify([swagger, openApi])).not.toContain(provider.issuer);
  });
});
