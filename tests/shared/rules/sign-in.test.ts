import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Authenticate } from '../../../shared/http/message.js';
import { openLog } from '../../../shared/log/log.js';
import { createAuthenticator } from '../../../shared/openid/authenticator.js';
import { openMemory } from '../../../shared/store/memory.js';
import type { OpenStore } from '../../../shared/store/store.js';
import { uptime } from '../../../shared/time/uptime.js';
import { startTables } from '../../support/dynamodb/tables.js';
import { gateways, typicalGateways } from '../../support/gateways/gateways.js';
import { AUDIENCE, type Provider, startProvider } from '../../support/openid/provider.js';
import { expectStatus } from '../../support/service/answer.js';
import { captureLog } from '../../support/service/log.js';
import { PARCELS } from '../../support/service/parcels.js';
import { type Service, type ServiceOptions, startService } from '../../support/service/service.js';

const ORIGIN = 'https://app.example.com';

const tables = startTables();

type Headers = Record<string, string>;

let provider: Provider;
let ada: Headers;
let bob: Headers;
let asking: Service;

beforeAll(async () => {
  provider = await startProvider();
  ada = { Authorization: `Bearer ${await provider.sign({ sub: 'ada' })}` };
  bob = { Authorization: `Bearer ${await provider.sign({ sub: 'bob' })}` };
  asking = await startAsking(undefined, { corsOrigins: [ORIGIN] });
});

afterAll(async () => {
  await provider.stop();
  await (await tables).stop();
});

/** Starts a service that asks for tokens, with a table of its own unless the options name one. */
async function startAsking(gateway = gateways[0], options: ServiceOptions = {}): Promise<Service> {
  const log = openLog(options.logLevel ?? 'silent');
  const authenticate = createAuthenticator({ issuer: provider.issuer, audience: AUDIENCE }, log).authenticate;
  return startService(gateway, { table: await (await tables).create(), authenticate, ...options });
}

async function create(service: Service, headers: Headers, label = 'Only for Ada') {
  return (await expectStatus(201, service.call('POST', PARCELS, { headers, body: { label } }))).json;
}

async function labels(service: Service, headers: Headers): Promise<string[]> {
  const { json } = await expectStatus(200, service.call('GET', PARCELS, { headers }));
  return json.map(({ label }: { label: string }) => label);
}

describe.each(typicalGateways)('where callers sign in, behind $name (rules 32 and 35)', (gateway) => {
  it('each person has a list of their own, and no operation, spelling or other place for a token leads past that', async () => {
    const service = await startAsking(gateway);
    await create(service, ada);
    expect(await labels(service, ada)).toEqual(['first', 'Only for Ada']);
    expect(await labels(service, bob)).toEqual(['first']);
    for (const method of ['GET', 'HEAD', 'POST']) await expectStatus(401, service.call(method, PARCELS));
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])
      await expectStatus(401, service.call(method, `${PARCELS}/1`));
    const token = `access_token=${ada.Authorization?.slice(7)}`;
    for (const path of ['/API/parcel', '/api/parcel/', '/%61pi/parcel', `${PARCELS}?${token}`, `${PARCELS}?limit=1`])
      await expectStatus(401, service.call('GET', path));
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    await expectStatus(401, service.call('POST', PARCELS, { headers: form, body: token }));
    await expectStatus(401, service.call('GET', PARCELS, { headers: { Cookie: token } }));
  });
});

it('a list may be kept for one token alone, and its entity tag tells two people apart whose first items have the same key and version', async () => {
  const service = await startAsking(undefined, { corsOrigins: [ORIGIN] });
  const [{ key }] = (await service.call('GET', PARCELS, { headers: ada })).json;
  const tags: string[] = [];
  for (const [person, label] of [[ada, "Ada's"] as const, [bob, "Bob's"] as const]) {
    await expectStatus(204, service.call('PATCH', `${PARCELS}/${key}`, { headers: person, body: { label } }));
    const { headers } = await expectStatus(200, service.call('GET', PARCELS, { headers: person }));
    const { etag = '' } = headers;
    const known = service.call('GET', PARCELS, { headers: { ...person, 'If-None-Match': etag } });
    const kept = { 'cache-control': 'private, no-cache', vary: 'Accept, Authorization, Origin' };
    for (const kind of [headers, (await expectStatus(304, known)).headers]) expect(kind).toMatchObject(kept);
    const item = await expectStatus(200, service.call('GET', `${PARCELS}/${key}`, { headers: person }));
    expect(item.headers).toMatchObject({ 'cache-control': 'no-store', etag: '"2"', vary: kept.vary });
    tags.push(etag);
  }
  expect(tags[0]).not.toBe(tags[1]);
  const foreign = { ...bob, 'If-None-Match': tags[0] as string };
  await expectStatus(200, service.call('GET', PARCELS, { headers: foreign }));
});

it('where all share a list, it varies by token, too, and a response without another Vary as well', async () => {
  const policy = { issuer: provider.issuer, audience: AUDIENCE, listBy: 'all' };
  const { authenticate } = createAuthenticator(policy, openLog('silent'));
  const service = startService(undefined, { authenticate });
  const { headers, json } = await expectStatus(200, service.call('GET', PARCELS, { headers: ada }));
  expect(headers.vary).toBe('Accept, Authorization');
  const removed = service.call('DELETE', `${PARCELS}/${json[0].key}`, { headers: bob });
  expect((await expectStatus(204, removed)).headers.vary).toBe('Authorization');
});

it('what fails varies by token, too', async () => {
  const openStore: OpenStore = () => () => {
    throw new Error('a fault of the store');
  };
  const policy = { issuer: provider.issuer, audience: AUDIENCE };
  const { authenticate } = createAuthenticator(policy, openLog('silent'));
  const service = startService(undefined, { authenticate, openStore });
  const failed = await expectStatus(500, service.call('GET', PARCELS, { headers: ada }));
  expect(failed.headers.vary).toBe('Authorization');
});

it('Authorization holds one bearer token of at most 8,192 characters, and 401 says what is wrong with it (rule 33)', async () => {
  const ask = async (status: number, Authorization: string) => {
    const { headers, json } = await expectStatus(status, asking.call('GET', PARCELS, { headers: { Authorization } }));
    return [headers['www-authenticate'], json.detail];
  };
  for (const scheme of ['bearer', 'BEARER  ']) await ask(200, ada.Authorization?.replace('Bearer', scheme) ?? '');
  const needed = `A token of ${provider.issuer} is needed.`;
  const advice = `${needed} Send it as Authorization: Bearer TOKEN.`;
  for (const none of ['', 'abc', 'Basic YTpi', 'Bearers abc', 'Bearer\u00a0abc', 'Basic YTpi, Bearer abc'])
    expect([none, ...(await ask(401, none))]).toEqual([none, 'Bearer realm="items"', advice]);

  const challenge = (reason: string) => [
    `Bearer realm="items", error="invalid_token", error_description="${reason}"`,
    `${reason} ${needed} Send a new one.`,
  ];
  const wrong = ['', ' ', ',', ' a=b', ' "abc"', ' abc ', ' é', ' abc, Bearer abc', ' abc,Bearer abc', ' abc def'];
  for (const rest of wrong)
    expect(await ask(401, `Bearer${rest}`)).toEqual(challenge('Authorization does not have exactly one bearer token.'));
  for (const token of ['abc.DEF-_.~+/09==', 'a'.repeat(8_192)])
    expect(await ask(401, `Bearer ${token}`)).toEqual(challenge('The token is not a signed JSON Web Token.'));
  const longer = await ask(401, `Bearer ${'a'.repeat(8_193)}`);
  expect(longer).toEqual(challenge('The token is longer than 8192 characters.'));
});

describe("somebody else's item (rule 35)", () => {
  it('is not there, whatever is done with it and whatever header fields are sent', async () => {
    const service = await startAsking();
    const item = await create(service, ada);
    const path = `${PARCELS}/${item.key}`;
    const conditions = [{}, { 'If-Match': '*' }, { 'If-Match': '"1"' }, { 'If-None-Match': '*' }];
    for (const condition of [...conditions, { 'If-None-Match': '"1"' }])
      for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
        const body = method.startsWith('P') ? { ...item, label: 'mine' } : undefined;
        await expectStatus(404, service.call(method, path, { headers: { ...bob, ...condition }, body }));
      }
    expect((await service.call('GET', path, { headers: ada })).json).toEqual(item);
    expect((await service.call('GET', `${PARCELS}?after=${item.key}`, { headers: bob })).json).toEqual([]);
  });

  it('stays in the table, with the items of everybody, when sign-in is switched on and off', async () => {
    const table = await (await tables).create();
    const shared = await create(startService(undefined, { table }), {}, 'for everybody');
    const asking = await startAsking(undefined, { table });
    await create(asking, ada);
    await expectStatus(404, asking.call('GET', `${PARCELS}/${shared.key}`, { headers: ada }));
    expect(await labels(startService(undefined, { table }), {})).toEqual(['first', 'for everybody']);
    expect(await labels(await startAsking(undefined, { table }), ada)).toEqual(['first', 'Only for Ada']);
  });
});

it('a page of CORS_ORIGINS can read why a token was rejected, under both names that gateways give the field', async () => {
  const { headers } = await expectStatus(401, asking.call('GET', PARCELS, { headers: { Origin: ORIGIN } }));
  const exposed = 'Allow, ETag, Link, Location, Retry-After, WWW-Authenticate, x-amzn-Remapped-WWW-Authenticate';
  expect(headers).toMatchObject({ 'access-control-allow-origin': ORIGIN, 'access-control-expose-headers': exposed });
});

it('every answer of an operation that asks for a token varies by it, whatever the check that the request fails', async () => {
  const path = `${PARCELS}/1`;
  const body = { label: 'x' };
  const reader = { ...ada, 'Sec-Fetch-Site': 'cross-site' };
  const answers = await Promise.all([
    expectStatus(401, asking.call('GET', PARCELS)),
    expectStatus(401, asking.call('GET', PARCELS, { headers: { Authorization: 'Bearer x' } })),
    expectStatus(403, asking.call('POST', PARCELS, { headers: reader, body })),
    expectStatus(400, asking.call('GET', `${PARCELS}?limit=0`, { headers: ada })),
    expectStatus(400, asking.call('GET', path, { headers: { ...ada, 'If-Match': '1' } })),
    expectStatus(400, asking.call('POST', PARCELS, { headers: { ...ada, 'Idempotency-Key': '' }, body })),
    expectStatus(400, asking.call('POST', PARCELS, { headers: ada })),
    expectStatus(404, asking.call('DELETE', path, { headers: ada })),
  ]);
  for (const { headers } of answers) expect(headers.vary).toBe('Authorization, Origin');
  const open = await asking.call('GET', '/nowhere');
  expect(open.headers.vary).toBe('Origin');
});

it('the log says of a refused token which check failed, and of each other problem its code', async () => {
  const details: string[] = [];
  const lines = captureLog();
  const service = await startAsking(undefined, { logLevel: 'info' });
  const expired = await provider.sign({ exp: 1 });
  for (const headers of [{}, { Authorization: `Bearer ${expired}` }, { Authorization: 'Bearer é' }, ada])
    for (const path of [PARCELS, `${PARCELS}/1`])
      details.push((await service.call('GET', path, { headers })).json.detail);
  jest.restoreAllMocks();
  const told = lines.map(({ status, code, refusal }) => [status, code, refusal]);
  const noToken = [401, 'no-token', undefined];
  const refused = [401, 'invalid-token', expect.any(String)];
  const both = [noToken, noToken, refused, refused, refused, refused];
  expect(told).toEqual([...both, [200, undefined, undefined], [404, 'not-found', undefined]]);
  // The caller is told the same.
  for (const [index, [, , refusal = '']] of told.entries()) expect(details[index] ?? '').toContain(refusal);
});

it('each token that cannot be verified now has a line with ERROR, which says why, and fetching keys has only warnings', async () => {
  const lines = captureLog();
  const absent = await startProvider();
  await absent.stop();
  const { authenticate } = createAuthenticator({ issuer: absent.issuer, audience: AUDIENCE }, openLog('error'));
  const service = startService(gateways[0], { authenticate, logLevel: 'error' });
  const { json } = await expectStatus(503, service.call('GET', PARCELS, { headers: ada }));
  jest.restoreAllMocks();
  const error = { message: 'the keys cannot be fetched', cause: { message: expect.stringContaining('ECONNREFUSED') } };
  expect(lines).toMatchObject([
    { level: 'ERROR', message: 'a token cannot be verified', requestId: json.requestId, route: PARCELS, error },
  ]);
});

it('the log has nothing of a token, a subject or a claim, whatever becomes of the request', async () => {
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
    for (const method of ['GET', 'POST'])
      await service.call(method, PARCELS, { headers: { Authorization: `Bearer ${token}` }, body: { label: 'x' } });
  jest.restoreAllMocks();
  expect(lines.filter(({ message }) => message === 'request')).toHaveLength(8);
  const text = JSON.stringify(lines);
  for (const hidden of [secret, provider.issuer, ...tokens.flatMap((token) => token.split('.'))])
    expect(text).not.toContain(hidden);
});

it('time that a request waits for the keys is time that it does not have for the store', async () => {
  const times: number[] = [];
  const authenticate: Authenticate = async () => {
    times.push(uptime());
    await new Promise((resolve) => setTimeout(resolve, 2));
    return { caller: { subject: 'ada', claims: {}, pseudonym: 'a' }, owner: 'ada' };
  };
  const openStore: OpenStore = (resource) => (context) => {
    times.push(context.since as number);
    return openMemory(resource, 1_000)(context);
  };
  const started = uptime();
  await expectStatus(200, startService(undefined, { authenticate, openStore }).call('GET', PARCELS));
  const [asked, since] = times;
  expect(since).toBeGreaterThanOrEqual(started);
  expect(since).toBeLessThanOrEqual(asked as number);
});
