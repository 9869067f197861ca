import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type RequestClient, TIMEOUTS } from '../../../shared/dynamodb/retry.js';
import type { Reply, Send } from '../../../shared/dynamodb/send.js';
import type { Attributes } from '../../../shared/store/attribute.js';
import { firstUse } from '../../../shared/store/idempotency.js';
import { rememberUse } from '../../../shared/store/idempotency-row.js';
import { FIRST_KEY } from '../../../shared/store/key.js';
import type { ListQuery } from '../../../shared/store/store.js';
import { replyOf } from '../../support/dynamodb/faults.js';
import { VirtualTime } from '../virtual/time.js';
import { openStoreOn } from './open-store-on.js';

describe('with the time-outs as deployed, a request to a slow table', () => {
  const time = new VirtualTime();

  beforeEach(() => time.install());
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('has only the time that it has not waited for something else', async () => {
    const hang: Send = async (_operation, _input, timeout) => {
      await time.pause(timeout);
      throw new Error(`no reply within ${timeout} ms`);
    };
    const start = time.now;
    const find = () => openStoreOn(hang, start - TIMEOUTS.total + 500).find(FIRST_KEY);
    await time.run(() => expect(find()).rejects.toMatchObject({ name: 'Unavailable', applied: false }));
    expect(time.now - start).toBe(500);
  });

  it('spends at most one total time-out on all its calls', async () => {
    const slow: Send = async (operation, _input, timeout) => {
      await time.pause(Math.min(2_400, timeout));
      if (timeout < 2_400) throw new Error(`no reply within ${timeout} ms`);
      return operation === 'GetItem' ? { status: 200, text: '{}' } : (replyOf('fail') as Reply);
    };
    const start = time.now;
    const update = () => openStoreOn(slow).update(FIRST_KEY, { fragile: true }, undefined);
    await time.run(() => expect(update()).rejects.toMatchObject({ name: 'Unavailable', applied: undefined }));
    expect(time.now - start).toBeLessThan(TIMEOUTS.total + 1);
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
