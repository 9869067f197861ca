import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type RequestClient, TIMEOUTS } from '../../../shared/dynamodb/retry.js';
import type { Reply, Send } from '../../../shared/dynamodb/send.js';
import type { Attributes } from '../../../shared/store/attribute.js';
import { firstUse } from '../../../shared/store/idempotency.js';
import { rememberUse } from '../../../shared/store/idempotency-row.js';
import { FIRST_KEY } from '../../../shared/store/key.js';
import type { Collection, ListQuery } from '../../../shared/store/store.js';
import { type Fault, replyOf } from '../../support/dynamodb/faults.js';
import { openStoreOn } from '../../support/dynamodb/virtual-network.js';
import { VirtualTime } from '../../support/dynamodb/virtual-time.js';
import { aParcel, type parcel } from '../../support/service/parcels.js';

/** Every method of a store, called so that it writes if it can. */
const methods: Readonly<Record<string, (store: Collection<typeof parcel>) => unknown>> = {
  list: (store) => store.list({}),
  find: (store) => store.find(FIRST_KEY),
  create: (store) => store.create(aParcel()),
  createOnce: (store) => store.create(aParcel(), 'key-1'),
  update: (store) => store.update(FIRST_KEY, { fragile: true }, undefined),
  remove: (store) => store.remove(FIRST_KEY, undefined),
};

/** Those that write. */
const WRITES = ['create', 'createOnce', 'update', 'remove'];

describe('with the time-outs as deployed, a store whose table', () => {
  let time: VirtualTime;

  beforeEach(() => {
    time = new VirtualTime();
    time.install();
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** A DynamoDB of empty tables that has one fault, in all operations or in one. Unless it hangs, it replies at once. */
  function withFault(fault: Fault, only?: string): Send {
    return async (operation, _input, timeout) => {
      if (operation !== (only ?? operation)) return { status: 200, text: '{}' };
      if (fault !== 'hang') return replyOf(fault) as Reply;
      await time.pause(timeout);
      throw new Error(`no reply within ${timeout} ms`);
    };
  }

  /** The error that a method rejects with. It must do so within the total time-out. */
  async function errorOf(method: string, send: Send): Promise<unknown> {
    const start = time.now;
    const call = async () => methods[method]?.(openStoreOn(send));
    const error = await time.run(() => call().catch((error: unknown) => error));
    expect(time.now - start).toBeLessThan(TIMEOUTS.total + 1);
    return error;
  }

  it.each(Object.keys(methods))('throttles for ever changes nothing and gives up in time: %s', async (method) => {
    const error = await errorOf(method, withFault('throttle'));
    expect(error).toMatchObject({ name: 'Unavailable', retryAfter: 2, applied: false });
    expect(time.now).toBeGreaterThan(TIMEOUTS.total - TIMEOUTS.attempt);
  });

  it.each(Object.keys(methods))('never answers gives up in time: %s', async (method) => {
    // An update or removal reads first.
    const applied = method.startsWith('create') ? undefined : false;
    expect(await errorOf(method, withFault('hang'))).toMatchObject({ name: 'Unavailable', applied });
    expect(time.now).toBeGreaterThan(TIMEOUTS.total - TIMEOUTS.attempt);
  });

  it('never answers has only the time that the request has not waited for something else', async () => {
    const call = () => openStoreOn(withFault('hang'), time.now - TIMEOUTS.total + 500).find(FIRST_KEY);
    await time.run(() => expect(call()).rejects.toMatchObject({ name: 'Unavailable', applied: false }));
    expect(time.now).toBe(500);
  });

  it.each<[Fault, false | undefined]>([
    ['hang', undefined],
    ['fail in HTML', undefined],
    ['answer null', undefined],
    ['throttle', false],
    ['deny', false],
    ['miss the table', false],
  ])('rejects writes says whether it may have changed something: %j %p', async (fault, applied) => {
    for (const method of WRITES) {
      const error = await errorOf(method, withFault(fault, 'PutItem'));
      expect(error).toMatchObject({ name: 'Unavailable', applied });
    }
  });

  it('is slow spends at most one total time-out on all calls of a request', async () => {
    const slow: Send = async (operation, _input, timeout) => {
      await time.pause(Math.min(2_400, timeout));
      if (timeout < 2_400) throw new Error(`no reply within ${timeout} ms`);
      return operation === 'GetItem' ? { status: 200, text: '{}' } : (replyOf('fail') as Reply);
    };
    expect(await errorOf('update', slow)).toMatchObject({ name: 'Unavailable', applied: undefined });
  });
});

describe('a list past tombstones', () => {
  /** Keys of deleted items, and of the one that is left behind them. */
  const tombstone = (number: number) => `0000${String(number).padStart(4, '0')}-0000-7000-8000-000000000000`;
  const LAST = '01900000-0000-7000-8000-000000000000';

  /** A table whose queries, each of which takes some time, find nothing but tombstones before the last row. */
  function tombstones(queries: number, milliseconds = 0) {
    const time = new VirtualTime();
    time.install();
    const inputs: { readonly Limit: number; readonly ExpressionAttributeValues: Attributes }[] = [];
    const send: Send = async (_operation, input) => {
      inputs.push(JSON.parse(input));
      await time.pause(milliseconds);
      const rest = { LastEvaluatedKey: { key: { S: tombstone(inputs.length) } } };
      const row = { key: { S: LAST }, item: { M: {} } };
      return { status: 200, text: JSON.stringify(inputs.length > queries ? { Items: [row] } : { Items: [], ...rest }) };
    };
    const list = (query: ListQuery) => time.run(async () => openStoreOn(send).list(query));
    return { inputs, list };
  }

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each([
    ['asks for twice as many rows each time, up to ten thousand', { limit: 7 }, 8],
    ['asks for ten thousand each time if the list has no limit', {}, 10_000],
  ])('%s', async (_what, query, first) => {
    const { inputs, list } = tombstones(11);
    const { json, next } = await list({ ...query, after: FIRST_KEY });
    expect([JSON.parse(json), next]).toEqual([[expect.objectContaining({ key: LAST })], undefined]);
    const limits = Array.from({ length: 12 }, (_, number) => Math.min(first * 2 ** number, 10_000));
    expect(inputs.map(({ Limit }) => Limit)).toEqual(limits);
  });

  it.each([
    ['twelve queries, however many rows are left', 30, 0, 12],
    ['half of the total time-out', 30, TIMEOUTS.total / 8, 4],
  ])('ends its page after %s, and goes on behind the last row that was read', async (_what, rows, each, queries) => {
    const { inputs, list } = tombstones(rows, each);
    const first = await list({ limit: 1 });
    expect(JSON.parse(first.json)).toEqual([expect.objectContaining({ key: FIRST_KEY })]);
    expect([inputs.length, first.next]).toEqual([queries, tombstone(queries)]);
    let { json, next } = first;
    while (next !== undefined && json !== '') {
      ({ json, next } = await list({ limit: 1, after: next }));
      if (next !== undefined) expect([json, next]).toEqual(['[]', tombstone(inputs.length)]);
    }
    expect(JSON.parse(json)).toEqual([expect.objectContaining({ key: LAST })]);
    expect(inputs).toHaveLength(rows + 1);
    const cursors = inputs.slice(1).map(({ ExpressionAttributeValues }) => ExpressionAttributeValues[':key']);
    expect(cursors).toEqual(Array.from({ length: rows }, (_, number) => ({ S: tombstone(number + 1) })));
  });
});

it('the use of an idempotency key is put again if the row of an earlier use, freed or not, is deleted before it can be read', async () => {
  const failed = { kind: 'condition failed' };
  const freed = { itemKey: { S: FIRST_KEY }, digest: { S: 'freed' }, expires: { N: '0' } };
  const outcomes = [failed, { output: {} }, failed, { output: { Item: freed } }, failed, { output: {} }];
  const call = jest.fn<(operation: string, input: object) => Promise<unknown>>();
  for (const outcome of [...outcomes, { kind: 'succeeded' }]) call.mockResolvedValueOnce(outcome);
  const use = firstUse('019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47', 'a digest');
  const rows = { client: { call } as unknown as RequestClient, table: 'items', partition: 'parcel/Idempotency-Key' };
  expect(await rememberUse(rows, 'key-1', use)).toEqual(use);
  const puts = call.mock.calls.filter(([operation]) => operation === 'PutItem');
  expect(puts).toHaveLength(4);
  expect([puts[1], puts[3]]).toEqual([puts[0], puts[0]]);
});
