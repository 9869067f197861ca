import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TIMEOUTS } from '../../../shared/dynamodb/retry.js';
import type { Reply, Send } from '../../../shared/dynamodb/send.js';
import { openLog } from '../../../shared/log/log.js';
import { FIRST_KEY } from '../../../shared/store/key.js';
import { openTable } from '../../../shared/store/table.js';
import { aParcel, type Parcel, parcels } from '../../support/service/parcels.js';
import { VirtualTime } from '../../support/simulation/time.js';
import { createRandom } from '../histories/random.js';

let time: VirtualTime;

beforeEach(() => {
  time = new VirtualTime();
  time.install();
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** Opens a collection of parcels that sends its requests to a function of the test, `since` its total time-out began. */
function openOn(send: Send, since?: number) {
  const access = { endpoint: '', region: '', credentials: { accessKeyId: '', secretAccessKey: '' } };
  const options = { access, table: 'parcels', capacity: 6_000_000, log: openLog('silent'), connect: () => send };
  return openTable(parcels, options)({ requestId: 'request-1', since });
}

const reply = (output: object, status = 200): Reply => ({ status, text: JSON.stringify(output), disconnect() {} });
const KEY = '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47';
const CONDITION_FAILED = reply({ __type: 'ConditionalCheckFailedException' }, 400);
const keys = (key: string) => ({ partition: { S: 'parcel' }, key: { S: key } });

describe('with the time-outs as deployed, a request to a slow table', () => {
  it('has only the time that it has not waited for something else', async () => {
    const hang: Send = async (_operation, _input, timeout) => {
      await time.pause(timeout);
      throw new Error(`no reply within ${timeout} ms`);
    };
    const find = () => openOn(hang, 500 - TIMEOUTS.total).find(FIRST_KEY);
    await time.run(() => expect(find()).rejects.toMatchObject({ name: 'Unavailable', applied: false }));
    expect(time.now).toBe(500);
  });

  it('spends at most one total time-out on all its calls', async () => {
    const slow: Send = async (operation, _input, timeout) => {
      await time.pause(Math.min(2_400, timeout));
      if (timeout < 2_400) throw new Error(`no reply within ${timeout} ms`);
      return operation === 'GetItem' ? reply({}) : reply({}, 500);
    };
    const update = () => openOn(slow).update(FIRST_KEY, { fragile: true }, undefined);
    await time.run(() => expect(update()).rejects.toMatchObject({ name: 'Unavailable', applied: undefined }));
    expect(time.now).toBeLessThan(TIMEOUTS.total + 1);
  });
});

describe('an item that has grown by the default of a new member', () => {
  /** Changes an item whose row has no member but the label, and whose JSON has so many bytes with all members. */
  async function update(bytes: number, change: Partial<Parcel>) {
    const json = (label: string) => JSON.stringify({ key: KEY, ...aParcel({ label }) });
    const label = 'x'.repeat(bytes - json('').length);
    const row = {
      ...keys(KEY),
      writeId: { S: '' },
      version: { N: '7' },
      item: { S: JSON.stringify({ key: KEY, label }) },
    };
    const send: Send = async (operation) => reply(operation === 'GetItem' ? { Item: row } : {});
    return time.run(() => openOn(send).update(KEY, change, undefined));
  }

  it.each<[number, Partial<Parcel>, boolean]>([
    [399_999, { note: 'two' }, true],
    [399_999, { note: 'four' }, false],
    [399_999, { pieces: 2 }, true],
    [400_000, { fragile: true }, true],
    [400_001, { fragile: true }, true],
    [400_002, { fragile: true }, true],
    [400_002, {}, true],
    [400_002, { pieces: 10 }, false],
    [405_000, {}, true],
    [405_001, {}, false],
    [405_001, { fragile: true }, true],
    [405_002, { fragile: true }, false],
    [405_002, { label: 'short' }, true],
  ])(
    'and has %i bytes is changed to %j, unless that makes it longer or it has more than 405,000 then: %s',
    async (...row) => {
      const [bytes, change, isTaken] = row;
      expect(await update(bytes, change)).toEqual(isTaken ? expect.objectContaining({ number: 8 }) : 'item-too-large');
    },
  );
});

describe('a list past tombstones', () => {
  /** Keys of deleted items, and of the one that is left behind them. */
  const tombstone = (number: number) => `0000${String(number).padStart(4, '0')}-0000-7000-8000-000000000000`;
  const LAST = '01900000-0000-7000-8000-000000000000';

  it.each([
    ['twelve queries, however many rows are left', 0, 12],
    ['half of the total time-out', TIMEOUTS.total / 8, 4],
  ])('doubles what it reads, ends its page after %s, and goes on behind that', async (_what, each, queries) => {
    const cursors: unknown[] = [];
    const limits: number[] = [];
    const send: Send = async (_operation, input) => {
      const { ExpressionAttributeValues, Limit } = JSON.parse(input);
      cursors.push(ExpressionAttributeValues[':key'].S);
      limits.push(Limit);
      await time.pause(each);
      if (cursors.length > 30)
        return reply({
          Items: [{ ...keys(LAST), version: { N: '1' }, item: { S: JSON.stringify({ key: LAST }) } }],
        });
      return reply({ Items: [], LastEvaluatedKey: keys(tombstone(cursors.length)) });
    };
    const list = (after: string) => time.run(() => openOn(send).list({ limit: 7, after }));
    let { json, next } = await list('00000000-0000-0000-0000-000000000000');
    expect(JSON.parse(json)).toEqual([expect.objectContaining({ key: FIRST_KEY })]);
    expect([cursors.length, next]).toEqual([queries, tombstone(queries)]);
    expect(limits).toEqual([8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096, 8_192, 10_000].slice(0, queries));
    while (next !== undefined) {
      expect(next).toBe(tombstone(cursors.length));
      ({ json, next } = await list(next));
      if (next !== undefined) expect(json).toBe('[]');
    }
    expect(JSON.parse(json)).toEqual([expect.objectContaining({ key: LAST })]);
    expect(cursors.slice(1)).toEqual(Array.from({ length: 30 }, (_, number) => tombstone(number + 1)));
  });
});

it.each<[string, object]>([
  ['of another partition', { Items: [], LastEvaluatedKey: { ...keys(KEY), partition: { S: 'other' } } }],
  ['that does not lie behind the one before', { Items: [], LastEvaluatedKey: keys(FIRST_KEY) }],
  ['without a key', { Items: [], LastEvaluatedKey: {} }],
  ['that is none', { Items: [], LastEvaluatedKey: 7 }],
  ['of the next page, and a row that is none', { Items: [null], LastEvaluatedKey: keys(KEY) }],
])('a page of a list whose reply has a cursor %s is read again', async (_what, wrong) => {
  const row = { ...keys(KEY), version: { N: '1' }, item: { S: JSON.stringify({ key: KEY, ...aParcel() }) } };
  const replies = [reply(wrong), reply({ Items: [row] })];
  const list = () => openOn(async () => replies.shift() as Reply).list({ after: FIRST_KEY });
  const page = await time.run(list);
  expect([JSON.parse(page.json), page.next, replies]).toEqual([[{ key: KEY, ...aParcel() }], undefined, []]);
});

describe('a row that is edited by hand while an item is changed', () => {
  const item = { S: JSON.stringify({ key: KEY, ...aParcel() }) };
  const row = (attributes: object) => reply({ Item: { ...keys(KEY), item, ...attributes } });
  const before = row({ version: { N: '1' }, writeId: { S: 'write-1' } });

  const update = (replies: Reply[]) =>
    time.run(() =>
      openOn(async () => {
        const next = replies.shift();
        if (next) return next;
        throw new Error('cut');
      }).update(KEY, { fragile: true }, undefined),
    );

  it('need not name its last write', async () => {
    const replies = [before, CONDITION_FAILED, row({ version: { N: '7' } }), reply({})];
    expect(await update(replies)).toMatchObject({ number: 8, item: { fragile: true } });
  });

  it('does not tell what became of an attempt without a reply, if it has lost its version', async () => {
    const cut = undefined as unknown as Reply;
    const updating = update([before, cut, CONDITION_FAILED, row({ writeId: { S: 'write-1' } })]);
    await expect(updating).rejects.toMatchObject({ name: 'Unavailable', applied: undefined });
  });
});

it('the first use of an idempotency key is put again if the row of an earlier one is deleted before it can be read', async () => {
  const replies = [CONDITION_FAILED, reply({}), CONDITION_FAILED, reply({})];
  const puts: unknown[] = [];
  const send: Send = async (operation, input) => {
    if (operation === 'PutItem') puts.push(JSON.parse(input));
    return replies.shift() ?? reply({});
  };
  expect(await openOn(send).create(aParcel(), 'key-1')).toMatchObject({ number: 1 });
  expect(puts).toHaveLength(4);
  expect([puts[1], puts[2]]).toEqual([puts[0], puts[0]]);
});

describe('writes of many instances to one item at once', () => {
  /** A table of one row: a call takes 8 ms, and is carried out after half of them. */
  function createTable() {
    const operations: string[] = [];
    let row: { readonly version: { readonly N: string } } | undefined;
    const carryOut = (operation: string, input: string) => {
      if (operation === 'GetItem') return reply({ Item: row });
      const { Item, ConditionExpression, ExpressionAttributeValues } = JSON.parse(input);
      const isToBeMissing = ConditionExpression.startsWith('attribute_not_exists');
      const isMet = isToBeMissing ? !row : row?.version.N === ExpressionAttributeValues[':version'].N;
      if (!isMet) return CONDITION_FAILED;
      row = Item;
      return reply({});
    };
    const send: Send = async (operation, input) => {
      operations.push(operation);
      await time.pause(4);
      const replied = carryOut(operation, input);
      await time.pause(4);
      return replied;
    };
    return { send, operations };
  }

  // A pause before reading takes too long, because what was read is old; without a pause, there are too many calls.
  it.each([
    // Measured: 138 ms and 62 calls, 876 and 628, 2,109 and 4,618. With the pause in the wrong place it took three times as long.
    [10, 400, 100],
    [50, 1_800, 1_200],
    [200, TIMEOUTS.total / 2, 8_000],
  ])('all succeed: %i of them within %i ms and %i calls', async (instances, longest, mostCalls) => {
    jest.spyOn(Math, 'random').mockImplementation(createRandom(instances).next);
    const { send, operations } = createTable();
    const stores = Array.from({ length: instances }, () => openOn(send));
    const patches = () => Promise.all(stores.map((store) => store.update(FIRST_KEY, { fragile: true }, undefined)));
    const versions = (await time.run(patches)) as { readonly number: number }[];
    const numbers = versions.map(({ number }) => number).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: instances }, (_, index) => index + 2));
    expect(time.now).toBeLessThanOrEqual(longest);
    expect(operations.length).toBeLessThanOrEqual(mostCalls);
  });
});
