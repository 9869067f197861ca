import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { gateways } from '../support/gateways/gateways.js';
import { createProgress } from '../support/progress.js';
import { faultsOf } from '../support/service/answer.js';
import { NOTES } from '../support/service/notes.js';
import { anItem, COLLECTION } from '../support/service/resource.js';
import { addNotes, loadHandler, type Service, startService } from '../support/service/service.js';
import { anyBody, anyGateway, anyMethod, anyOf, anyPath, anyValue, change } from './inputs.js';

const RUNS = Number(process.env.FUZZ_RUNS ?? 100);
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

jest.setTimeout(120_000 + 100 * RUNS);

type Handler = ReturnType<typeof loadHandler>;

async function check(property: fc.IAsyncPropertyWithHooks<unknown>): Promise<void> {
  const say = createProgress(RUNS, 'tries');
  let tries = 0;
  property.beforeEach(() => {
    tries += 1;
    say(tries);
  });
  await fc.assert(property as fc.IAsyncProperty<[unknown]>, { seed: SEED, numRuns: RUNS });
}

/** For every event: the result is valid, only successful requests have changed anything, and the list is still there. */
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
  const { body } = (await handle({ httpMethod: 'GET', path: COLLECTION })) as { body: string };
  return JSON.parse(body);
}

/** The same through a gateway: every answer as the document promises, too. */
async function answers(service: Service, method: string, path: string, request: Parameters<Service['call']>[2] = {}) {
  const answer = await service.call(method, path, request);
  if (answer.status >= 500) expect(answer.status).toBe(507);
  return answer;
}

describe(`whatever comes in (FUZZ_SEED=${SEED}), the service`, () => {
  it('answers events with members missing, added or of the wrong type, at any place', async () => {
    const handle = loadHandler({ CORS_ORIGINS: '*' });
    const changes = fc.array(fc.tuple(fc.nat(), fc.oneof(fc.constant(undefined), anyValue)), {
      minLength: 1,
      maxLength: 4,
    });
    const sent = fc.record({
      method: anyMethod,
      path: fc.constantFrom(COLLECTION, `${COLLECTION}/1`, '/', '/swagger/ui'),
    });
    await check(
      fc.asyncProperty(anyGateway, sent, changes, async (gateway, request, changed) => {
        const headers = { 'Content-Type': 'application/json' };
        const event = structuredClone(
          gateway.event({ ...request, headers, body: JSON.stringify(anItem('x')) }),
        ) as object;
        for (const [place, value] of changed) change(event, place, value);
        await survives(handle, event);
      }),
    );
  });

  it('answers values that are not events', async () => {
    const handle = loadHandler();
    const member = anyOf('httpMethod path rawPath requestContext headers body Records source');
    await check(
      fc.asyncProperty(fc.oneof(fc.anything(), fc.dictionary(member, anyValue)), (event) => survives(handle, event)),
    );
  });

  it('answers any method on any path', async () => {
    const services = gateways.map((gateway) => startService(gateway));
    await check(
      fc.asyncProperty(fc.nat(gateways.length - 1), anyMethod, anyPath, async (place, method, path) => {
        const service = services[place] as Service;
        const encoded = gateways[place]?.name.includes('offline') ? path.replace(/%/g, '%25') : path;
        await answers(service, method, encoded);
      }),
    );
  });

  it('answers any header fields', async () => {
    const service = startService(undefined, { CORS_ORIGINS: 'https://app.example.com' });
    const name = anyOf('Accept Accept-Encoding If-Match If-None-Match Content-Type Origin Host __proto__');
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('"', 'W/', ',', ';', '*', '/', 'q=', '1', ' ', 'json', '+') }),
      fc.constantFrom(
        '"'.repeat(99_999),
        'W/"'.repeat(3e4),
        ','.repeat(1e5),
        `a/${'+json'.repeat(2e4)}x`,
        ' '.repeat(1e5),
      ),
    );
    const headers = fc.dictionary(name, value);
    const calls = fc.constantFrom(
      `GET ${COLLECTION}`,
      `POST ${COLLECTION}`,
      `DELETE ${COLLECTION}/1`,
      'GET /swagger/ui',
      'OPTIONS /',
    );
    await check(
      fc.asyncProperty(calls, headers, async (call, fields) => {
        const [method, path] = call.split(' ') as [string, string];
        await answers(service, method, path, { headers: fields, body: JSON.stringify(anItem('x')) });
      }),
    );
  });

  it('answers any query', async () => {
    const service = startService();
    const name = fc.oneof(fc.constantFrom('limit', 'after', 'Limit', '__proto__', 'constructor', ''), fc.string());
    const value = fc.oneof(
      fc.constantFrom('1', '0', '-1', '1e3', '1001', '01', ' 1', '٣', 'NaN', '9'.repeat(1e5), 'A'.repeat(1e5), '%00'),
      fc.string({ unit: 'binary' }),
    );
    await check(
      fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 4 }), async (parameters) => {
        const query = new URLSearchParams(parameters);
        await answers(service, 'GET', `${COLLECTION}?${query}`);
      }),
    );
  });

  it('takes a body for just what JSON.parse takes it for', async () => {
    addNotes();
    const services = gateways.map((gateway) => startService(gateway));
    const headers = { 'Content-Type': 'application/json' };
    await check(
      fc.asyncProperty(fc.nat(gateways.length - 1), anyBody, async (place, body) => {
        const service = services[place] as Service;
        const answer = await answers(service, 'POST', NOTES, { headers, body });
        const isLarge = Buffer.byteLength(body) > 2 ** 20;
        expect(answer.status).toBe(isLarge ? 413 : isNote(body) ? 201 : 400);
        if (answer.status === 201) await service.call('DELETE', `${NOTES}/${answer.json.key}`);
        expect((await service.call('GET', NOTES)).json).toHaveLength(1);
      }),
    );
  });

  it('answers any bytes in base64, and malformed base64', async () => {
    const handle = loadHandler();
    const encoded = fc.oneof(
      fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64')),
      fc.string(),
      fc.constantFrom('=', '==', '====', 'e30', 'e30=', 'e30 ', 'e\n30=', '-_-_', '77u/77u/e30='),
    );
    await check(
      fc.asyncProperty(encoded, (body) =>
        survives(handle, { httpMethod: 'POST', path: COLLECTION, body, isBase64Encoded: true }),
      ),
    );
  });
});

function isNote(body: string): boolean {
  try {
    const value = JSON.parse(
      Buffer.from(body)
        .toString()
        .replace(/^\ufeff/, ''),
    );
    return typeof value.text === 'string' && value.text !== '' && [undefined, true, false].includes(value.isPinned);
  } catch {
    return false;
  }
}
