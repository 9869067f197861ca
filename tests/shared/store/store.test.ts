import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { FirstUses, firstUse } from '../../../shared/store/idempotency.js';
import { FIRST_KEY } from '../../../shared/store/key.js';
import { MemoryStore } from '../../../shared/store/memory.js';
import type { ListQuery, Precondition, Resource, Store } from '../../../shared/store/store.js';
import type { Version } from '../../../shared/store/version.js';
import { openTable, startTables } from '../../support/dynamodb/tables.js';
import { aParcel, type Parcel, type ParcelMembers, parcelSchema, parcels } from '../../support/service/fixtures.js';

const ROOMY = 6_000_000;
const NOBODY = '00000000-0000-4000-8000-000000000000';

type ParcelVersion = Version<typeof parcelSchema>;

const only = (version: number) => (found: number) => (found === version ? undefined : ('If-Match failed' as const));

const tables = startTables();

afterAll(async () => (await tables).stop());

/** A store with less to write for each call, and with what is expected of most calls. */
class Parcels {
  readonly #store: Store<typeof parcelSchema>;

  constructor(store: Store<typeof parcelSchema>) {
    this.#store = store;
  }

  async list(query: ListQuery = {}) {
    return this.#store.list(query, 'request-1');
  }

  async items(): Promise<Parcel[]> {
    return JSON.parse((await this.list()).json);
  }

  async labels(query: ListQuery = {}): Promise<string[]> {
    return labelsIn((await this.list(query)).json);
  }

  /** The labels page by page; what `between` does is done after each page. */
  async pages(limit: number, between = async () => {}): Promise<string[][]> {
    const found: string[][] = [];
    for (let after: string | undefined, more = true; more; more = after !== undefined) {
      const { json, next } = await this.list({ limit, ...(after !== undefined && { after }) });
      found.push(labelsIn(json));
      after = next;
      await between();
    }
    return found;
  }

  /** What the list takes inside a string of the result's JSON. */
  async size(): Promise<number> {
    return Buffer.byteLength(JSON.stringify((await this.list()).json)) - 2;
  }

  async find(key: string) {
    return this.#store.find(key, 'request-1');
  }

  async add(members: Partial<ParcelMembers>) {
    return this.#store.create(aParcel(members), 'request-1');
  }

  /** Creates a parcel that fits. */
  async create(label: string): Promise<ParcelVersion> {
    const created = await this.add({ label });
    if (typeof created === 'string') throw new Error(`${label}: ${created}`);
    return created;
  }

  async createOnce(idempotencyKey: string, label: string) {
    return this.#store.createOnce(idempotencyKey, aParcel({ label }), 'request-1');
  }

  async update(key: string, change: Partial<ParcelMembers>, precondition?: Precondition) {
    return this.#store.update(key, change, precondition, 'request-1');
  }

  async remove(key: string, precondition?: Precondition) {
    return this.#store.remove(key, precondition, 'request-1');
  }
}

function labelsIn(json: string): string[] {
  return JSON.parse(json).map(({ label }: Parcel) => label);
}

const inMemory = (capacity = ROOMY, resource: Resource<typeof parcelSchema> = parcels) =>
  new Parcels(new MemoryStore(resource, capacity));

const inTable = async (capacity = ROOMY, resource: Resource<typeof parcelSchema> = parcels) =>
  new Parcels(openTable(await (await tables).create(), resource, capacity));

describe.each([
  ['memory', async (...options: Parameters<typeof inTable>) => inMemory(...options)],
  ['a table', inTable],
])('the store in %s', (_kind, open) => {
  it('begins empty where the resource has no first item', async () => {
    const store = await open(ROOMY, { name: 'parcel', schema: parcelSchema });
    expect(await store.list()).toEqual({ json: '[]' });
    expect(await store.list({ limit: 1 })).toEqual({ json: '[]' });
    expect(await store.find(FIRST_KEY)).toBeUndefined();
    expect(await store.update(FIRST_KEY, {})).toBeUndefined();
    expect(await store.remove(FIRST_KEY)).toBeUndefined();
    await store.create('a');
    expect(await store.pages(1)).toEqual([['a']]);
  });

  it('begins with the first item, at its first version, and stays without it once it was removed', async () => {
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
    expect(Object.keys(JSON.parse(created.json))).toEqual(Object.keys(parcelSchema.properties));
    expect(await store.labels()).toEqual(['first', texts.label]);
  });

  it('creates an item once for an idempotency key, even that of another item, and gives its first version again', async () => {
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

  it('lists items in the order of their keys, where some of them were created once and at the same time', async () => {
    const store = await open();
    const create = (number: number) =>
      number % 2 ? store.create(`item ${number}`) : store.createOnce(`key-${number}`, `item ${number}`);
    await Promise.all(Array.from({ length: 10 }, (_, number) => create(number)));
    const keys = (await store.items()).map(({ key }) => key);
    expect(keys).toHaveLength(11);
    expect(keys).toEqual([...keys].sort());
    expect((await store.pages(3)).flat()).toEqual(await store.labels());
  });

  it('refuses an item that does not fit each time that it is to be created once', async () => {
    const store = await open(400);
    expect(await store.createOnce('key-1', 'x'.repeat(500_000))).toBe('too large');
    expect(await store.createOnce('key-1', 'x'.repeat(500_000))).toBe('too large');
  });

  it('finds a key in either letter case, and gives it in lower case', async () => {
    const store = await open();
    const { key } = await store.create('a');
    expect(key).toBe(key.toLowerCase());
    expect(await store.find(key.toUpperCase())).toMatchObject({ key });
    expect(await store.update(key.toUpperCase(), { label: 'b' })).toMatchObject({ key, version: 2 });
    expect(await store.remove(key.toUpperCase())).toMatchObject({ key });
    expect(await store.find(key)).toBeUndefined();
  });

  it('changes the members that it is given, counts versions, and leaves those of before as they were', async () => {
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

  it('removes an item once, gives what it was, and has nothing left of it', async () => {
    const store = await open();
    const { key, item } = await store.create('a');
    expect(await store.remove(key)).toMatchObject({ version: 1, item });
    expect(await store.remove(key)).toBeUndefined();
    expect(await store.find(key)).toBeUndefined();
    expect(await store.update(key, { label: 'b' })).toBeUndefined();
    expect(await store.labels()).toEqual(['first']);
  });

  it('writes only what the precondition admits', async () => {
    const store = await open();
    const { key, item } = await store.create('a');
    expect(await store.update(key, { label: 'b' }, only(2))).toBe('If-Match failed');
    expect(await store.remove(key, only(2))).toBe('If-Match failed');
    expect(await store.find(key)).toMatchObject({ version: 1, item });
    expect(await store.labels()).toEqual(['first', 'a']);
    expect(await store.update(key, { label: 'b' }, only(1))).toMatchObject({ version: 2 });
    expect(await store.remove(key, only(2))).toMatchObject({ version: 2 });
    expect(await store.update(key, {}, only(3))).toBeUndefined();
    expect(await store.remove(key, only(3))).toBeUndefined();
  });

  it.each([NOBODY, '', 'x', '#first', 'k'.repeat(3_000), `${NOBODY}0`])('has no item under %.20j', async (key) => {
    const store = await open();
    expect(await store.find(key)).toBeUndefined();
    expect(await store.update(key, { label: 'b' })).toBeUndefined();
    expect(await store.remove(key)).toBeUndefined();
  });

  it.each([{}, { limit: 10 }])('lists with %j what has become of the items since it was last asked', async (query) => {
    const store = await open();
    expect(await store.labels(query)).toEqual(['first']);
    const { key } = await store.create('a');
    expect(await store.labels(query)).toEqual(['first', 'a']);
    await store.create('b');
    expect(await store.labels(query)).toEqual(['first', 'a', 'b']);
    await store.update(key, { label: 'changed' });
    expect(await store.labels(query)).toEqual(['first', 'changed', 'b']);
    await store.remove(key);
    expect(await store.labels(query)).toEqual(['first', 'b']);
  });

  it('lists page by page in the order of creation, each page as long as is wanted', async () => {
    const store = await open();
    for (const label of ['a', 'b', 'c', 'd']) await store.create(label);
    expect(await store.pages(2)).toEqual([['first', 'a'], ['b', 'c'], ['d']]);
    expect(await store.pages(5)).toEqual([['first', 'a', 'b', 'c', 'd']]);
    expect(await store.pages(1)).toEqual([['first'], ['a'], ['b'], ['c'], ['d']]);
  });

  it('goes on behind any GUID, whether an item has it or had it or never did', async () => {
    const store = await open();
    const [a, b, c] = [await store.create('a'), await store.create('b'), await store.create('c')];
    await store.remove(b.key);
    expect(await store.labels({ after: a.key })).toEqual(['c']);
    expect(await store.labels({ after: b.key.toUpperCase() })).toEqual(['c']);
    expect(await store.labels({ after: c.key })).toEqual([]);
    expect(await store.labels({ after: '00000000-0000-0000-0000-000000000000' })).toEqual(['first', 'a', 'c']);
    expect(await store.labels({ after: 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF' })).toEqual([]);
  });

  it('has a cursor only where the list goes on', async () => {
    const store = await open();
    const { key } = await store.create('a');
    expect((await store.list({ limit: 2 })).next).toBeUndefined();
    expect((await store.list({ limit: 1 })).next).toBe(((await store.items()) as [Parcel])[0].key);
    await store.remove(key);
    expect((await store.list({ limit: 1 })).next).toBeUndefined();
  });

  it('shows what stays exactly once and in order, whatever is written between two pages', async () => {
    const store = await open();
    const created: ParcelVersion[] = [];
    for (let number = 0; number < 12; number += 1) created.push(await store.create(`item ${number}`));
    const doomed = created.filter((_, index) => index % 3 === 0);
    const staying = created.filter((_, index) => index % 3 !== 0);
    const late = ['late 1', 'late 2'];
    const found = await store.pages(2, async () => {
      const gone = doomed.pop();
      if (gone) await store.remove(gone.key);
      await store.update((staying[2] as ParcelVersion).key, { fragile: true });
      const label = late.shift();
      if (label) await store.create(label);
    });
    const listed = found.flat();
    const labels = staying.map(({ item }) => item.label);
    expect(listed.filter((label) => labels.includes(label))).toEqual(labels);
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed.slice(-2)).toEqual(['late 1', 'late 2']);
  });
});

describe('the store in a table', () => {
  it('lists as many items as fit, to the byte, and goes on behind the last one', async () => {
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

  it('refuses an item that DynamoDB takes for too large, and changes nothing', async () => {
    const store = await inTable();
    const { key } = await store.create('a');
    const label = 'x'.repeat(400 * 1_024);
    expect(await store.add({ label })).toBe('too large');
    expect(await store.update(key, { label })).toBe('too large');
    expect(await store.labels()).toEqual(['first', 'a']);
  });

  it('lists what takes more than one query', async () => {
    const store = await inTable();
    const large = Array.from({ length: 4 }, (_, number) => `${number}${'x'.repeat(380_000)}`);
    for (const label of large) await store.create(label);
    expect(await store.labels()).toEqual(['first', ...large]);
    expect(await store.pages(4)).toEqual([['first', ...large.slice(0, 3)], large.slice(3)]);
  });
});

describe('the store in memory', () => {
  it('makes the list anew only where it has changed', async () => {
    const store = inMemory();
    await store.create('a');
    expect(await store.list()).toBe(await store.list());
  });

  it('begins with an item of another key each time', async () => {
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
    'plain',
    '"quotes" and \\',
    '\u0000\n\t',
    'é€',
    '👩‍👩‍👧',
    '\ud800',
    '\u2028\u007f',
    '\u0000'.repeat(5_000),
    '\ud800'.repeat(5_000),
  ])('is filled to the last byte with %.20j', async (label) => {
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

  it('tells an item that could never fit from one that does not fit any more', async () => {
    const size = await inMemory().size();
    const store = inMemory(size);
    const [{ key }] = (await store.items()) as [Parcel];
    expect(await store.add({ label: 'first' })).toBe('full');
    expect(await store.add({ label: 'first!' })).toBe('too large');
    expect(await store.update(key, { label: 'first!' })).toBe('too large');
    expect(await store.update(key, { label: 'FIRST' })).toMatchObject({ version: 2 });
    expect(await store.size()).toBe(size);
  });

  it('has room again after an item was shortened or removed, however large it was', async () => {
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

  it('does not remember the idempotency key of an item that did not fit, and creates it once there is room', async () => {
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
