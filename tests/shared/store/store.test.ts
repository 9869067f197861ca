import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { FIRST_KEY } from '../../../shared/store/key.js';
import { MemoryStore } from '../../../shared/store/memory.js';
import type { Resource, Store } from '../../../shared/store/store.js';
import type { Version } from '../../../shared/store/version.js';
import { openTable, startTables } from '../../support/dynamodb/tables.js';
import { aParcel, type Parcel, type ParcelMembers, parcelSchema, parcels } from '../../support/service/fixtures.js';

type ParcelStore = Store<typeof parcelSchema>;
type ParcelVersion = Version<typeof parcelSchema>;

const REQUEST = 'request-1';
const NOBODY = '00000000-0000-4000-8000-000000000000';
const only = (version: number) => (found: number) => (found === version ? undefined : ('If-Match failed' as const));

const tables = startTables();

afterAll(async () => (await tables).stop());

/** Creates a parcel that fits. */
async function create(store: ParcelStore, label: string): Promise<ParcelVersion> {
  const created = await store.create(aParcel({ label }), REQUEST);
  if (typeof created === 'string') throw new Error(`${label}: ${created}`);
  return created;
}

/** The labels on a page of the list. */
const labelsOf = ({ json }: { json: string }) => (JSON.parse(json) as Parcel[]).map(({ label }) => label);

async function labels(store: ParcelStore): Promise<string[]> {
  return labelsOf(await store.list({}, REQUEST));
}

/** The labels page by page; what `between` does is done after each page. */
async function pages(store: ParcelStore, limit: number, between = async () => {}): Promise<string[][]> {
  const found: string[][] = [];
  for (let after: string | undefined, more = true; more; more = after !== undefined) {
    const page = await store.list({ limit, ...(after !== undefined && { after }) }, REQUEST);
    found.push(labelsOf(page));
    after = page.next;
    await between();
  }
  return found;
}

/** What the list takes inside a string of the result's JSON. */
async function sizeOf(store: ParcelStore): Promise<number> {
  return Buffer.byteLength(JSON.stringify((await store.list({}, REQUEST)).json)) - 2;
}

const without = { name: 'parcel', schema: parcelSchema };

describe.each<
  [string, (capacity?: number, resource?: Resource<typeof parcelSchema>) => ParcelStore | Promise<ParcelStore>]
>([
  ['memory', (capacity = 6_000_000, resource = parcels) => new MemoryStore(resource, capacity)],
  ['a table', async (capacity, resource = parcels) => openTable(await (await tables).create(), resource, capacity)],
])('the store in %s', (_kind, open) => {
  const openWithout = () => open(undefined, without);

  it('begins empty where the resource has no first item', async () => {
    const store = await openWithout();
    expect(await store.list({}, REQUEST)).toEqual({ json: '[]' });
    expect(await store.list({ limit: 1 }, REQUEST)).toEqual({ json: '[]' });
    expect(await store.find(FIRST_KEY, REQUEST)).toBeUndefined();
    expect(await store.remove(FIRST_KEY, undefined, REQUEST)).toBeUndefined();
    await create(store, 'a');
    expect(await pages(store, 1)).toEqual([['a']]);
  });

  it('begins with the first item, at its first version', async () => {
    const store = await open();
    const [first] = JSON.parse((await store.list({}, REQUEST)).json);
    expect(first).toEqual({ key: expect.any(String), ...parcels.first });
    expect(await store.find(first.key, REQUEST)).toMatchObject({ version: 1, item: first });
  });

  it('finds what was created, with the members in the order of the schema', async () => {
    const store = await open();
    const members = aParcel({ label: 'a', due: '2026-11-21T09:30:00Z', tags: ['x', 'y'], sizes: [null, -0.25, 1e200] });
    const created = (await store.create(members, REQUEST)) as ParcelVersion;
    expect(created.item).toEqual({ key: created.key, ...members });
    const found = await store.find(created.key, REQUEST);
    expect(found).toMatchObject({ version: 1, key: created.key, json: created.json });
    expect(Object.keys(JSON.parse(created.json))).toEqual(Object.keys(parcelSchema.properties));
    expect(await store.find(NOBODY, REQUEST)).toBeUndefined();
  });

  it('creates an item once for an idempotency key, and gives its first version again', async () => {
    const store = await open();
    const first = (await store.createOnce('key-1', aParcel({ label: 'a' }), REQUEST)) as ParcelVersion;
    await store.update(first.key, { label: 'b' }, undefined, REQUEST);
    expect(await store.createOnce('key-1', aParcel({ label: 'a' }), REQUEST)).toMatchObject({
      version: 1,
      json: first.json,
    });
    expect(await store.createOnce('key-1', aParcel({ label: 'c' }), REQUEST)).toBe('Idempotency-Key reused');
    expect(await labels(store)).toEqual([parcels.first.label, 'b']);
  });

  it('creates another item for the same idempotency key an hour later', async () => {
    const store = await open();
    const start = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
    await store.createOnce('key-1', aParcel({ label: 'a' }), REQUEST);
    clock.mockReturnValue(start + 3_599_000);
    expect(await store.createOnce('key-1', aParcel({ label: 'b' }), REQUEST)).toBe('Idempotency-Key reused');
    clock.mockReturnValue(start + 3_600_000);
    expect(await store.createOnce('key-1', aParcel({ label: 'b' }), REQUEST)).toMatchObject({ version: 1 });
    clock.mockRestore();
    expect(await labels(store)).toEqual([parcels.first.label, 'a', 'b']);
  });

  it('keeps idempotency keys out of the list, whatever they are', async () => {
    const store = await open();
    const created = (await store.createOnce(
      '00000000-0000-7000-8000-000000000001',
      aParcel({ label: 'a' }),
      REQUEST,
    )) as ParcelVersion;
    expect(created.key).not.toBe('00000000-0000-7000-8000-000000000001');
    expect(await labels(store)).toEqual([parcels.first.label, 'a']);
  });

  it('lists items in the order of their keys, page by page, where some of them were created once and at the same time', async () => {
    const store = await open();
    await Promise.all(
      Array.from({ length: 10 }, (_, number) =>
        number % 2
          ? create(store, `item ${number}`)
          : store.createOnce(`key-${number}`, aParcel({ label: `item ${number}` }), REQUEST),
      ),
    );
    const keys = (JSON.parse((await store.list({}, REQUEST)).json) as Parcel[]).map(({ key }) => key);
    expect(keys).toHaveLength(11);
    expect(keys).toEqual([...keys].sort());
    expect((await pages(store, 3)).flat()).toEqual(await labels(store));
  });

  it('refuses an item that does not fit each time that it is to be created once', async () => {
    const store = await open(400);
    const huge = aParcel({ label: 'x'.repeat(500_000) });
    expect(await store.createOnce('key-1', huge, REQUEST)).toBe('too large');
    expect(await store.createOnce('key-1', huge, REQUEST)).toBe('too large');
  });

  it('finds a key in either letter case, and gives it in lower case', async () => {
    const store = await open();
    const { key } = await create(store, 'a');
    expect(key).toBe(key.toLowerCase());
    const shouted = key.toUpperCase();
    expect(await store.find(shouted, REQUEST)).toMatchObject({ key });
    expect(await store.update(shouted, { label: 'b' }, undefined, REQUEST)).toMatchObject({ key, version: 2 });
    expect(await store.remove(shouted, undefined, REQUEST)).toMatchObject({ key });
    expect(await store.find(key, REQUEST)).toBeUndefined();
  });

  it('changes the members that it is given, and counts versions', async () => {
    const store = await open();
    const { key, item } = await create(store, 'a');
    const change = async (members: object) => store.update(key, members, undefined, REQUEST);
    expect(await change({ fragile: true })).toMatchObject({ version: 2, item: { ...item, fragile: true } });
    expect(await change({ label: 'b' })).toMatchObject({ version: 3, item: { ...item, fragile: true, label: 'b' } });
    expect(await change({})).toMatchObject({ version: 4 });
    expect(await store.find(key, REQUEST)).toMatchObject({ version: 4, item: { ...item, fragile: true, label: 'b' } });
    expect(await store.update(NOBODY, { label: 'b' }, undefined, REQUEST)).toBeUndefined();
  });

  it('gives an item as it was then, whatever is changed afterwards', async () => {
    const store = await open();
    const before = await create(store, 'a');
    await store.update(before.key, { label: 'b' }, undefined, REQUEST);
    expect(before).toMatchObject({ version: 1, item: { label: 'a' } });
  });

  it('removes an item once, gives what it was, and has nothing left of it', async () => {
    const store = await open();
    const { key, item } = await create(store, 'a');
    expect(await store.remove(key, undefined, REQUEST)).toMatchObject({ version: 1, item });
    expect(await store.remove(key, undefined, REQUEST)).toBeUndefined();
    expect(await store.find(key, REQUEST)).toBeUndefined();
    expect(await store.update(key, { label: 'b' }, undefined, REQUEST)).toBeUndefined();
    expect(await labels(store)).toEqual(['first']);
  });

  it('stays without its first item once that was removed', async () => {
    const store = await open();
    const [{ key }] = JSON.parse((await store.list({}, REQUEST)).json);
    await store.remove(key, undefined, REQUEST);
    expect(await store.list({}, REQUEST)).toEqual({ json: '[]' });
    expect(await store.find(key, REQUEST)).toBeUndefined();
  });

  it('writes only what the precondition admits', async () => {
    const store = await open();
    const { key, item } = await create(store, 'a');
    expect(await store.update(key, { label: 'b' }, only(2), REQUEST)).toBe('If-Match failed');
    expect(await store.remove(key, only(2), REQUEST)).toBe('If-Match failed');
    expect(await store.find(key, REQUEST)).toMatchObject({ version: 1, item });
    expect(await store.update(key, { label: 'b' }, only(1), REQUEST)).toMatchObject({ version: 2 });
    expect(await store.remove(key, only(2), REQUEST)).toMatchObject({ version: 2 });
    expect(await store.update(key, {}, only(3), REQUEST)).toBeUndefined();
    expect(await store.remove(key, only(3), REQUEST)).toBeUndefined();
  });

  it.each(['', 'x', '#first', 'k'.repeat(3_000), `${NOBODY}0`])(
    'has no item under %.20j, which is no GUID',
    async (key) => {
      const store = await open();
      expect(await store.find(key, REQUEST)).toBeUndefined();
      expect(await store.update(key, { label: 'b' }, undefined, REQUEST)).toBeUndefined();
      expect(await store.remove(key, undefined, REQUEST)).toBeUndefined();
    },
  );

  it.each(['\ud800', 'a\udc00b', '👩‍👩‍👧', '\u0000', '"\\'])('keeps the text %j as it is', async (label) => {
    const store = await open();
    const { key } = await create(store, label);
    expect(await store.find(key, REQUEST)).toMatchObject({ item: { label } });
    expect(await store.update(key, { label: `${label}!` }, undefined, REQUEST)).toMatchObject({
      item: { label: `${label}!` },
    });
    expect(await labels(store)).toEqual(['first', `${label}!`]);
  });

  describe.each([{}, { limit: 10 }])('the list with %j', (query) => {
    const list = async (store: ParcelStore) => labelsOf(await store.list(query, REQUEST));

    it('shows what was created since it was last asked for', async () => {
      const store = await open();
      expect(await list(store)).toEqual(['first']);
      await create(store, 'a');
      expect(await list(store)).toEqual(['first', 'a']);
    });

    it('shows what was changed since, in its place', async () => {
      const store = await open();
      const { key } = await create(store, 'a');
      await create(store, 'b');
      expect(await list(store)).toEqual(['first', 'a', 'b']);
      await store.update(key, { label: 'changed' }, undefined, REQUEST);
      expect(await list(store)).toEqual(['first', 'changed', 'b']);
    });

    it('shows no more what was removed since', async () => {
      const store = await open();
      const { key } = await create(store, 'a');
      expect(await list(store)).toEqual(['first', 'a']);
      await store.remove(key, undefined, REQUEST);
      expect(await list(store)).toEqual(['first']);
    });

    it('stays as it is after a write that was rejected', async () => {
      const store = await open();
      const { key } = await create(store, 'a');
      await store.update(key, { label: 'b' }, only(7), REQUEST);
      await store.remove(key, only(7), REQUEST);
      expect(await list(store)).toEqual(['first', 'a']);
    });
  });

  it('lists page by page in the order of creation, each page as long as is wanted', async () => {
    const store = await open();
    for (const label of ['a', 'b', 'c', 'd']) await create(store, label);
    expect(await pages(store, 2)).toEqual([['first', 'a'], ['b', 'c'], ['d']]);
    expect(await pages(store, 5)).toEqual([['first', 'a', 'b', 'c', 'd']]);
    expect(await pages(store, 1)).toEqual([['first'], ['a'], ['b'], ['c'], ['d']]);
  });

  it('goes on behind any GUID, whether an item has it or had it or never did', async () => {
    const store = await open();
    const [a, b, c] = [await create(store, 'a'), await create(store, 'b'), await create(store, 'c')];
    await store.remove(b.key, undefined, REQUEST);
    const behind = async (after: string) => labelsOf(await store.list({ after }, REQUEST));
    expect(await behind(a.key)).toEqual(['c']);
    expect(await behind(b.key)).toEqual(['c']);
    expect(await behind(b.key.toUpperCase())).toEqual(['c']);
    expect(await behind(c.key)).toEqual([]);
    expect(await behind('00000000-0000-0000-0000-000000000000')).toEqual(['first', 'a', 'c']);
    expect(await behind('FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF')).toEqual([]);
  });

  it('has a cursor only where the list goes on', async () => {
    const store = await open();
    const { key } = await create(store, 'a');
    expect((await store.list({ limit: 2 }, REQUEST)).next).toBeUndefined();
    const { next } = await store.list({ limit: 1 }, REQUEST);
    expect(next).toBeDefined();
    await store.remove(key, undefined, REQUEST);
    expect((await store.list({ limit: 1 }, REQUEST)).next).toBeUndefined();
  });

  it('shows what stays exactly once and in order, whatever is written between two pages', async () => {
    const store = await open();
    const created: ParcelVersion[] = [];
    for (let number = 0; number < 12; number += 1) created.push(await create(store, `item ${number}`));
    const doomed = created.filter((_, index) => index % 3 === 0);
    const staying = created.filter((_, index) => index % 3 !== 0);
    let late = 0;
    const found = await pages(store, 2, async () => {
      const gone = doomed.pop();
      if (gone) await store.remove(gone.key, undefined, REQUEST);
      await store.update((staying[2] as ParcelVersion).key, { fragile: true }, undefined, REQUEST);
      late += 1;
      if (late <= 2) await create(store, `late ${late}`);
    });
    const listed = found.flat();
    expect(listed.filter((label) => staying.some(({ item }) => item.label === label))).toEqual(
      staying.map(({ item }) => item.label),
    );
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed.slice(-2)).toEqual(['late 1', 'late 2']);
  });
});

describe('the store in a table', () => {
  it('lists as many items as fit, to the byte, and goes on behind the last one', async () => {
    const environment = await (await tables).create();
    const roomy = openTable(environment, parcels);
    for (const label of ['a', 'b', '"é€😀\\\ud800']) await create(roomy, label);
    const { json: whole } = await roomy.list({}, REQUEST);
    const size = await sizeOf(roomy);
    expect(await openTable(environment, parcels, size).list({}, REQUEST)).toEqual({ json: whole });
    const store = openTable(environment, parcels, size - 1);
    const page = await store.list({}, REQUEST);
    expect(JSON.parse(page.json)).toHaveLength(3);
    const rest = await store.list({ after: page.next as string }, REQUEST);
    expect(rest.next).toBeUndefined();
    expect(`${page.json.slice(0, -1)},${rest.json.slice(1)}`).toBe(whole);
  });

  it('is empty at first for a resource without a first item', async () => {
    const store = openTable(await (await tables).create(), { ...parcels, first: undefined } as never);
    expect(await store.list({}, REQUEST)).toEqual({ json: '[]' });
    expect(await store.find(FIRST_KEY, REQUEST)).toBeUndefined();
    expect(await store.update(FIRST_KEY, {}, undefined, REQUEST)).toBeUndefined();
  });

  it('refuses an item that DynamoDB takes for too large, and changes nothing', async () => {
    const store = openTable(await (await tables).create(), parcels);
    const { key } = await create(store, 'a');
    const label = 'x'.repeat(400 * 1_024);
    expect(await store.create(aParcel({ label }), REQUEST)).toBe('too large');
    expect(await store.update(key, { label }, undefined, REQUEST)).toBe('too large');
    expect(await labels(store)).toEqual(['first', 'a']);
  });

  it('lists what takes more than one query', async () => {
    const store = openTable(await (await tables).create(), parcels);
    const large = Array.from({ length: 7 }, (_, number) => `${number}${'x'.repeat(300_000)}`);
    for (const label of large) await create(store, label);
    expect(await labels(store)).toEqual(['first', ...large]);
    expect(await pages(store, 6)).toEqual([['first', ...large.slice(0, 5)], large.slice(5)]);
  });
});

describe('the store in memory', () => {
  const roomy = () => new MemoryStore(parcels, 6_000_000);

  it('has the room of a removed item again, however it had grown before', async () => {
    const store = roomy();
    const large = 'x'.repeat(1_000_000);
    for (let round = 0; round < 20; round += 1) {
      const { key } = await create(store, 'a');
      expect(store.update(key, { label: large }, undefined)).toMatchObject({ version: 2 });
      expect(store.remove(key, undefined)).toMatchObject({ version: 2 });
    }
    expect(await labels(store)).toEqual(['first']);
  });

  it('makes the list anew only where it has changed', async () => {
    const store = roomy();
    await create(store, 'a');
    expect(store.list({})).toBe(store.list({}));
  });

  it('begins with an item of another key each time', () => {
    expect(roomy().list({})).not.toEqual(roomy().list({}));
  });

  it('lists hundreds of items in order, after changes anywhere among them', async () => {
    const store = roomy();
    const created: ParcelVersion[] = [];
    for (let number = 0; number < 350; number += 1) created.push(await create(store, `item ${number}`));
    const every = created.map(({ item }) => item.label);
    expect(await labels(store)).toEqual(['first', ...every]);
    expect((await pages(store, 90)).flat()).toEqual(['first', ...every]);
    store.update((created[150] as ParcelVersion).key, { label: 'changed' }, undefined);
    for (const { key } of [...created.slice(0, 100), ...created.slice(200)]) store.remove(key, undefined);
    await create(store, 'last');
    const left = every.slice(100, 200).map((label) => (label === 'item 150' ? 'changed' : label));
    expect(await labels(store)).toEqual(['first', ...left, 'last']);
    expect((await pages(store, 30)).flat()).toEqual(['first', ...left, 'last']);
    expect(labelsOf(store.list({ after: (created[180] as ParcelVersion).key }))).toEqual([...left.slice(81), 'last']);
    for (const { key } of created.slice(100, 199)) store.remove(key, undefined);
    await create(store, 'after all');
    expect(await labels(store)).toEqual(['first', 'item 199', 'last', 'after all']);
  });

  it.each(['plain', '"quotes" and \\', '\u0000\n\t', 'é€', '👩‍👩‍👧', '\ud800', '\u2028', '\u007f'])(
    'is filled to the last byte with %j',
    (label) => expectExactCapacity({ label }),
  );

  it.each([
    ['control characters', { label: '\u0000'.repeat(5_000) }],
    ['halves of surrogate pairs', { label: '\ud800'.repeat(5_000) }],
  ])('is filled to the last byte with many %s', (_what, members) => expectExactCapacity(members));

  async function expectExactCapacity(members: Partial<ParcelMembers>): Promise<void> {
    const open = roomy();
    open.create(aParcel(members));
    const beforeLast = await sizeOf(open);
    open.create(aParcel(members));
    const size = await sizeOf(open);
    const fill = (capacity: number) => {
      const store = new MemoryStore(parcels, capacity);
      return { store, outcomes: [1, 2].map(() => store.create(aParcel(members))) };
    };
    const exact = fill(size);
    expect(exact.outcomes).toEqual([expect.any(Object), expect.any(Object)]);
    expect(await sizeOf(exact.store)).toBe(size);
    const smaller = fill(size - 1);
    expect(smaller.outcomes).toEqual([expect.any(Object), 'full']);
    expect(await sizeOf(smaller.store)).toBe(beforeLast);
  }

  it('tells an item that could never fit from one that does not fit any more', async () => {
    const size = await sizeOf(roomy());
    const store = new MemoryStore(parcels, size);
    const [{ key }] = JSON.parse(store.list({}).json);
    expect(store.create(aParcel({ label: 'x' }))).toBe('full');
    expect(store.create(aParcel({ label: 'first' }))).toBe('full');
    expect(store.create(aParcel({ label: 'first!' }))).toBe('too large');
    expect(store.update(key, { label: 'first!' }, undefined)).toBe('too large');
    expect(store.update(key, { label: 'FIRST' }, undefined)).toMatchObject({ version: 2 });
    expect(await sizeOf(store)).toBe(size);
  });

  it('has room again after an item was shortened or removed', async () => {
    const two = roomy();
    await create(two, 'second');
    const store = new MemoryStore(parcels, await sizeOf(two));
    const second = await create(store, 'second');
    const [{ key }] = JSON.parse(store.list({}).json);
    expect(store.update(key, { label: 'first!' }, undefined)).toBe('full');
    store.update(second.key, { label: 'secon' }, undefined);
    expect(store.update(key, { label: 'first!' }, undefined)).toMatchObject({ version: 2 });
    store.remove(second.key, undefined);
    expect(store.create(aParcel({ label: 'third' }))).toMatchObject({ version: 1 });
  });
});

it('the store in memory does not remember the idempotency key of an item that did not fit, and creates it once there is room', async () => {
  const store = new MemoryStore(parcels, await sizeOf(new MemoryStore(parcels, 6_000_000)));
  expect(await store.createOnce('key-1', aParcel({ label: 'a' }))).toBe('full');
  store.remove(JSON.parse(store.list({}).json)[0].key, undefined);
  expect(await store.createOnce('key-1', aParcel({ label: 'a' }))).toMatchObject({ version: 1 });
});

it('the store in memory remembers ten thousand idempotency keys, and forgets the oldest first', async () => {
  const store = new MemoryStore(parcels, 6_000_000);
  const members = aParcel({ label: 'a' });
  const other = aParcel({ label: 'b' });
  for (let index = 0; index <= 10_000; index += 1) await store.createOnce(`key-${index}`, members);
  expect(await store.createOnce('key-1', other)).toBe('Idempotency-Key reused');
  expect(await store.createOnce('key-0', other)).toMatchObject({ version: 1 });
});
