import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { storedItem } from '../../shared/todo/item.js';
import { type Fault, type FaultyServer, startFaultyServer } from '../support/faults.js';
import { captureLog } from '../support/log.js';
import { type Service, startService } from '../support/service.js';
import { openTable, startTables, type TableEnvironment, type Tables } from '../support/tables.js';

let tables: Tables;
let server: FaultyServer;
let environment: TableEnvironment;

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

/** A service behind the server that misbehaves, and an item in its table. */
async function startWithItem(logLevel = 'silent'): Promise<{ service: Service; path: string; key: string }> {
  environment = { ...(await tables.create()), AWS_ENDPOINT_URL_DYNAMODB: server.endpoint };
  const service = startService(undefined, { ...environment, LOG_LEVEL: logLevel });
  const { key } = (await service.call('POST', '/api/todo', { body: { name: 'a' } })).json;
  return { service, path: `/api/todo/${key}`, key };
}

const operations = (key: string): [string, string, object | undefined][] => [
  ['GET', '/api/todo', undefined],
  ['POST', '/api/todo', { name: 'b' }],
  ['GET', `/api/todo/${key}`, undefined],
  ['PUT', `/api/todo/${key}`, { key, name: 'b' }],
  ['PATCH', `/api/todo/${key}`, { name: 'b' }],
  ['DELETE', `/api/todo/${key}`, undefined],
];

const lost: Fault[] = ['throttle', 'fail', 'cut before', 'cut after', 'cut within the reply', 'talk nonsense'];

describe('the table', () => {
  it('is asked once for an item, and once for a part of the list', async () => {
    const { service, path } = await startWithItem();
    for (const name of ['b', 'c', 'd']) await service.call('POST', '/api/todo', { body: { name } });
    await service.call('GET', '/api/todo');
    server.misbehave();
    await service.call('GET', path);
    expect((await service.call('GET', '/api/todo?limit=2')).headers).toHaveProperty('link');
    expect(server.operations).toEqual(['GetItem', 'Scan']);
  });
});

describe('a fault of the table that lasts', () => {
  it.each<[Fault, string]>([
    ['deny', 'AccessDeniedException'],
    ['miss the table', 'ResourceNotFoundException'],
  ])('is answered 503 by every operation at once, and logged whole: %s', async (fault, error) => {
    const { service, key } = await startWithItem('error');
    const lines = captureLog();
    server.misbehaveForever(fault);
    for (const [method, path, body] of operations(key)) {
      const answer = await service.call(method, path, { body });
      expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
      expect(answer.json.detail).toMatch(/Try again, but look first whether a change was made/);
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

  it('is answered 503 well before the function and the gateway give up, whatever it is', async () => {
    const { service, path, key } = await startWithItem();
    const before = performance.now();
    server.misbehaveForever('throttle');
    const answers = [service.call('GET', path), service.call('PATCH', path, { body: { name: 'b' } })];
    answers.push(service.call('PUT', path, { body: { key, name: 'c' } }), service.call('GET', '/api/todo'));
    await new Promise((resolve) => setTimeout(resolve, 500));
    server.misbehaveForever('hang');
    answers.push(service.call('DELETE', path), service.call('POST', '/api/todo', { body: { name: 'b' } }));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([503, 503, 503, 503, 503, 503]);
    expect(performance.now() - before).toBeLessThan(9_500);
    server.misbehave();
    expect((await service.call('GET', path)).json).toEqual({ key, name: 'a', isComplete: false });
    expect((await service.call('GET', '/api/todo')).json).toHaveLength(2);
  });

  it('is answered 500 where it is a bug of the service, at once', async () => {
    const { service, path } = await startWithItem();
    server.misbehaveForever('find the request invalid');
    expect((await service.call('GET', path)).status).toBe(500);
    expect(server.operations).toEqual(['GetItem']);
  });
});

describe('a fault of the table that passes', () => {
  it.each(lost)('is not seen by callers, and warned of in the log: %s', async (fault) => {
    const { service, path, key } = await startWithItem('warn');
    const lines = captureLog();
    server.misbehave(fault, fault);
    expect((await service.call('GET', path)).json.name).toBe('a');
    server.misbehave(fault, fault);
    expect((await service.call('PATCH', path, { body: { name: 'b' } })).status).toBe(204);
    server.misbehave(fault);
    expect((await service.call('PUT', path, { body: { key, name: 'c' } })).status).toBe(204);
    server.misbehave(fault);
    const created = await service.call('POST', '/api/todo', { body: { name: 'd' } });
    expect(created.status).toBe(201);
    server.misbehave(fault);
    expect((await service.call('GET', '/api/todo')).json).toEqual(
      expect.arrayContaining([created.json, { key, name: 'c', isComplete: false }]),
    );
    expect((await service.call('GET', '/api/todo')).json).toHaveLength(3);
    expect(lines).toHaveLength(7);
    const message = 'DynamoDB is asked again';
    expect(lines[0]).toMatchObject({
      level: 'WARN',
      message,
      operation: 'GetItem',
      error: { message: expect.any(String) },
    });
  });

  it('is waited for when the table hangs', async () => {
    const { service, path } = await startWithItem();
    server.misbehave('hang');
    expect((await service.call('GET', path)).status).toBe(200);
  });

  it.each(lost)('does not keep the first item from being created: %s', async (fault) => {
    const { service } = await startWithItem();
    server.misbehave(fault);
    expect((await service.call('GET', '/api/todo')).json).toHaveLength(2);
    const [fresh] = [startService(undefined, environment)];
    server.misbehave('deny');
    expect((await fresh.call('GET', '/api/todo')).status).toBe(503);
    expect((await fresh.call('GET', '/api/todo')).status).toBe(200);
  });
});

describe('a write whose reply is lost', () => {
  it('is not taken for done where the key has another item, or another version of the same', async () => {
    const { key } = await startWithItem();
    const store = openTable(environment);
    for (const [name, version] of [
      ['a', 2],
      ['b', 1],
    ] as const) {
      server.misbehave('cut before');
      const item = storedItem(key, { name, isComplete: false }, version);
      await expect(store.create(item)).rejects.toThrow('is taken');
    }
  });

  it('answers 204 once more where it can be done twice', async () => {
    const { service, path } = await startWithItem();
    server.misbehave('cut after');
    expect((await service.call('PATCH', path, { body: { isComplete: true } })).status).toBe(204);
    expect((await service.call('GET', path)).json.isComplete).toBe(true);
  });

  it('answers 404 where the item is gone, whoever it was that deleted it', async () => {
    const { service, path } = await startWithItem();
    server.misbehave('cut after');
    expect((await service.call('DELETE', path)).status).toBe(404);
  });

  it('answers 503 where the condition may have failed because of itself, and 412 where it can not have', async () => {
    const { service, path } = await startWithItem('error');
    const lines = captureLog();
    const patch = (tag: string) => service.call('PATCH', path, { headers: { 'If-Match': tag }, body: { name: 'b' } });
    server.misbehave('cut after');
    expect((await patch('"1"')).status).toBe(503);
    const message = 'an attempt whose reply was lost may have changed the item';
    expect(lines).toEqual([expect.objectContaining({ error: expect.objectContaining({ message }) })]);
    expect((await service.call('GET', path)).headers.etag).toBe('"2"');
    server.misbehave('throttle');
    expect((await patch('"1"')).status).toBe(412);
  });
});
