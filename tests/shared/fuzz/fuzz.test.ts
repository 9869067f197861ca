import { afterEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { gateways, typicalGateways } from '../../support/gateways/gateways.js';
import { faultsOf } from '../../support/service/answer.js';
import { captureOutput } from '../../support/service/log.js';
import { PARCELS } from '../../support/service/parcels.js';
import { makeHandler, type Service, startService } from '../../support/service/service.js';
import {
  anyBase64,
  anyCall,
  anyGateway,
  anyMethod,
  anyOf,
  anyParcelBody,
  anyValue,
  type Call,
  change,
} from './inputs.js';

const RUNS = Number(process.env.FUZZ_RUNS ?? 50);
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

jest.setTimeout(120_000 + 100 * RUNS);

afterEach(() => {
  jest.restoreAllMocks();
});

type Handler = ReturnType<typeof makeHandler>;

/** Makes many inputs, and tries each. */
function check<Input>(inputs: fc.Arbitrary<Input>, attempt: (input: Input) => Promise<void>, numRuns = RUNS) {
  return fc.assert(fc.asyncProperty(inputs, attempt), { seed: SEED, numRuns });
}

/** Expects that the result of an event is valid, that only success has changed anything, and that the list is still there. */
async function survives(handle: Handler, event: unknown): Promise<void> {
  const before = await listOf(handle);
  const result = await handle(event);
  expect(faultsOf(result)).toEqual([]);
  const after = await listOf(handle);
  const { statusCode } = result as { statusCode: number };
  if (statusCode !== 204) expect(after.length - before.length).toBe(statusCode === 201 ? 1 : 0);
  if (![201, 204].includes(statusCode)) expect(after).toEqual(before);
}

async function listOf(handle: Handler): Promise<unknown[]> {
  const { body } = (await handle({ httpMethod: 'GET', path: PARCELS })) as { body: string };
  return JSON.parse(body);
}

/** Calls the service through a gateway, which also checks that the answer matches the document. */
async function answers(service: Service, method: string, path: string, request: Parameters<Service['call']>[2] = {}) {
  const answer = await service.call(method, path, request);
  if (answer.status >= 500) expect(answer.status).toBe(507);
  return answer;
}

describe(`whatever comes in (FUZZ_SEED=${SEED}), the service`, () => {
  it('answers events with members missing, added or of the wrong type, at any depth', async () => {
    const handle = makeHandler({ corsOrigins: ['*'] });
    const changed = fc.record({
      gateway: anyGateway,
      method: anyMethod,
      path: fc.constantFrom(PARCELS, `${PARCELS}/1`, '/'),
      changes: fc.array(fc.tuple(fc.nat(), fc.option(anyValue, { nil: undefined })), { minLength: 1, maxLength: 4 }),
    });
    await check(changed, async ({ gateway, changes, ...request }) => {
      const headers = { 'Content-Type': 'application/json' };
      const event = gateway.event({ ...request, headers, body: JSON.stringify({ label: 'x' }) });
      const copy = structuredClone(event) as object;
      for (const [position, value] of changes) change(copy, position, value);
      await survives(handle, copy);
    });
  });

  it('answers values that are not events', async () => {
    const handle = makeHandler();
    const member = anyOf('httpMethod path rawPath requestContext headers body Records source');
    const values = fc.oneof(fc.anything(), fc.dictionary(member, anyValue));
    await check(values, (event) => survives(handle, event));
  });

  it('answers any method, path, query and header fields', async () => {
    const corsOrigins = ['https://app.example.com'];
    const services = gateways.map((gateway) => ({ gateway, service: startService(gateway, { corsOrigins }) }));
    const attempt = async ([{ gateway, service }, { method, path, headers = {} }]: [(typeof services)[0], Call]) => {
      const sent = gateway.name.includes('offline') ? path.replace(/%/g, '%25') : path;
      await answers(service, method, sent, { headers, body: { label: 'x' } });
    };
    await check(fc.tuple(fc.constantFrom(...services), anyCall), attempt, 3 * RUNS);
  });

  it('parses a body as JSON.parse does', async () => {
    const services = gateways.map((gateway) => startService(gateway));
    const headers = { 'Content-Type': 'application/json' };
    await check(fc.tuple(fc.constantFrom(...services), anyParcelBody), async ([service, body]) => {
      const answer = await answers(service, 'POST', PARCELS, { headers, body });
      const isLarge = Buffer.byteLength(body) > 2 ** 20;
      expect(answer.status).toBe(isLarge ? 413 : isParcel(body) ? 201 : 400);
      if (answer.status === 201) await service.call('DELETE', `${PARCELS}/${answer.json.key}`);
      expect((await service.call('GET', PARCELS)).json).toHaveLength(1);
    });
  });

  it('answers any bytes in base64, and malformed base64', async () => {
    const handle = makeHandler();
    const event = { httpMethod: 'POST', path: PARCELS, isBase64Encoded: true };
    await check(anyBase64, (body) => survives(handle, { ...event, body }));
  });
});

function isParcel(body: string): boolean {
  try {
    const text = Buffer.from(body).toString();
    const value = JSON.parse(text.replace(/^\ufeff/, ''));
    return (
      typeof value.label === 'string' && /\S/.test(value.label) && [undefined, true, false].includes(value.fragile)
    );
  } catch {
    return false;
  }
}

describe.each(typicalGateways)('behind $name, a client that means harm', (gateway) => {
  it('changes no answer by header fields that name hosts, paths or methods', async () => {
    const service = startService(gateway);
    const headers = {
      Host: 'evil.example.net',
      Forwarded: 'host=evil.example.net;proto=http',
      'X-Forwarded-Host': 'evil.example.net',
      'X-Forwarded-Proto': 'javascript',
      'X-Forwarded-Prefix': '/evil',
      'X-Original-URL': PARCELS,
      'X-Rewrite-URL': PARCELS,
      'X-HTTP-Method-Override': 'DELETE',
    };
    for (const path of ['/', PARCELS, '/none']) {
      const { status, headers: fields, text } = await service.call('GET', path);
      expect(await service.call('GET', path, { headers })).toMatchObject({ status, headers: fields, text });
    }
    const created = await service.call('POST', PARCELS, { headers, body: { label: 'x' } });
    expect(created.headers.location).toBe(`${gateway.prefix}${PARCELS}/${created.json.key}`);
  });

  it('gets nothing that it sends into a header field, and adds no field', async () => {
    const splitting = 'x\r\nSet-Cookie: evil=1\r\n\r\n<script>';
    const handle = makeHandler({ corsOrigins: ['*'] });
    const fields = ['Accept', 'Accept-Encoding', 'Origin', 'If-Match', 'If-None-Match', 'Content-Type', 'Host'];
    const headers = Object.fromEntries(fields.map((name) => [name, splitting]));
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', splitting]) {
      for (const path of ['/', PARCELS, `${PARCELS}/${encodeURIComponent(splitting)}`]) {
        const result = await handle(gateway.event({ method, path, headers, body: JSON.stringify({ label: 'x' }) }));
        expect(faultsOf(result)).toEqual([]);
        expect(Object.values((result as { headers: object }).headers).join()).not.toMatch(/evil|Cookie/);
      }
    }
  });
});

it('the log has one line of JSON for each request, without its ids, members or header fields', async () => {
  let written = '';
  captureOutput((text) => {
    written += text;
  });
  const service = startService(undefined, { logLevel: 'debug' });
  const forged = '\u001b[2J\u009b31m","level":"ERROR"}\r\n{"level":"ERROR","message":"forged"}\u2028';
  const headers = { 'User-Agent': forged, Accept: forged, 'Content-Type': 'application/json', Referer: forged };
  await service.call('POST', PARCELS, { headers, body: { label: forged } });
  await service.call('GET', `${PARCELS}/${encodeURIComponent(forged)}`, { headers });
  await service.call('GET', `/${encodeURIComponent(forged)}`, { headers });
  await service.call('POST', PARCELS, { headers, body: forged });
  expect(written.match(/\n/g)).toHaveLength(4);
  expect(written).not.toMatch(/forged|\\u001b|\u009b|\u2028|\r/);
});

it.each([
  '{"label":"x","__proto__":{"fragile":true,"polluted":1}}',
  '{"label":"x","constructor":{"prototype":{"polluted":1}},"__PROTO__":{"polluted":1},"toString":1}',
])('no prototype is polluted by the body %s', async (body) => {
  const service = startService();
  const headers = { ['__proto__']: 'polluted', constructor: 'polluted' };
  const { json } = await service.call('POST', PARCELS, { headers, body });
  const plain = await service.call('POST', PARCELS, { body: { label: 'x' } });
  expect(json).toEqual({ ...plain.json, key: json.key });
  const path = `${PARCELS}/${json.key}`;
  expect((await service.call('PATCH', path, { headers, body })).status).toBe(204);
  expect((await service.call('GET', path)).json).toEqual(json);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

it.each(['__proto__', 'constructor', 'toString'])(
  'no inherited member is taken for an item, a route or a method: %s',
  async (name) => {
    const service = startService();
    const calls = [['GET', `${PARCELS}/${name}`] as const, ['GET', `/${name}`] as const, [name, PARCELS] as const];
    for (const [method, path] of calls) expect((await service.call(method, path)).status).toBe(404);
  },
);

// If the cost grew with the square of the size, these would take minutes.
it.each([
  ['whose names count', (index: number) => `"${index * 2 ** 16}":0`],
  ['that share their length and letters', (index: number) => `"lAbEl${' '.repeat(index % 3)}${index}":0`],
  ['that all are the same', () => '"LABEL":"x"'],
])('the cost of a request stays in proportion to its size with 50,000 members %s', async (_what, member) => {
  const members = Array.from({ length: 50_000 }, (_, index) => member(index));
  const answer = await startService().call('POST', PARCELS, { body: `{${members.join()},"label":"y"}` });
  expect(answer).toMatchObject({ status: 201, json: { label: 'y' } });
});
