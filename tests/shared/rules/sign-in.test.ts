import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { openLog } from '../../../shared/log/log.js';
import { createAuthenticator } from '../../../shared/openid/authenticator.js';
import { startTables } from '../../support/dynamodb/tables.js';
import { gateways } from '../../support/gateways/gateways.js';
import { AUDIENCE, type Provider, startProvider } from '../../support/openid/provider.js';
import { captureLog } from '../../support/service/log.js';
import { PARCELS } from '../../support/service/parcels.js';
import { type Service, type ServiceOptions, startService } from '../../support/service/service.js';

const tables = startTables();
const ORIGIN = 'https://app.example.com';

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

/** Starts a service that asks for tokens, with a table of its own unless the options name one. */
async function startAsking(gateway = gateways[0], options: ServiceOptions = {}): Promise<Service> {
  const log = openLog(options.logLevel ?? 'silent');
  const authenticate = createAuthenticator({ issuer: provider.issuer, audience: AUDIENCE }, log);
  return startService(gateway, { table: await (await tables).create(), authenticate, ...options });
}

describe.each(gateways)('where callers sign in, behind $name', (gateway) => {
  it('each person has a list of their own, which begins with a first item of their own', async () => {
    const service = await startAsking(gateway);
    const created = await service.call('POST', PARCELS, { headers: ada, body: { label: 'Only for Ada' } });
    expect(created.status).toBe(201);
    const labels = async (headers: Record<string, string>) =>
      (await service.call('GET', PARCELS, { headers })).json.map(({ label }: { label: string }) => label);
    expect(await labels(ada)).toEqual(['first', 'Only for Ada']);
    expect(await labels(bob)).toEqual(['first']);
  });

  it('a request without a valid token is answered 401 and told why', async () => {
    const service = await startAsking(gateway);
    const none = await service.call('GET', PARCELS);
    expect(none).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer realm="items"' } });
    expect(none.json.detail).toContain('Authorization: Bearer TOKEN');
    const Authorization = `Bearer ${await provider.sign({ aud: 'other' })}`;
    const wrong = await service.call('DELETE', `${PARCELS}/1`, { headers: { Authorization } });
    expect(wrong.headers['www-authenticate']).toMatch(/error="invalid_token", error_description="The token is for an/);
    expect(wrong).toMatchObject({
      status: 401,
      json: { detail: expect.stringMatching(/^The token is for another aud/) },
    });
  });

  it('no spelling of a path leads past it, and no place for the token other than Authorization', async () => {
    const service = await startAsking(gateway);
    const token = ada.Authorization?.slice(7);
    for (const path of [
      '/API/parcel',
      '/api/parcel/',
      '/%61pi/parcel',
      `/api/parcel?access_token=${token}`,
      '/api/parcel?limit=1',
    ])
      expect([path, (await service.call('GET', path)).status]).toEqual([path, 401]);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await service.call('POST', PARCELS, { headers: form, body: `access_token=${token}` })).status).toBe(401);
    expect((await service.call('GET', PARCELS, { headers: { Cookie: `access_token=${token}` } })).status).toBe(401);
  });
});

describe("somebody else's item", () => {
  it('is not there, whatever is done with it and whatever header fields are sent', async () => {
    const service = await startAsking();
    const { json: item } = await service.call('POST', PARCELS, { headers: ada, body: { label: 'Only for Ada' } });
    const path = `${PARCELS}/${item.key}`;
    for (const more of [
      {},
      { 'If-Match': '*' },
      { 'If-Match': '"1"' },
      { 'If-None-Match': '*' },
      { 'If-None-Match': '"1"' },
    ])
      for (const [method, body] of [
        ['GET', undefined],
        ['HEAD', undefined],
        ['PUT', { ...item, label: 'mine' }],
        ['PATCH', { label: 'mine' }],
        ['DELETE', undefined],
      ] as const) {
        const answer = await service.call(method, path, { headers: { ...bob, ...more }, body });
        expect([method, more, answer.status]).toEqual([method, more, 404]);
      }
    expect((await service.call('GET', path, { headers: ada })).json).toEqual(item);
    const page = await service.call('GET', `${PARCELS}?after=${item.key}`, { headers: bob });
    expect(page.json).toEqual([]);
  });

  it('does not share its Idempotency-Key, nor is the first item one of several', async () => {
    const service = await startAsking();
    const post = (headers: Record<string, string>, label: string) =>
      service.call('POST', PARCELS, { headers: { ...headers, 'Idempotency-Key': '"same"' }, body: { label } });
    const [mine, theirs, again] = [await post(ada, 'a'), await post(bob, 'b'), await post(ada, 'a')];
    expect([mine.status, theirs.status, again.status]).toEqual([201, 201, 201]);
    expect(again.json).toEqual(mine.json);
    expect(theirs.json.key).not.toBe(mine.json.key);
    const [first] = (await service.call('GET', PARCELS, { headers: ada })).json;
    expect((await service.call('DELETE', `${PARCELS}/${first.key}`, { headers: ada })).status).toBe(204);
    const kept = await service.call('GET', `${PARCELS}/${first.key}`, { headers: bob });
    expect(kept).toMatchObject({ status: 200, headers: { etag: '"1"' } });
  });

  it('stays in the table, with the items of everybody, when sign-in is switched on and off', async () => {
    const table = await (await tables).create();
    const everybody = startService(undefined, { table });
    const { json: shared } = await everybody.call('POST', PARCELS, { body: { label: 'for everybody' } });
    const asking = await startAsking(undefined, { table });
    await asking.call('POST', PARCELS, { headers: ada, body: { label: 'Only for Ada' } });
    expect((await asking.call('GET', `${PARCELS}/${shared.key}`, { headers: ada })).status).toBe(404);
    const labels = (await startService(undefined, { table }).call('GET', PARCELS)).json.map(
      ({ label }: { label: string }) => label,
    );
    expect(labels).toEqual(['first', 'for everybody']);
    expect((await (await startAsking(undefined, { table })).call('GET', PARCELS, { headers: ada })).json).toHaveLength(
      2,
    );
  });
});

describe('the order of checks', () => {
  it('puts 401 behind the 403 of a write from another origin, and before all else', async () => {
    const service = await startAsking();
    const elsewhere = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example.com' };
    expect((await service.call('POST', PARCELS, { headers: elsewhere, body: {} })).status).toBe(403);
    for (const [method, path, headers, body] of [
      ['GET', `${PARCELS}?limit=0`, {}, undefined],
      ['GET', `${PARCELS}/1`, { 'If-Match': '1' }, undefined],
      ['POST', PARCELS, { 'Idempotency-Key': '' }, undefined],
      ['POST', PARCELS, { 'Content-Type': 'text/plain' }, 'x'.repeat(1_048_577)],
      ['PUT', `${PARCELS}/1`, {}, {}],
      ['HEAD', PARCELS, {}, undefined],
    ] as const) {
      const answer = await service.call(method, path, { headers: headers as Record<string, string>, body });
      expect([method, path, answer.status]).toEqual([method, path, 401]);
      if (method === 'HEAD') expect(answer.text).toBe('');
    }
  });
});

describe('a page of CORS_ORIGINS', () => {
  it('can read why a token was rejected, under both names that gateways give the field', async () => {
    const service = await startAsking(undefined, { corsOrigins: [ORIGIN] });
    const { status, headers } = await service.call('GET', PARCELS, { headers: { Origin: ORIGIN } });
    expect([status, headers['access-control-allow-origin']]).toEqual([401, ORIGIN]);
    expect(headers['access-control-expose-headers']).toBe(
      'Allow, ETag, Link, Location, Retry-After, WWW-Authenticate, x-amzn-Remapped-WWW-Authenticate',
    );
  });
});

describe('the log', () => {
  it('has nothing of a token, a subject or a claim, whatever becomes of the request', async () => {
    const lines = captureLog();
    const secret = 'a-subject-that-nobody-may-see';
    const service = await startAsking(undefined, { logLevel: 'debug' });
    const tokens = [
      await provider.sign({ sub: secret }),
      await provider.sign({ sub: secret, aud: secret }),
      await provider.sign({ sub: secret, iss: secret, exp: 1 }),
      `${await provider.sign({ sub: secret })}x`,
    ];
    for (const token of tokens)
      for (const method of ['GET', 'POST', 'PATCH'])
        await service.call(method, method === 'PATCH' ? `${PARCELS}/${secret.length}` : PARCELS, {
          headers: { Authorization: `Bearer ${token}` },
          body: { label: 'x' },
        });
    jest.restoreAllMocks();
    expect(lines.filter(({ message }) => message === 'request')).toHaveLength(12);
    const text = JSON.stringify(lines);
    for (const hidden of [secret, provider.issuer, ...tokens.flatMap((token) => token.split('.'))])
      expect(text).not.toContain(hidden);
  });
});
