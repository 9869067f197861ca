import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { LARGEST_RESULT } from '../../shared/gateway/gateway.js';
import { openLog } from '../../shared/log/log.js';
import { createAuthenticator } from '../../shared/openid/authenticator.js';
import { gateways, typicalGateways } from '../support/gateways/gateways.js';
import { AUDIENCE, startProvider } from '../support/openid/provider.js';
import { PARCELS } from '../support/service/parcels.js';
import { makeHandler, type Result, startService } from '../support/service/service.js';
import { anyCall, anyEvent, anyTokenLike } from './inputs.js';

const RUNS = Number(process.env.FUZZ_RUNS ?? 50);
const SEED = Number(process.env.NIGHTLY_SEED ?? 5);

jest.setTimeout(120_000 + 400 * RUNS);

function check<Input>(numRuns: number, inputs: fc.Arbitrary<Input>, attempt: (input: Input) => Promise<void>) {
  return fc.assert(fc.asyncProperty(inputs, attempt), { seed: SEED, numRuns });
}

describe('whatever comes in, the service', () => {
  it('answers any event with a valid result, and changes nothing unless that is a success', async () => {
    const handle = makeHandler({ corsOrigins: ['*'] });
    const list = async (): Promise<unknown[]> =>
      JSON.parse(((await handle({ httpMethod: 'GET', path: PARCELS })) as Result).body);
    await check(3 * RUNS, anyEvent, async (event) => {
      const before = await list();
      const result = await handle(event);
      expect(faultsOf(result)).toEqual([]);
      const after = await list();
      const { statusCode } = result as Result;
      if (statusCode === 201) expect(after.length).toBe(before.length + 1);
      else if (statusCode !== 204) expect(after).toEqual(before);
    });
  });

  it('answers any method, path, query and header fields as its document says', async () => {
    const corsOrigins = ['https://app.example.com'];
    const services = gateways.map((gateway) => ({ gateway, service: startService(gateway, { corsOrigins }) }));
    const inputs = fc.tuple(fc.constantFrom(...services), anyCall);
    await check(3 * RUNS, inputs, async ([{ gateway, service }, { method, path, headers = {} }]) => {
      const sent = gateway.name.includes('offline') ? path.replace(/%/g, '%25') : path;
      const { status } = await service.call(method, sent, { headers, body: { label: 'x' } });
      if (status >= 500) expect(status).toBe(507);
    });
  });

  it('returns 401 to any text instead of a token', async () => {
    const provider = await startProvider();
    const authenticate = createAuthenticator({ issuer: provider.issuer, audience: AUDIENCE }, openLog('silent'));
    const service = startService(undefined, { authenticate });
    const token = await provider.sign();
    /** The last character of a part has bits that mean nothing. */
    const bytesOf = (text: string) => text.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'));
    const inputs = fc.tuple(anyTokenLike(token), fc.constantFrom('Bearer ', 'bearer  ', ''));
    await check(40 * RUNS, inputs, async ([changed, scheme]) => {
      if (bytesOf(changed).join('.') === bytesOf(token).join('.')) return;
      const { status } = await service.call('GET', PARCELS, { headers: { Authorization: scheme + changed } });
      expect(status).toBe(401);
    });
    await provider.stop();
  });
});

describe.each(typicalGateways)('behind $name, a client that means harm', (gateway) => {
  it('changes no answer by header fields that name hosts, paths or methods', async () => {
    const service = startService(gateway);
    const headers = {
      ...{ Host: 'evil.example.net', Forwarded: 'host=evil.example.net;proto=http', 'X-Forwarded-Prefix': '/evil' },
      ...{ 'X-Forwarded-Host': 'evil.example.net', 'X-Original-URL': PARCELS, 'X-HTTP-Method-Override': 'DELETE' },
    };
    for (const path of ['/', PARCELS, '/none'])
      expect(await service.call('GET', path, { headers })).toEqual(await service.call('GET', path));
    const created = await service.call('POST', PARCELS, { headers, body: { label: 'x' } });
    expect(created.headers.location).toBe(`${gateway.prefix}${PARCELS}/${created.json.key}`);
  });

  it('gets nothing that it sends into a header field, and adds no field', async () => {
    const splitting = 'x\r\nSet-Cookie: evil=1\r\n\r\n<script>';
    const handle = makeHandler({ corsOrigins: ['*'] });
    const fields = ['Accept', 'Accept-Encoding', 'Origin', 'If-Match', 'If-None-Match', 'Content-Type', 'Host'];
    const headers = Object.fromEntries(fields.map((name) => [name, splitting]));
    for (const method of ['GET', 'POST', 'PUT', 'OPTIONS', splitting])
      for (const path of ['/', PARCELS, `${PARCELS}/${encodeURIComponent(splitting)}`]) {
        const result = (await handle(gateway.event({ method, path, headers, body: '{"label":"x"}' }))) as Result;
        expect(faultsOf(result)).toEqual([]);
        expect(Object.values(result.headers).join()).not.toMatch(/evil|Cookie/);
      }
  });
});

it('no body pollutes a prototype, and no inherited member is taken for an item, a route or a method', async () => {
  const service = startService();
  const body =
    '{"label":"x","__proto__":{"fragile":true,"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1}';
  const headers = { ['__proto__']: 'polluted', constructor: 'polluted' };
  const { json } = await service.call('POST', PARCELS, { headers, body });
  const path = `${PARCELS}/${json.key}`;
  expect((await service.call('PATCH', path, { headers, body })).status).toBe(204);
  const plain = await service.call('POST', PARCELS, { body: { label: 'x' } });
  expect((await service.call('GET', path)).json).toEqual({ ...plain.json, key: json.key });
  expect(Object.keys(Object.prototype)).toEqual([]);
  for (const name of ['__proto__', 'constructor', 'toString'])
    for (const [method, to] of [
      ['GET', `${PARCELS}/${name}`],
      ['GET', `/${name}`],
      [name, PARCELS],
    ] as const)
      expect((await service.call(method, to)).status).toBe(404);
});

/** Lists what is wrong with a result, whatever was sent: no request may cause a server error. */
function faultsOf(result: unknown): string[] {
  const { statusCode, headers, body, isBase64Encoded } = result as Result;
  // A field is printable ASCII (RFC 9110, section 5.5), so that nothing can be smuggled into it.
  const fields = Object.entries(headers).filter(([name, value]) => !/^[\w-]+: [\x20-\x7e]*$/.test(`${name}: ${value}`));
  return [
    ...(statusCode >= 200 && (statusCode < 500 || statusCode === 507) ? [] : [`${statusCode} ${body}`]),
    ...(typeof body === 'string' && typeof isBase64Encoded === 'boolean' ? [] : ['a body that is no text']),
    ...fields.map(([name, value]) => `the field ${name}: ${value}`),
    ...('X-Content-Type-Options' in headers ? [] : ['no X-Content-Type-Options']),
    ...(Buffer.byteLength(JSON.stringify(result)) > LARGEST_RESULT ? ['it is too large'] : []),
  ];
}
