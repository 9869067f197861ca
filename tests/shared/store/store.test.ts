import timers from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Resource } from '../../../shared/schema/resource.js';
import { FirstUses, firstUse } from '../../../shared/store/idempotency.js';
import { FIRST_KEY } from '../../../shared/store/key.js';
import { MemoryStore } from '../../../shared/store/memory.js';
import type { Collection, ListQuery } from '../../../shared/store/store.js';
import type { Version } from '../../../shared/store/version.js';
import { openTable, startTables } from '../../support/dynamodb/tables.js';
import { aParcel, type Parcel, type ParcelMembers, parcel, parcels } from '../../support/service/parcels.js';

const ROOMY = 6_000_000;
const NOBODY = '00000000-0000-4000-8000-000000000000';

type ParcelVersion = Version<typeof parcel>;

const tables = startTables();

// Preconditions, cursors, and pages between which somebody writes are tested over the wire: tests/shared/rules/table.test.ts.

beforeAll(() => {
  // Nobody else writes to these tables, so no write needs a second attempt. A store that makes one fails, at once.
  jest.spyOn(timers, 'setTimeout').mockRejectedValue(new Error('a write to the table was tried again'));
});

afterAll(async () => (await tables).stop());

/** A store that needs less to be written for each call. */
class Parcels {
  readonly #store: Collection<typeof parcel>;

  constructor(store: Collection<typeof parcel>) {
    this.#store = store;
  }

  async list(query: ListQuery = {}) {
    return this.#store.list(query);
  }

  async items(): Promise<Parcel[]> {
    return JSON.parse((await this.list()).json);
  }

  async labels(query: ListQuery = {}): Promise<string[]> {
    return labelsIn((await this.list(query)).json);
  }

  /** The labels page by page. */
  async pages(limit: number): Promise<string[][]> {
    let { json, next } = await this.list({ limit });
    const found = [labelsIn(json)];
    while (next !== undefined && found.length < 1_000) {
      ({ json, next } = await this.list({ limit, after: next }));
      found.push(labelsIn(json));
    }
    return found;
  }

  /** The bytes that the list takes inside a string of the result's JSON. */
  async size(): Promise<number> {
    return Buffer.byteLength(JSON.stringify((await this.list()).json)) - 2;
  }

  async find(key: string) {
    return this.#store.find(key);
  }

  async add(members: Partial<ParcelMembers>) {
    return this.#store.create(aParcel(members));
  }

  /** Creates a parcel that fits. */
  async create(label: string): Promise<ParcelVersion> {
    const created = await this.add({ label });
    if (typeof created === 'string') throw new Error(`${label}: ${created}`);
    return created;
  }

  async createOnce(idempotencyKey: string, label: string) {
    return this.#store.create(aParcel({ label }), idempotencyKey);
  }

  async update(key: string, change: Partial<ParcelMembers>) {
    return this.#store.update(key, change, undefined);
  }

  async remove(key: string) {
    return this.#store.remove(key, undefined);
  }
}

function labelsIn(json: string): string[] {
  return JSON.parse(json).map(({ label }: Parcel) => label);
}

const inMemory = (capacity = ROOMY, resource: Resource<typeof parcel> = parcels) =>
  new Parcels(new MemoryStore(resource, capacity));

const inTable = async (capacity = ROOMY, resource: Resource<typeof parcel> = parcels) =>
  new Parcels(openTable(await (await tables).create(), resource, capacity));

describe.each([
  ['memory', async (...options: Parameters<typeof inTable>) => inMemory(...options)],
  ['a table', inTable],
])('the store in %s', (_kind, open) => {
  it('begins empty if the resource has no first item', async () => {
    const store = await open(ROOMY, { name: 'parcel', schema: parcel });
    expect(await store.list()).toEqual({ json: '[]' });
    expect(await store.list({ limit: 1 })).toEqual({ json: '[]' });
    expect(await store.find(FIRST_KEY)).toBeUndefined();
    expect(await store.update(FIRST_KEY, {})).toBeUndefined();
    expect(await store.remove(FIRST_KEY)).toBeUndefined();
    await store.create('a');
    expect(await store.pages(1)).toEqual([['a']]);
  });

  it('begins with the first item at its first version, and does not bring it back after it was removed', async () => {
    const store = await open();
    const [first] = (await store.items()) as [Parcel];
    expect(first).toEqual({ key: expect.any(String), ...parcels.first });
    expect(await store.find(first.key)).toMatchObject({ version: 1, item: first });
    await store.remove(first.key);
    expect(await store.list()).toEqual({ json: '[]' });
    expect(await store.find(first.key)).toBeUndefined();
  });

  it('finds what was created, with the members in the order of the schema', async () => {
    const store = await open();
    const texts = { label: '"\\\u0000\ud800👩‍👩‍👧', due: '2026-11-21T09:30:00Z', tags: ['x', '\udc00y'] };
    const members = aParcel({ ...texts, sizes: [null, -0.25, 1e200] });
    const created = (await store.add(members)) as ParcelVersion;
    expect(created.item).toEqual({ key: created.key, ...members });
    expect(await store.find(created.key)).toMatchObject({ version: 1, key: created.key, json: created.json });
    expect(Object.keys(JSON.parse(created.json))).toEqual(Object.keys(parcel.properties));
    expect(await store.labels()).toEqual(['first', texts.label]);
  });

  it("creates one item for an idempotency key, even if that is another item's key, and returns its first version again", async () => {
    const store = await open();
    const { key } = await store.create('another');
    const first = (await store.createOnce(key, 'a')) as ParcelVersion;
    await store.update(first.key, { label: 'b' });
    expect(await store.createOnce(key, 'a')).toMatchObject({ version: 1, json: first.json });
    expect(await store.createOnce(key, 'c')).toBe('Idempotency-Key reused');
    expect(first.key).not.toBe(key);
    expect(await store.labels()).toEqual(['first', 'another', 'b']);
  });

  it('creates another item for the same idempotency key an hour later', async () => {
    const store = await open();
    const start = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
    await store.createOnce('key-1', 'a');
    clock.mockReturnValue(start + 3_599_000);
    expect(await store.createOnce('key-1', 'b')).toBe('Idempotency-Key reused');
    clock.mockReturnValue(start + 3_600_000);
    expect(await store.createOnce('key-1', 'b')).toMatchObject({ version: 1 });
    clock.mockRestore();
    expect(await store.labels()).toEqual(['first', 'a', 'b']);
  });

  it('lists items in the order of their keys, even if they were created at the same time, some with an idempotency key', async () => {
    const store = await open();
    const create = (number: number) =>
      number % 2 ? store.create(`item ${number}`) : store.createOnce(`key-${number}`, `item ${number}`);
    await Promise.all(Array.from({ length: 10 }, (_, number) => create(number)));
    const keys = (await store.items()).map(({ key }) => key);
    expect(keys).toHaveLength(11);
    expect(keys).toEqual([...keys].sort());
    expect((await store.pages(3)).flat()).toEqual(await store.labels());
  });

  it('rejects an item that is too large each time it is sent with the same idempotency key', async () => {
    const store = await open(400);
    expect(await store.createOnce('key-1', 'x'.repeat(500_000))).toBe('too large');
    expect(await store.createOnce('key-1', 'x'.repeat(500_000))).toBe('too large');
  });

  it('changes the members that it is given, counts versions, and leaves earlier versions as they were', async () => {
    const store = await open();
    const before = await store.create('a');
    const { key, item } = before;
    expect(await store.update(key, { fragile: true })).toMatchObject({ version: 2, item: { ...item, fragile: true } });
    const changed = { ...item, fragile: true, label: 'b' };
    expect(await store.update(key, { label: 'b' })).toMatchObject({ version: 3, item: changed });
    expect(await store.update(key, {})).toMatchObject({ version: 4 });
    expect(await store.find(key)).toMatchObject({ version: 4, item: changed });
    expect(before).toMatchObject({ version: 1, item: { label: 'a' } });
  });

  it('removes an item once, returns what it was, and leaves nothing of it', async () => {
    const store = await open();
    const { key, item } = await store.create('a');
    expect(await store.remove(key)).toMatchObject({ version: 1, item });
    expect(await store.remove(key)).toBeUndefined();
    expect(await store.find(key)).toBeUndefined();
    expect(await store.update(key, { label: 'b' })).toBeUndefined();
    expect(await store.labels()).toEqual(['first']);
  });

  it.each([
    ['a key that nobody has', NOBODY],
    ['no key', ''],
    ['what is no GUID', 'x'],
    ['more than DynamoDB takes for a key', 'k'.repeat(3_000)],
    ['a GUID with another digit', `${NOBODY}0`],
  ])('has no item under %s', async (_what, key) => {
    const store = await open();
    expect(await store.find(key)).toBeUndefined();
    expect(await store.update(key, { label: 'b' })).toBeUndefined();
    expect(await store.remove(key)).toBeUndefined();
  });

  it('has a cursor only if the list continues', async () => {
    const store = await open();
    const { key } = await store.create('a');
    expect((await store.list({ limit: 2 })).next).toBeUndefined();
    expect((await store.list({ limit: 1 })).next).toBe(((await store.items()) as [Parcel])[0].key);
    await store.remove(key);
    expect((await store.list({ limit: 1 })).next).toBeUndefined();
  });
});

describe('the store in a table', () => {
  it('lists as many items as fit, to the byte, and continues behind the last one', async () => {
    const environment = await (await tables).create();
    const open = (capacity: number) => new Parcels(openTable(environment, parcels, capacity));
    const roomy = open(ROOMY);
    for (const label of ['a', 'b', '"é€😀\\\ud800']) await roomy.create(label);
    const { json: whole } = await roomy.list();
    const size = await roomy.size();
    expect(await open(size).list()).toEqual({ json: whole });
    const { json, next } = await open(size - 1).list();
    expect(JSON.parse(json)).toHaveLength(3);
    const rest = await open(size - 1).list({ after: next as string });
    expect(rest.next).toBeUndefined();
    expect(`${json.slice(0, -1)},${rest.json.slice(1)}`).toBe(whole);
  });

  it('keeps the idempotency keys of its resource apart from those of others in the same table', async () => {
    const environment = await (await tables).create();
    for (const name of ['parcel', 'crate']) {
      const store = new Parcels(openTable(environment, { ...parcels, name }));
      expect(await store.createOnce('key-1', `a ${name}`)).toMatchObject({ version: 1 });
      expect(await store.labels()).toEqual(['first', `a ${name}`]);
    }
  });

  it('gives each owner a collection of their own, with a first item and idempotency keys, apart from the shared one', async () => {
    const environment = await (await tables).create();
    const open = (owner?: string) => new Parcels(openTable(environment, parcels, ROOMY, owner));
    const all = [open(), open('https://login.example.com/ 1'), open('https://login.example.com/ 12')] as const;
    const keys = await Promise.all(
      all.map(async (store, number) => ((await store.createOnce('key-1', `${number}`)) as ParcelVersion).key),
    );
    await all[1].remove(FIRST_KEY);
    for (const [number, store] of all.entries()) {
      expect(await store.labels()).toEqual([...(number === 1 ? [] : ['first']), `${number}`]);
      for (const [other, key] of keys.entries()) {
        if (other === number) continue;
        expect(await store.find(key)).toBeUndefined();
        expect(await store.update(key, { label: 'x' })).toBeUndefined();
        expect(await store.remove(key)).toBeUndefined();
      }
    }
  });

  it('rejects an item that is too large for DynamoDB, and changes nothing', async () => {
    const store = await inTable();
    const { key } = await store.create('a');
    const label = 'x'.repeat(400 * 1_024);
    expect(await store.add({ label })).toBe('too large');
    expect(await store.update(key, { label })).toBe('too large');
    expect(await store.labels()).toEqual(['first', 'a']);
  });

  it('lists items that take more than one query', async () => {
    const store = await inTable();
    const large = Array.from({ length: 4 }, (_, number) => `${number}${'x'.repeat(380_000)}`);
    for (const label of large) await store.create(label);
    expect(await store.labels()).toEqual(['first', ...large]);
    expect(await store.pages(4)).toEqual([['first', ...large.slice(0, 3)], large.slice(3)]);
  });
});

describe('the store in memory', () => {
  it('makes the list again only after a change', async () => {
    const store = inMemory();
    await store.create('a');
    expect(await store.list()).toBe(await store.list());
  });

  it('gives its first item a new key each time', async () => {
    expect(await inMemory().list()).not.toEqual(await inMemory().list());
  });

  it('lists hundreds of items in order, after changes anywhere among them', async () => {
    const store = inMemory();
    const created: ParcelVersion[] = [];
    for (let number = 0; number < 350; number += 1) created.push(await store.create(`item ${number}`));
    const every = created.map(({ item }) => item.label);
    expect(await store.labels()).toEqual(['first', ...every]);
    expect((await store.pages(90)).flat()).toEqual(['first', ...every]);
    await store.update((created[150] as ParcelVersion).key, { label: 'changed' });
    for (const { key } of [...created.slice(0, 100), ...created.slice(200)]) await store.remove(key);
    await store.create('last');
    const left = every.slice(100, 200).map((label) => (label === 'item 150' ? 'changed' : label));
    expect(await store.labels()).toEqual(['first', ...left, 'last']);
    expect((await store.pages(30)).flat()).toEqual(['first', ...left, 'last']);
    expect(await store.labels({ after: (created[180] as ParcelVersion).key })).toEqual([...left.slice(81), 'last']);
    for (const { key } of created.slice(100, 199)) await store.remove(key);
    await store.create('after all');
    expect(await store.labels()).toEqual(['first', 'item 199', 'last', 'after all']);
  });

  it.each([
    ['plain text', 'plain'],
    ['quotes and backslashes', '"quotes" and \\'],
    ['control characters', '\u0000\n\t'],
    ['characters of two and three bytes', 'é€'],
    ['characters of four bytes', '👩‍👩‍👧'],
    ['half a surrogate pair', '\ud800'],
    ['characters that JSON need not escape', '\u2028\u007f'],
    ['thousands of control characters', '\u0000'.repeat(5_000)],
    ['thousands of halves of surrogate pairs', '\ud800'.repeat(5_000)],
  ])('is filled to the last byte with %s', async (_what, label) => {
    const roomy = inMemory();
    await roomy.create(label);
    await roomy.create(label);
    const size = await roomy.size();
    const exact = inMemory(size);
    await exact.create(label);
    await exact.create(label);
    expect(await exact.size()).toBe(size);
    const smaller = inMemory(size - 1);
    await smaller.create(label);
    expect(await smaller.add({ label })).toBe('full');
    expect(await smaller.labels()).toEqual(['first', label]);
  });

  it('distinguishes an item that could never fit from one that no longer fits', async () => {
    const size = await inMemory().size();
    const store = inMemory(size);
    const [{ key }] = (await store.items()) as [Parcel];
    expect(await store.add({ label: 'first' })).toBe('full');
    expect(await store.add({ label: 'first!' })).toBe('too large');
    expect(await store.update(key, { label: 'first!' })).toBe('too large');
    expect(await store.update(key, { label: 'FIRST' })).toMatchObject({ version: 2 });
    expect(await store.size()).toBe(size);
  });

  it('has space again after an item was shortened or removed, however large it was', async () => {
    const two = inMemory();
    await two.create('x'.repeat(100_000));
    const store = inMemory(await two.size());
    const [{ key }] = (await store.items()) as [Parcel];
    for (let round = 1; round < 3; round += 1) {
      const second = await store.create('second');
      await store.update(second.key, { label: 'x'.repeat(100_000) });
      expect(await store.update(key, { label: 'first!' })).toBe('full');
      await store.update(second.key, { label: 'x'.repeat(99_999) });
      expect(await store.update(key, { label: 'first!' })).toMatchObject({ item: { label: 'first!' } });
      await store.update(key, { label: 'first' });
      await store.remove(second.key);
    }
    expect(await store.labels()).toEqual(['first']);
  });

  it('does not remember the idempotency key of an item that did not fit, and creates the item once there is space', async () => {
    const store = inMemory(await inMemory().size());
    expect(await store.createOnce('key-1', 'a')).toBe('full');
    await store.remove(((await store.items()) as [Parcel])[0].key);
    expect(await store.createOnce('key-1', 'a')).toMatchObject({ version: 1 });
  });

  it('remembers the ten thousand idempotency keys that were used last', () => {
    const uses = new FirstUses();
    const use = firstUse(NOBODY, 'a digest');
    for (let number = 0; number < 10_000; number += 1) uses.remember(`key-${number}`, use);
    expect(uses.find('key-0')).toBe(use);
    uses.remember('key-0', use);
    uses.remember('another', use);
    expect([uses.find('key-0'), uses.find('key-1'), uses.find('key-2')]).toEqual([use, undefined, use]);
  });
});
