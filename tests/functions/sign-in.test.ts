import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { environmentOf, startTables } from '../support/dynamodb/tables.js';
import { gateways, typicalGateways } from '../support/gateways/gateways.js';
import { AUDIENCE, type Provider, startProvider } from '../support/openid/provider.js';
import { startDeployed } from '../support/service/deployed.js';
import { COLLECTION, EXAMPLE, OPERATIONS } from '../support/service/documented.js';
import { serve } from '../support/service/serve.js';
import type { Service } from '../support/service/service.js';

const tables = startTables();

let provider: Provider;
let ada: Record<string, string>;
let bob: Record<string, string>;

beforeAll(async () => {
  provider = await startProvider();
  ada = { Authorization: `Bearer ${await provider.sign({ sub: 'ada' })}` };
  bob = { Authorization: `Bearer ${await provider.sign({ sub: 'bob' })}` };
});

afterAll(async () => {
  await provider.stop();
  await (await tables).stop();
});

/** Starts the service that is deployed, so that it asks for tokens, with a table of its own. */
async function startAsking(gateway = gateways[0]): Promise<Service> {
  const signIn = { TOKEN_ISSUER: provider.issuer, TOKEN_AUDIENCE: AUDIENCE };
  return startDeployed(gateway, { ...environmentOf(await (await tables).create()), ...signIn });
}

describe.each(typicalGateways)('where callers sign in, behind $name', (gateway) => {
  it('each person has a list of their own', async () => {
    const service = await startAsking(gateway);
    const { json: created } = await service.call('POST', COLLECTION, { headers: ada, body: EXAMPLE });
    const list = async (headers: Record<string, string>) => (await service.call('GET', COLLECTION, { headers })).json;
    expect(await list(ada)).toContainEqual(created);
    expect(await list(bob)).not.toContainEqual(created);
  });

  it('every operation asks for a token', async () => {
    const service = await startAsking(gateway);
    for (const [method, path] of OPERATIONS) expect((await service.call(method, path)).status).toBe(401);
  });

  it('the page, the documents, redirects and OPTIONS are open', async () => {
    const service = await startAsking(gateway);
    for (const path of ['/swagger/ui', '/swagger/v1/swagger.json', '/swagger/v1/openapi.json'])
      expect((await service.call('GET', path)).status).toBe(200);
    for (const path of ['/', '/swagger']) expect((await service.call('GET', path)).status).toBe(302);
    expect((await service.call('OPTIONS', COLLECTION)).status).toBe(204);
    expect((await service.call('GET', '/none')).status).toBe(404);
  });

  it('both documents say so, and 401 is in them', async () => {
    const service = await startAsking(gateway);
    const { json: swagger } = await service.call('GET', '/swagger/v1/swagger.json');
    expect(swagger.securityDefinitions).toEqual({
      token: { type: 'apiKey', name: 'Authorization', in: 'header', description: expect.stringContaining('Bearer') },
    });
    const { json: openApi } = await service.call('GET', '/swagger/v1/openapi.json');
    expect(openApi.components.securitySchemes.token).toMatchObject({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
    });
    for (const { paths } of [swagger, openApi])
      for (const operation of Object.values(paths).flatMap((path) => Object.values(path as object)))
        expect(operation).toMatchObject({ security: [{ token: [] }], responses: { 401: { headers: {} } } });
    expect(JSON.stringify([swagger, openApi])).not.toContain(provider.issuer);
  });
});

it('signing in works over HTTP', async () => {
  const served = await serve(await startAsking(gateways.find(({ prefix }) => prefix === '')));
  const get = async (headers: Record<string, string>) => fetch(`${served.url}${COLLECTION}`, { headers });
  expect((await get({})).status).toBe(401);
  expect((await get(ada)).status).toBe(200);
  expect((await get({ authorization: `Bearer ${provider.issuer}` })).status).toBe(401);
  served.stop();
});
