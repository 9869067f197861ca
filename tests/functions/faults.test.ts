import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Fault } from '../support/dynamodb/faults.js';
import { type FaultyServer, startFaultyServer } from '../support/dynamodb/faulty-server.js';
import { startTables, type Tables } from '../support/dynamodb/tables.js';
import { GENEROUS, useTimeouts } from '../support/dynamodb/timeouts.js';
import { expectStatus } from '../support/service/expect-status.js';
import { captureLog } from '../support/service/log.js';
import { anItem, COLLECTION } from '../support/service/resource.js';
import { startService } from '../support/service/service.js';

let tables: Tables;
let server: FaultyServer;

beforeAll(async () => {
  tables = await startTables();
  server = await startFaultyServer(tables.endpoint);
});

afterEach(() => {
  jest.restoreAllMocks();
  server.misbehave();
});

afterAll(async () => {
  await server.stop();
  await tables.stop();
});

/** A service behind a server that misbehaves, and an item in its table. */
async function startWithItem(logLevel = 'silent', { endpoint } = server) {
  const environment = { ...(await tables.create()), AWS_ENDPOINT_URL_DYNAMODB: endpoint };
  const service = startService(undefined, { ...environment, LOG_LEVEL: logLevel });
  const created = await expectStatus(201, service.call('POST', COLLECTION, { body: anItem('a') }));
  const item: { key: string } = created.json;
  return { service, path: `${COLLECTION}/${item.key}`, key: item.key, item, environment };
}

const operations = (key: string): [string, string, object | undefined][] => [
  ['GET', COLLECTION, undefined],
  ['POST', COLLECTION, anItem('b')],
  ['GET', `${COLLECTION}/${key}`, undefined],
  ['PUT', `${COLLECTION}/${key}`, { key, ...anItem('b') }],
  ['PATCH', `${COLLECTION}/${key}`, anItem('b')],
  ['DELETE', `${COLLECTION}/${key}`, undefined],
];

const passing: Fault[] = [
  'throttle',
  'fail',
  'fail after',
  'cut before',
  'cut after',
  'cut within the reply',
  'talk nonsense',
  'answer null',
  'fail in HTML',
];

describe('the table', () => {
  it('is asked a few times for a page behind many items that were deleted, not once for each page of them', async () => {
    const { service } = await startWithItem();
    const create = async (name: string) =>
      (await expectStatus(201, service.call('POST', COLLECTION, { body: anItem(name) }))).json.key;
    const keys = await Promise.all(Array.from({ length: 60 }, (_, number) => create(`item ${number}`)));
    const last = await create('last');
    for (const key of keys) await expectStatus(204, service.call('DELETE', `${COLLECTION}/${key}`));
    const [first, second] = (await service.call('GET', COLLECTION)).json;
    server.misbehave();
    const page = await service.call('GET', `${COLLECTION}?limit=2&after=${second.key}`);
    expect(page.json.map(({ key }: { key: string }) => key)).toEqual([last]);
    expect(page.headers).not.toHaveProperty('link');
    // 3, 6, 12, 24 and 48 rows.
    expect(server.operations).toEqual(Array(5).fill('Query'));
    const whole = await service.call('GET', `${COLLECTION}?limit=2`);
    expect(whole.json).toEqual([first, second]);
    expect(whole.headers).toHaveProperty('link');
  });

  it('is asked once for what is read or created, and twice for what is changed', async () => {
    const { service, path, key } = await startWithItem();
    for (const name of ['b', 'c', 'd'])
      await expectStatus(201, service.call('POST', COLLECTION, { body: anItem(name) }));
    const asked = async (method: string, to: string, request = {}) => {
      server.misbehave();
      const { status } = await service.call(method, to, request);
      return [status, ...server.operations];
    };
    expect(await asked('GET', `${COLLECTION}?limit=2`)).toEqual([200, 'Query']);
    expect(await asked('GET', path)).toEqual([200, 'GetItem']);
    expect(await asked('POST', COLLECTION, { body: anItem('e') })).toEqual([201, 'PutItem']);
    expect(await asked('PUT', path, { body: { key, ...anItem('b') } })).toEqual([204, 'GetItem', 'PutItem']);
    expect(await asked('PATCH', path, { body: anItem('b') })).toEqual([204, 'GetItem', 'PutItem']);
    expect(await asked('PATCH', path, { headers: { 'If-Match': '"1"' }, body: {} })).toEqual([412, 'GetItem']);
    expect(await asked('DELETE', path)).toEqual([204, 'GetItem', 'PutItem']);
    expect(await asked('DELETE', path)).toEqual([404, 'GetItem']);
    expect(await asked('DELETE', `${COLLECTION}/no-guid`)).toEqual([404]);
  });

  it('is read consistently, so that it gives what was acknowledged last', async () => {
    const { service, path } = await startWithItem();
    server.misbehave();
    for (const read of [COLLECTION, path]) await service.call('GET', read);
    expect(server.inputs).toEqual(Array(2).fill(expect.objectContaining({ ConsistentRead: true })));
  });

  it('may delete the tombstone of an item after two hours, but keeps that of the first one', async () => {
    const { service, path } = await startWithItem();
    const [first] = (await service.call('GET', COLLECTION)).json;
    server.misbehave();
    for (const deleted of [path, `${COLLECTION}/${first.key}`])
      await expectStatus(204, service.call('DELETE', deleted));
    const [, { Item: tombstone }, , { Item: kept }] = server.inputs;
    const now = Date.now() / 1_000;
    expect(Number(tombstone.expires.N)).toBeGreaterThan(now + 7_100);
    expect(Number(tombstone.expires.N)).toBeLessThanOrEqual(now + 7_200);
    expect(kept).not.toHaveProperty('expires');
    expect([tombstone, kept].map(({ item }) => item)).toEqual([undefined, undefined]);
  });
});

describe('a fault of the table that lasts', () => {
  it.each<[Fault, string]>([
    ['deny', 'AccessDeniedException'],
    ['miss the table', 'ResourceNotFoundException'],
  ])('is answered 503 by every operation at once, and logged in full: %s', async (fault, error) => {
    const { service, key } = await startWithItem('error');
    const lines = captureLog();
    server.misbehaveForever(fault);
    for (const [method, path, body] of operations(key)) {
      const answer = await service.call(method, path, { body });
      expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
      expect(answer.json.detail).toMatch(/look before you send it again|nothing was changed/);
      expect(answer.text).not.toMatch(/Dynamo|Exception|aws|table/i);
      expect(lines.pop()).toMatchObject({
        level: 'ERROR',
        message: 'the collection is unavailable',
        requestId: answer.json.requestId,
        error: { cause: { message: expect.stringContaining(error), stack: expect.any(String) } },
      });
    }
    expect(server.operations).toHaveLength(6);
  });

  it('is answered 500 at once where it is a bug of the service', async () => {
    const { service, path } = await startWithItem();
    server.misbehaveForever('find the request invalid');
    expect((await service.call('GET', path)).status).toBe(500);
    expect(server.operations).toEqual(['GetItem']);
  });

  it('does not affect reads where only writes fail', async () => {
    const { service, path } = await startWithItem();
    server.misbehaveForever('deny', 'PutItem');
    expect((await service.call('GET', COLLECTION)).json).toHaveLength(2);
    expect((await service.call('GET', path)).status).toBe(200);
    const stale = { headers: { 'If-Match': '"7"' }, body: anItem('b') };
    expect((await service.call('PATCH', path, stale)).status).toBe(412);
    expect((await service.call('DELETE', path)).status).toBe(503);
  });
});

describe('a fault of the table that passes', () => {
  it.each(passing)('is not noticed by callers: %s', async (fault) => {
    const { service, path, key, item } = await startWithItem();
    server.misbehave(fault, fault);
    expect((await service.call('GET', path)).json).toEqual(item);
    for (const operation of ['GetItem', 'PutItem']) {
      server.misbehaveIn(operation, fault, fault);
      expect((await service.call('PATCH', path, { body: anItem('b') })).status).toBe(204);
      server.misbehaveIn(operation, fault);
      expect((await service.call('PUT', path, { body: { key, ...anItem('c') } })).status).toBe(204);
    }
    expect((await service.call('GET', path)).headers.etag).toBe('"5"');
    server.misbehave(fault);
    const created = await service.call('POST', COLLECTION, { body: anItem('d') });
    expect(created.status).toBe(201);
    server.misbehave(fault);
    expect((await service.call('GET', COLLECTION)).json.slice(1)).toEqual([{ ...item, ...anItem('c') }, created.json]);
    server.misbehaveIn('PutItem', fault);
    expect((await service.call('DELETE', path)).status).toBe(204);
  });

  it.each(passing)('is a line in the log each time, with the id of the request: %s', async (fault) => {
    const lines = captureLog();
    const { service, path } = await startWithItem('info');
    lines.length = 0;
    server.misbehave(fault, fault);
    await service.call('GET', path);
    const request = lines.pop();
    expect(request).toMatchObject({ message: 'request', requestId: expect.stringMatching(/./) });
    const line = {
      level: 'WARN',
      message: 'DynamoDB is called again',
      requestId: request?.requestId,
      operation: 'GetItem',
      error: expect.objectContaining({ message: expect.stringMatching(/./) }),
    };
    expect(lines).toEqual([expect.objectContaining(line), expect.objectContaining(line)]);
  });

  it('is not noticed by callers: a query gets an object that is not its output', async () => {
    const { service, item } = await startWithItem();
    server.misbehaveIn('Query', 'answer {}', 'answer {}');
    const { json } = await expectStatus(200, service.call('GET', COLLECTION));
    expect(json.slice(1)).toEqual([item]);
    expect(server.operations).toEqual(['Query', 'Query', 'Query']);
  });

  it('is logged with the status and the start of the reply, where that is not JSON', async () => {
    const lines = captureLog();
    const { service, path } = await startWithItem('warn');
    server.misbehave('fail in HTML');
    await expectStatus(200, service.call('GET', path));
    expect(lines).toMatchObject([
      { error: { message: expect.stringMatching(/^503 <html><h1>503 Service Unavailable/) } },
    ]);
  });

  it('is waited for when the table hangs', async () => {
    useTimeouts({ ...GENEROUS, attempt: 250 });
    const { service, path } = await startWithItem();
    server.misbehave('hang');
    await expectStatus(200, service.call('GET', path));
    useTimeouts(GENEROUS);
  });
});

describe('a fault of the table that lasts, whatever it is', () => {
  it.each<Fault>(['throttle', 'hang'])('is answered 503, and nothing is changed: %s', async (fault) => {
    const { path, key, item, environment } = await startWithItem();
    useTimeouts({ total: 1_000, attempt: 250 });
    const hurried = startService(undefined, environment);
    server.misbehaveForever(fault);
    const answers = operations(key).map(([method, to, body]) => hurried.call(method, to, { body }));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(6).fill(503));
    useTimeouts(GENEROUS);
    // The server goes on with its fault, for a busy one may not have seen all requests yet.
    const reader = startService(undefined, { ...environment, AWS_ENDPOINT_URL_DYNAMODB: tables.endpoint });
    expect((await expectStatus(200, reader.call('GET', path))).json).toEqual(item);
    expect((await expectStatus(200, reader.call('GET', COLLECTION))).json).toHaveLength(2);
  });
});
