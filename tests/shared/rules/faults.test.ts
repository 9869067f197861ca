import { describe, expect } from '@jest/globals';
import { TIMEOUTS } from '../../../shared/dynamodb/retry.js';
import type { LogLevel } from '../../../shared/log/log.js';
import { FIRST_KEY } from '../../../shared/store/key.js';
import type { Fault } from '../../support/dynamodb/faults.js';
import { deleteRows, type Table } from '../../support/dynamodb/tables.js';
import { expectStatus } from '../../support/service/answer.js';
import { captureLog } from '../../support/service/log.js';
import { PARCELS } from '../../support/service/parcels.js';
import { type Service, startService } from '../../support/service/service.js';
import { useVirtualTables } from '../virtual/tables.js';

const { time, network, it, startTwo } = useVirtualTables();

type Call = Parameters<Service['call']>;

/** Starts two instances on one table, the first of which reaches it over the network that misbehaves, and creates an item. */
async function start() {
  const { table, service, other } = await startTwo();
  const { json: item } = await expectStatus(201, service.call('POST', PARCELS, { body: { label: 'a' } }));
  network().misbehave();
  return { table, service, other, item, path: `${PARCELS}/${item.key}`, key: item.key as string };
}

/** Starts an instance over that network, and collects the lines of its log. */
function startLogging(table: Table, logLevel: LogLevel) {
  const service = startService(undefined, { table: { ...table, endpoint: network().endpoint }, logLevel });
  return { service, lines: captureLog() };
}

describe('the table', () => {
  it('gets one call to read or create an item, and two to change one, and is read consistently', async () => {
    const { service, path, key } = await start();
    const asked = async (...call: Call) => {
      network().misbehave();
      const { status } = await service.call(...call);
      const reads = network().inputs.filter((_, index) => network().operations[index] !== 'PutItem');
      // Only so is each acknowledged write seen.
      for (const read of reads) expect(read).toHaveProperty('ConsistentRead', true);
      return [status, ...network().operations];
    };
    const body = { key, label: 'b' };
    expect(await asked('GET', `${PARCELS}?limit=2`)).toEqual([200, 'Query']);
    expect(await asked('GET', path)).toEqual([200, 'GetItem']);
    expect(await asked('POST', PARCELS, { body })).toEqual([201, 'PutItem']);
    expect(await asked('PUT', path, { body })).toEqual([204, 'GetItem', 'PutItem']);
    expect(await asked('PATCH', path, { body })).toEqual([204, 'GetItem', 'PutItem']);
    expect(await asked('PATCH', path, { headers: { 'If-Match': '"1"' }, body })).toEqual([412, 'GetItem']);
    expect(await asked('DELETE', path)).toEqual([204, 'GetItem', 'PutItem']);
    expect(await asked('DELETE', path)).toEqual([404, 'GetItem']);
    expect(await asked('DELETE', `${PARCELS}/no-guid`)).toEqual([404]);
    const headers = { 'Idempotency-Key': 'k' };
    expect(await asked('POST', PARCELS, { headers, body })).toEqual([201, 'PutItem', 'PutItem']);
    expect(await asked('POST', PARCELS, { headers, body })).toEqual([201, 'PutItem', 'GetItem', 'PutItem']);
    expect(await asked('POST', PARCELS, { headers, body: { label: 'c' } })).toEqual([422, 'PutItem', 'GetItem']);
  });

  it('is queried only a few times for a page behind many deleted items', async () => {
    const { service, key } = await start();
    const create = async () =>
      (await expectStatus(201, service.call('POST', PARCELS, { body: { label: 'a parcel' } }))).json.key;
    const keys = await Promise.all(Array.from({ length: 12 }, create));
    const last = await create();
    for (const deleted of keys) await expectStatus(204, service.call('DELETE', `${PARCELS}/${deleted}`));
    network().misbehave();
    const page = await service.call('GET', `${PARCELS}?limit=2&after=${key}`);
    expect(page.json).toEqual([expect.objectContaining({ key: last })]);
    expect(page.headers).not.toHaveProperty('link');
    // The queries read 3, 6 and 12 rows.
    expect(network().operations).toEqual(Array(3).fill('Query'));
    // DynamoDB leaves out the rows of deleted items, which alone have this attribute.
    for (const { FilterExpression, ExpressionAttributeNames } of network().inputs) {
      expect(FilterExpression).toBe('attribute_not_exists(#expires)');
      expect(ExpressionAttributeNames).toHaveProperty('#expires', 'expires');
    }
  });

  it('may delete the tombstone of an item after two hours, but keeps that of the first one', async () => {
    const { service, path } = await start();
    for (const deleted of [path, `${PARCELS}/${FIRST_KEY}`]) await expectStatus(204, service.call('DELETE', deleted));
    const [, { Item: tombstone }, , { Item: kept }] = network().inputs;
    const left = Number(tombstone.expires.N) - Date.now() / 1_000;
    expect([left > 7_100, left <= 7_200]).toEqual([true, true]);
    expect(kept).not.toHaveProperty('expires');
    for (const row of [tombstone, kept]) expect(row).not.toHaveProperty('item');
  });
});

describe('a fault of the table that lasts', () => {
  it.each<[Fault, RegExp]>([
    ['deny', /AccessDeniedException/],
    ['miss the table', /ResourceNotFoundException/],
    // In throttling, the last attempt may have no time left for its reply.
    ['throttle', /ProvisionedThroughputExceededException|no reply within/],
    ['hang', /no reply within/],
  ])('returns 503 in time by every operation, is logged in full and changes nothing: %s', async (fault, error) => {
    const { table, other, item, path, key } = await start();
    const { service, lines } = startLogging(table, 'error');
    network().misbehaveBy(() => fault);
    for (const [method, to] of [
      ['GET', PARCELS],
      ['POST', PARCELS],
      ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, path] as const),
    ] as const) {
      const began = time.now;
      const answer = await expectStatus(503, service.call(method, to, { body: { key, label: 'b' } }));
      expect(time.now - began).toBeLessThan(TIMEOUTS.total + 1);
      expect(answer.headers['retry-after']).toBe('2');
      expect(answer.json.detail).toMatch(/check before you send it again|nothing was changed/);
      expect(answer.text).not.toMatch(/Dynamo|Exception|aws|table/i);
      expect(lines.pop()).toMatchObject({
        level: 'ERROR',
        message: 'the collection is unavailable',
        requestId: answer.json.requestId,
        error: { cause: { message: expect.stringMatching(error), stack: expect.any(String) } },
      });
    }
    // Another attempt would not help against these.
    if (fault === 'deny' || fault === 'miss the table') expect(network().operations).toHaveLength(6);
    expect((await other.call('GET', path)).json).toEqual(item);
    expect((await other.call('GET', PARCELS)).json).toHaveLength(2);
  });
});

describe('a fault of the table that passes', () => {
  /** Lets the next request for each operation of DynamoDB fail, and all later ones go through. */
  function misbehaveOnce(fault: Fault) {
    const seen = new Set<string>();
    network().misbehaveBy((operation) => {
      if (seen.has(operation)) return undefined;
      seen.add(operation);
      return fault;
    });
  }

  it.each<Fault>(['throttle', 'fail after', 'hang', 'hang after', 'cut before', 'cut after', 'talk nonsense'])(
    'is not noticed by callers, applies no write twice, and is logged each time: %s',
    async (fault) => {
      const { table, item: before } = await start();
      const { service, lines } = startLogging(table, 'warn');
      const call = (status: number, ...request: Call) => {
        misbehaveOnce(fault);
        return expectStatus(status, service.call(...request));
      };
      const { json: item } = await call(201, 'POST', PARCELS, { body: { label: 'b' } });
      const path = `${PARCELS}/${item.key}`;
      expect((await call(200, 'GET', path)).json).toEqual(item);
      await call(204, 'PATCH', path, { headers: { 'If-Match': '"1"' }, body: { fragile: true } });
      await call(204, 'PUT', path, { headers: { 'If-Match': '"2"' }, body: { key: item.key, label: 'c' } });
      expect((await call(200, 'GET', path)).headers.etag).toBe('"3"');
      expect((await call(200, 'GET', PARCELS)).json.slice(1)).toEqual([before, { ...item, label: 'c' }]);
      await call(204, 'DELETE', path, { headers: { 'If-Match': '"3"' } });
      await call(404, 'GET', path);
      expect(lines).toHaveLength(11);
      const line = { level: 'WARN', message: 'retrying a call to DynamoDB', requestId: expect.stringMatching(/./) };
      for (const logged of lines) expect(logged).toMatchObject({ ...line, operation: expect.any(String), error: {} });
    },
  );
});

/** So late that the next attempt arrives first. */
const LATE: Fault = { late: 2 * TIMEOUTS.attempt };

describe('an attempt that comes after the next one', () => {
  it.each(['PATCH', 'PUT'])("does not undo another caller's write: %s", async (method) => {
    const { service, other, path, key } = await start();
    network().misbehaveIn('PutItem', LATE);
    await expectStatus(204, service.call(method, path, { body: { key, label: 'b' } }));
    await expectStatus(204, other.call('PATCH', path, { body: { label: 'c' } }));
    await network().settled();
    expect(await other.call('GET', path)).toMatchObject({ json: { label: 'c' }, headers: { etag: '"3"' } });
  });

  it.each<[string, Fault]>([
    ['arrives late', LATE],
    ['arrives twice', { again: TIMEOUTS.attempt }],
  ])('does not bring back an item that another caller has deleted, if its POST %s', async (_how, fault) => {
    const { service, other } = await start();
    network().misbehaveIn('PutItem', fault);
    const { json } = await expectStatus(201, service.call('POST', PARCELS, { body: { label: 'b' } }));
    await expectStatus(204, other.call('DELETE', `${PARCELS}/${json.key}`));
    await network().settled();
    expect((await other.call('GET', PARCELS)).json).toHaveLength(2);
  });

  it('does not bring back an item whose row was deleted by hand', async () => {
    const { table, service, other, path, key } = await start();
    network().misbehaveIn('PutItem', LATE, 'deny');
    const patching = service.call('PATCH', path, { body: { label: 'b' } });
    await time.pause(TIMEOUTS.attempt / 2);
    await time.outside(deleteRows(table, (row) => row.key.S === key));
    await expectStatus(503, patching);
    await network().settled();
    await expectStatus(404, other.call('GET', path));
  });
});

describe('a write that got no reply before another caller changed the item', () => {
  /** Waits for a call, and makes another one in between, as soon as the first attempt to write was delivered. */
  async function meanwhile<Result>(call: Promise<Result>, other: () => Promise<unknown>): Promise<Result> {
    await network().delivered('PutItem');
    await other();
    return call;
  }

  it.each(['PATCH', 'DELETE'])('returns 201 if it created the item, even if that had a %s since', async (method) => {
    const { service, other } = await start();
    network().misbehaveIn('PutItem', 'hang after');
    const created = await meanwhile(service.call('POST', PARCELS, { body: { label: 'b' } }), async () => {
      const { key } = (await other.call('GET', PARCELS)).json.at(-1);
      await expectStatus(204, other.call(method, `${PARCELS}/${key}`, { body: { label: 'c' } }));
    });
    expect(created).toMatchObject({ status: 201, json: { label: 'b' }, headers: { etag: '"1"' } });
    const left = await other.call('GET', `${PARCELS}/${created.json.key}`);
    expect(left).toMatchObject(method === 'DELETE' ? { status: 404 } : { json: { label: 'c' } });
  });

  const PLAIN = {};
  const MATCHING = { 'If-Match': '"1"' };

  it.each<[string, number, Fault, Record<string, string>, string, object]>([
    ['503 if it was applied, because nobody can tell', 503, 'hang after', PLAIN, 'PATCH', { etag: '"3"' }],
    ['412 if it was not applied and its precondition fails by now', 412, 'hang', MATCHING, 'PATCH', { etag: '"2"' }],
    ['204 if it was not applied, even if the other one sent the same', 204, 'hang', PLAIN, 'PATCH', { etag: '"3"' }],
    ['404 if it was not applied and the item is gone', 404, 'hang', PLAIN, 'DELETE', {}],
  ])('returns %s', async (_what, status, fault, headers, method, left) => {
    const { service, other, path } = await start();
    network().misbehaveIn('PutItem', fault);
    const body = { label: 'b' };
    const answer = await meanwhile(service.call('PATCH', path, { headers, body }), () =>
      expectStatus(204, other.call(method, path, { body })),
    );
    expect(answer.status).toBe(status);
    if (status === 503) expect(answer.json).not.toHaveProperty('applied');
    if (status === 204) expect(answer.headers).toMatchObject(left);
    expect((await other.call('GET', path)).headers).toMatchObject(left);
  });
});
