import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Fault, type FaultyServer, startFaultyServer } from '../support/faults.js';
import { hurry } from '../support/hurry.js';
import { type Service, startService } from '../support/service.js';
import { environmentOf, startTables, type Tables } from '../support/tables.js';

const PATIENCE = 150;
/** Longer than one attempt is waited for, so that the next one is done first. */
const LATE: Fault = { late: 3 * PATIENCE };

let tables: Tables;
let server: FaultyServer;

beforeAll(async () => {
  hurry({ patience: PATIENCE, budget: 2_000 });
  tables = await startTables();
  server = await startFaultyServer(tables.endpoint);
});

afterEach(() => server.misbehave());

afterAll(async () => {
  await server.settled();
  await server.stop();
  await tables.stop();
});

/** Two instances on one table, the first of which reaches it through the server that misbehaves; and an item. */
async function startTwo(): Promise<{ service: Service; other: Service; path: string; key: string }> {
  const environment = await tables.create();
  const service = startService(undefined, environmentOf(environment.TODO_TABLE, server.endpoint));
  const other = startService(undefined, environment);
  await other.call('GET', '/api/todo');
  const { key } = (await service.call('POST', '/api/todo', { body: { name: 'a' } })).json;
  return { service, other, path: `/api/todo/${key}`, key };
}

/** Waits for a call while another one is done, once the first of its requests to write is on its way. */
async function meanwhile<Result>(call: Promise<Result>, other: () => Promise<unknown>): Promise<Result> {
  while (!server.operations.includes('PutItem')) await new Promise((resolve) => setTimeout(resolve, 5));
  await new Promise((resolve) => setTimeout(resolve, PATIENCE / 3));
  await other();
  return call;
}

describe('an attempt that comes after the next one', () => {
  it.each(['PATCH', 'PUT'])("does not undo another caller's write: %s", async (method) => {
    const { service, other, path, key } = await startTwo();
    server.misbehaveIn('PutItem', LATE);
    expect((await service.call(method, path, { body: { key, name: 'b' } })).status).toBe(204);
    expect((await other.call('PATCH', path, { body: { name: 'c' } })).status).toBe(204);
    await server.settled();
    const { json, headers } = await other.call('GET', path);
    expect([json.name, headers.etag]).toEqual(['c', '"3"']);
  });

  it.each<[string, Fault]>([
    ['late', LATE],
    ['a second time', { again: PATIENCE }],
  ])('does not bring back an item that another caller has deleted: its POST %s', async (_how, fault) => {
    const { service, other } = await startTwo();
    server.misbehaveIn('PutItem', fault);
    const { status, headers } = await service.call('POST', '/api/todo', { body: { name: 'b' } });
    expect(status).toBe(201);
    const path = headers.location?.slice(service.prefix.length) as string;
    expect((await other.call('DELETE', path)).status).toBe(204);
    await server.settled();
    expect((await other.call('GET', path)).status).toBe(404);
    expect((await other.call('GET', '/api/todo')).json).toHaveLength(2);
  });

  it('does not delete what nobody asked to delete', async () => {
    const { service, other, path } = await startTwo();
    server.misbehaveIn('PutItem', LATE, 'deny');
    expect((await service.call('DELETE', path)).status).toBe(503);
    expect((await other.call('PATCH', path, { body: { name: 'c' } })).status).toBe(204);
    await server.settled();
    expect((await other.call('GET', path)).json.name).toBe('c');
  });
});

describe('a write that was done, and its reply lost', () => {
  it('is answered 201, though another caller has patched the item', async () => {
    const { service, other } = await startTwo();
    server.misbehaveIn('PutItem', 'hang after');
    const created = await meanwhile(service.call('POST', '/api/todo', { body: { name: 'b' } }), async () => {
      const { key } = (await other.call('GET', '/api/todo')).json.at(-1);
      expect((await other.call('PATCH', `/api/todo/${key}`, { body: { name: 'c' } })).status).toBe(204);
    });
    expect([created.status, created.json.name, created.headers.etag]).toEqual([201, 'b', '"1"']);
    expect((await other.call('GET', `/api/todo/${created.json.key}`)).json.name).toBe('c');
  });

  it('is answered 201, though another caller has deleted the item', async () => {
    const { service, other } = await startTwo();
    server.misbehaveIn('PutItem', 'hang after');
    const created = await meanwhile(service.call('POST', '/api/todo', { body: { name: 'b' } }), async () => {
      const { key } = (await other.call('GET', '/api/todo')).json.at(-1);
      expect((await other.call('DELETE', `/api/todo/${key}`)).status).toBe(204);
    });
    expect(created.status).toBe(201);
    expect((await other.call('GET', `/api/todo/${created.json.key}`)).status).toBe(404);
  });

  it.each(['cut after', 'fail after', 'hang after', 'cut within the reply'] as const)(
    'is not done twice: %s',
    async (fault) => {
      const { service, path, key } = await startTwo();
      server.misbehaveIn('PutItem', fault);
      const patched = await service.call('PATCH', path, { headers: { 'If-Match': '"1"' }, body: { name: 'b' } });
      expect([patched.status, patched.headers.etag]).toEqual([204, '"2"']);
      server.misbehaveIn('PutItem', fault);
      expect((await service.call('PUT', path, { body: { key, name: 'c' } })).status).toBe(204);
      expect((await service.call('GET', path)).headers.etag).toBe('"3"');
      server.misbehaveIn('PutItem', fault);
      expect((await service.call('DELETE', path)).status).toBe(204);
      expect((await service.call('DELETE', path)).status).toBe(404);
    },
  );

  it('is answered 503 where others have changed the item since, for nobody can tell', async () => {
    const { service, other, path } = await startTwo();
    server.misbehaveIn('PutItem', 'hang after');
    const patched = await meanwhile(service.call('PATCH', path, { body: { name: 'b' } }), () =>
      other.call('PATCH', path, { body: { isComplete: true } }),
    );
    expect(patched.status).toBe(503);
    expect((await other.call('GET', path)).json).toMatchObject({ name: 'b', isComplete: true });
  });
});

describe('a write that was not done, where another caller has changed the item meanwhile', () => {
  it('is answered 412 where its condition is not met any more', async () => {
    const { service, other, path } = await startTwo();
    server.misbehaveIn('PutItem', 'hang');
    const request = { headers: { 'If-Match': '"1"' }, body: { name: 'b' } };
    const patched = await meanwhile(service.call('PATCH', path, request), () =>
      other.call('PATCH', path, { body: { name: 'c' } }),
    );
    expect(patched.status).toBe(412);
    expect((await other.call('GET', path)).json.name).toBe('c');
  });

  it('is done on top of it where there is no condition, even if the other one sent the same', async () => {
    const { service, other, path } = await startTwo();
    server.misbehaveIn('PutItem', 'hang');
    const patched = await meanwhile(service.call('PATCH', path, { body: { name: 'b' } }), () =>
      other.call('PATCH', path, { body: { name: 'b' } }),
    );
    expect([patched.status, patched.headers.etag]).toEqual([204, '"3"']);
  });

  it('is answered 404 where the other one has deleted it', async () => {
    const { service, other, path } = await startTwo();
    server.misbehaveIn('PutItem', 'hang');
    const deleted = await meanwhile(service.call('DELETE', path), () => other.call('DELETE', path));
    expect(deleted.status).toBe(404);
  });
});

describe('the first item', () => {
  it.each<Fault>(['deny', 'hang', 'throttle'])('fails no list while it can not be created: %s', async (fault) => {
    const { TODO_TABLE } = await tables.create();
    const service = startService(undefined, environmentOf(TODO_TABLE, server.endpoint));
    server.misbehaveForever(fault, 'PutItem');
    const { status, text } = await service.call('GET', '/api/todo');
    expect([status, text]).toEqual([200, '[]']);
    server.misbehave();
    expect((await service.call('GET', '/api/todo')).json).toHaveLength(1);
  });
});
