import { describe, expect, it } from '@jest/globals';
import { TIMEOUTS } from '../../shared/dynamodb/retry.js';
import type { Fault } from '../support/dynamodb/faults.js';
import { useVirtualTables } from '../support/dynamodb/virtual-tables.js';
import { anItem, CHANGE, COLLECTION, TEXT } from '../support/service/resource.js';
import type { Service } from '../support/service/service.js';

/** Longer than the attempt time-out, so that the next attempt arrives first. */
const LATE: Fault = { late: 2 * TIMEOUTS.attempt };

const { network, virtually, startTwo: startVirtual } = useVirtualTables();

/** Two instances on one table, the first of which reaches it over the network that misbehaves; and an item. */
async function startTwo(): Promise<{ service: Service; other: Service; path: string; key: string }> {
  const { service, other } = await startVirtual();
  const { key } = (await service.call('POST', COLLECTION, { body: anItem('a') })).json;
  return { service, other, path: `${COLLECTION}/${key}`, key };
}

/** Waits for a call while another one is done, once the first of its requests to write was delivered. */
async function meanwhile<Result>(call: Promise<Result>, other: () => Promise<unknown>): Promise<Result> {
  await network().delivered('PutItem');
  await other();
  return call;
}

describe('an attempt that comes after the next one', () => {
  it.each(['PATCH', 'PUT'])(
    "does not undo another caller's write: %s",
    virtually(async (method) => {
      const { service, other, path, key } = await startTwo();
      network().misbehaveIn('PutItem', LATE);
      expect((await service.call(method, path, { body: { key, ...anItem('b') } })).status).toBe(204);
      expect((await other.call('PATCH', path, { body: anItem('c') })).status).toBe(204);
      await network().settled();
      const { json, headers } = await other.call('GET', path);
      expect([json[TEXT], headers.etag]).toEqual(['c', '"3"']);
    }),
  );

  it.each<[string, Fault]>([
    ['late', LATE],
    ['a second time', { again: TIMEOUTS.attempt }],
  ])(
    'does not bring back an item that another caller has deleted: its POST %s',
    virtually(async (_how, fault) => {
      const { service, other } = await startTwo();
      network().misbehaveIn('PutItem', fault);
      const { status, headers } = await service.call('POST', COLLECTION, { body: anItem('b') });
      expect(status).toBe(201);
      const path = headers.location?.slice(service.prefix.length) as string;
      expect((await other.call('DELETE', path)).status).toBe(204);
      await network().settled();
      expect((await other.call('GET', path)).status).toBe(404);
      expect((await other.call('GET', COLLECTION)).json).toHaveLength(2);
    }),
  );

  it(
    'does not delete what nobody asked to delete',
    virtually(async () => {
      const { service, other, path } = await startTwo();
      network().misbehaveIn('PutItem', LATE, 'deny');
      expect((await service.call('DELETE', path)).status).toBe(503);
      expect((await other.call('PATCH', path, { body: anItem('c') })).status).toBe(204);
      await network().settled();
      expect((await other.call('GET', path)).json[TEXT]).toBe('c');
    }),
  );
});

describe('a write that was applied, but whose reply was lost', () => {
  it(
    'is answered 201, though another caller has patched the item',
    virtually(async () => {
      const { service, other } = await startTwo();
      network().misbehaveIn('PutItem', 'hang after');
      const created = await meanwhile(service.call('POST', COLLECTION, { body: anItem('b') }), async () => {
        const { key } = (await other.call('GET', COLLECTION)).json.at(-1);
        expect((await other.call('PATCH', `${COLLECTION}/${key}`, { body: anItem('c') })).status).toBe(204);
      });
      expect([created.status, created.json[TEXT], created.headers.etag]).toEqual([201, 'b', '"1"']);
      expect((await other.call('GET', `${COLLECTION}/${created.json.key}`)).json[TEXT]).toBe('c');
    }),
  );

  it(
    'is answered 201, though another caller has deleted the item',
    virtually(async () => {
      const { service, other } = await startTwo();
      network().misbehaveIn('PutItem', 'hang after');
      const created = await meanwhile(service.call('POST', COLLECTION, { body: anItem('b') }), async () => {
        const { key } = (await other.call('GET', COLLECTION)).json.at(-1);
        expect((await other.call('DELETE', `${COLLECTION}/${key}`)).status).toBe(204);
      });
      expect(created.status).toBe(201);
      expect((await other.call('GET', `${COLLECTION}/${created.json.key}`)).status).toBe(404);
    }),
  );

  it.each(['cut after', 'fail after', 'hang after', 'cut within the reply'] as const)(
    'is not done twice: %s',
    virtually(async (fault) => {
      const { service, path, key } = await startTwo();
      network().misbehaveIn('PutItem', fault);
      const patched = await service.call('PATCH', path, { headers: { 'If-Match': '"1"' }, body: anItem('b') });
      expect([patched.status, patched.headers.etag]).toEqual([204, '"2"']);
      network().misbehaveIn('PutItem', fault);
      expect((await service.call('PUT', path, { body: { key, ...anItem('c') } })).status).toBe(204);
      expect((await service.call('GET', path)).headers.etag).toBe('"3"');
      network().misbehaveIn('PutItem', fault);
      expect((await service.call('DELETE', path)).status).toBe(204);
      expect((await service.call('DELETE', path)).status).toBe(404);
    }),
  );

  it(
    'is answered 503 where others have changed the item since, for nobody can tell',
    virtually(async () => {
      const { service, other, path } = await startTwo();
      network().misbehaveIn('PutItem', 'hang after');
      const patched = await meanwhile(service.call('PATCH', path, { body: anItem('b') }), () =>
        other.call('PATCH', path, { body: CHANGE }),
      );
      expect(patched.status).toBe(503);
      expect((await other.call('GET', path)).json).toMatchObject({ ...anItem('b'), ...CHANGE });
    }),
  );
});

describe('a write that was not applied, after another caller has changed the item', () => {
  it(
    'is answered 412 where its condition is not met any more',
    virtually(async () => {
      const { service, other, path } = await startTwo();
      network().misbehaveIn('PutItem', 'hang');
      const request = { headers: { 'If-Match': '"1"' }, body: anItem('b') };
      const patched = await meanwhile(service.call('PATCH', path, request), () =>
        other.call('PATCH', path, { body: anItem('c') }),
      );
      expect(patched.status).toBe(412);
      expect((await other.call('GET', path)).json[TEXT]).toBe('c');
    }),
  );

  it(
    'is done on top of it where there is no condition, even if the other one sent the same',
    virtually(async () => {
      const { service, other, path } = await startTwo();
      network().misbehaveIn('PutItem', 'hang');
      const patched = await meanwhile(service.call('PATCH', path, { body: anItem('b') }), () =>
        other.call('PATCH', path, { body: anItem('b') }),
      );
      expect([patched.status, patched.headers.etag]).toEqual([204, '"3"']);
    }),
  );

  it(
    'is answered 404 where the other one has deleted it',
    virtually(async () => {
      const { service, other, path } = await startTwo();
      network().misbehaveIn('PutItem', 'hang');
      const deleted = await meanwhile(service.call('DELETE', path), () => other.call('DELETE', path));
      expect(deleted.status).toBe(404);
    }),
  );
});
