import { afterAll, describe, expect, it } from '@jest/globals';
import { type StoredItem, storedItem } from '../../../shared/todo/item.js';
import { MemoryStore } from '../../../shared/todo/memory.js';
import type { TodoStore } from '../../../shared/todo/store.js';
import { FIRST, openTable, startTables } from '../../support/tables.js';

const keyOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const item = (number: number, name = `item ${number}`) => storedItem(keyOf(number), { name, isComplete: false }, 1);

async function names(store: TodoStore): Promise<string[]> {
  return JSON.parse((await store.list({}))?.json ?? '').map(({ name }: StoredItem) => name);
}

const tables = startTables();

afterAll(async () => (await tables).stop());

/** A table without the item that it begins with. */
async function emptyTable(): Promise<TodoStore> {
  const store = openTable(await (await tables).create());
  await store.remove(FIRST.key, {});
  return store;
}

describe.each<[string, () => TodoStore | Promise<TodoStore>]>([
  ['memory', () => new MemoryStore(6_000_000)],
  ['a table', emptyTable],
])('the store in %s', (kind, open) => {
  it('finds what was created', async () => {
    const store = await open();
    expect(await store.create(item(1))).toEqual(item(1));
    expect(await store.find(keyOf(1))).toEqual(item(1));
    expect(await store.find(keyOf(2))).toBeUndefined();
  });

  it('changes the members that it is given, and counts versions', async () => {
    const store = await open();
    await store.create(item(1));
    expect(await store.update(keyOf(1), { isComplete: true }, {})).toMatchObject({
      name: 'item 1',
      isComplete: true,
      version: 2,
    });
    expect(await store.update(keyOf(1), { name: 'b' }, {})).toMatchObject({
      name: 'b',
      isComplete: true,
      version: 3,
    });
    expect(await store.find(keyOf(1))).toEqual(storedItem(keyOf(1), { name: 'b', isComplete: true }, 3));
    expect(await store.update(keyOf(2), { name: 'b' }, {})).toBeUndefined();
  });

  it.each([
    ['plain', 'with "quotes"'],
    ['with "quotes"', 'plain'],
    ['back\\slash', 'é'],
  ])('has the JSON of an item as its name has become: %j, then %j', async (before, after) => {
    const store = await open();
    await store.create(item(1, before));
    await store.update(keyOf(1), { name: after }, {});
    const changed = await store.find(keyOf(1));
    expect(changed?.json).toBe(JSON.stringify({ key: keyOf(1), name: after, isComplete: false }));
    expect((await store.list({}))?.json).toBe(`[${changed?.json}]`);
  });

  it('removes an item once, and leaves nothing of it', async () => {
    const store = await open();
    await store.create(item(1));
    expect(await store.remove(keyOf(1), {})).toEqual(item(1));
    expect(await store.remove(keyOf(1), {})).toBeUndefined();
    expect(await store.find(keyOf(1))).toBeUndefined();
    expect(await store.create(item(1, 'another'))).toEqual(item(1, 'another'));
  });

  it('writes only what meets the condition', async () => {
    const store = await open();
    await store.create(item(1));
    expect(await store.update(keyOf(1), { name: 'b' }, { among: [2] })).toBe('stale');
    expect(await store.remove(keyOf(1), { except: '*' })).toBe('stale');
    expect(await store.find(keyOf(1))).toEqual(item(1));
    expect(await store.update(keyOf(1), { name: 'b' }, { among: [2, 1] })).toMatchObject({ version: 2 });
    expect(await store.remove(keyOf(1), { except: [1] })).toMatchObject({ version: 2 });
  });

  it('refuses to create an item under a key that is taken, and leaves the other as it is', async () => {
    const store = await open();
    await store.create(item(1));
    const create = async () => store.create(item(1, 'another'));
    await expect(create()).rejects.toThrow(/is taken/);
    await expect((async () => store.create(item(1)))()).rejects.toThrow(/is taken/);
    expect(await store.find(keyOf(1))).toEqual(item(1));
  });

  it.each(['', 'x', '#first', 'k'.repeat(3_000)])('has no item under %.20j, which is no GUID', async (key) => {
    const store = await open();
    expect(await store.find(key)).toBeUndefined();
    expect(await store.update(key, { name: 'b' }, {})).toBeUndefined();
    expect(await store.remove(key, {})).toBeUndefined();
  });

  it('takes conditions with any number of versions', async () => {
    const store = await open();
    await store.create(item(1));
    const many = Array.from({ length: 3_000 }, (_, index) => index + 2);
    expect(await store.update(keyOf(1), { name: 'b' }, { among: many })).toBe('stale');
    expect(await store.update(keyOf(1), { name: 'b' }, { among: [] })).toBe('stale');
    expect(await store.update(keyOf(1), { name: 'b' }, { except: many })).toMatchObject({ version: 2 });
    expect(await store.update(keyOf(1), { name: 'c' }, { except: many })).toBe('stale');
    expect(await store.update(keyOf(1), { name: 'c' }, { except: [] })).toMatchObject({ version: 3 });
    expect(await store.update(keyOf(1), { name: 'd' }, { among: many.slice(0, 100), except: [1, 2] })).toMatchObject({
      version: 4,
    });
    expect(await store.remove(keyOf(1), { among: many })).toMatchObject({ version: 4 });
    expect(await store.remove(keyOf(1), { among: many })).toBeUndefined();
    expect(await store.update(keyOf(1), {}, { except: '*' })).toBeUndefined();
  });

  it.each(['\ud800', 'a\udc00b', '👩‍👩‍👧', '\u0000', '"\\'])('keeps the name %j as it is', async (name) => {
    const store = await open();
    await store.create(item(1, name));
    expect(await store.find(keyOf(1))).toEqual(item(1, name));
    expect(await store.update(keyOf(1), { name: `${name}!` }, {})).toMatchObject({ name: `${name}!` });
    expect(await names(store)).toEqual([`${name}!`]);
  });

  it('lists part by part, each as long as is wanted', async () => {
    const store = await open();
    for (const number of [1, 2, 3, 4, 5]) await store.create(item(number));
    const whole = await names(store);
    const parts: string[][] = [];
    for (let after: string | undefined, more = true; more; more = after !== undefined) {
      const listing = await store.list({ limit: 2, after });
      parts.push(JSON.parse(listing?.json ?? '').map(({ name }: StoredItem) => name));
      after = listing?.next;
    }
    expect(parts).toEqual([whole.slice(0, 2), whole.slice(2, 4), whole.slice(4)]);
    expect(await store.list({ limit: 5 })).not.toHaveProperty('next');
  });

  it.each(['', 'x', '-1', '1.5', '\u0000', `0${keyOf(1)}`, `${keyOf(1)}0`])('knows no place %j', async (after) => {
    expect(await (await open()).list({ after })).toBeUndefined();
  });

  it('knows no place of another store', async () => {
    const store = await open();
    expect(await store.list({ after: kind === 'memory' ? keyOf(1) : '17' })).toBeUndefined();
  });

  it('lists hundreds of items, after changes anywhere in them', async () => {
    const store = await open();
    const inOrder = (listed: string[]) => (kind === 'memory' ? listed : listed.sort());
    const numbers = Array.from({ length: 350 }, (_, number) => number);
    for (const number of numbers) await store.create(item(number));
    expect(inOrder(await names(store))).toEqual(inOrder(numbers.map((number) => `item ${number}`)));
    expect(await store.list({ limit: 100 })).toHaveProperty('next');
    await store.update(keyOf(150), { name: 'changed' }, {});
    for (const number of numbers.filter((number) => number >= 200)) await store.remove(keyOf(number), {});
    for (const number of numbers.filter((number) => number < 100)) await store.remove(keyOf(number), {});
    await store.create(item(400));
    const left = numbers.slice(100, 200).map((number) => (number === 150 ? 'changed' : `item ${number}`));
    expect(inOrder(await names(store))).toEqual(inOrder([...left, 'item 400']));
    expect(await store.list({})).toEqual(await store.list({}));
  });
});

describe('the store in a table', () => {
  it('lists as many items as fit, to the byte, and goes on behind the last one', async () => {
    const environment = await (await tables).create();
    const roomy = openTable(environment);
    for (const number of [1, 2, 3]) await roomy.create(item(number));
    const whole = (await roomy.list({}))?.json ?? '';
    const size = Buffer.byteLength(JSON.stringify(whole)) - 2;
    expect(await openTable(environment, size).list({})).toEqual({ json: whole });
    const store = openTable(environment, size - 1);
    const part = await store.list({});
    expect(JSON.parse(part?.json ?? '')).toHaveLength(3);
    const rest = await store.list({ after: part?.next });
    expect(rest).not.toHaveProperty('next');
    expect(`${part?.json.slice(0, -1)},${rest?.json.slice(1)}`).toBe(whole);
  });
});

describe('the store in memory', () => {
  it('makes the list anew only where it has changed', async () => {
    const store = new MemoryStore(6_000_000);
    store.create(item(1));
    expect(store.list({})).toBe(store.list({}));
  });

  it("has a new list for whoever goes on from a place in an earlier instance's", async () => {
    const earlier = new MemoryStore(6_000_000);
    for (const number of [1, 2]) earlier.create(item(number));
    const after = earlier.list({ limit: 1 })?.next;
    await new Promise((resolve) => setTimeout(resolve, 5));
    const store = new MemoryStore(6_000_000);
    store.create(item(3));
    expect(store.list({ after })).toEqual(store.list({}));
  });

  /** What the list takes in the result: as a string in JSON, without that string's own quotes. */
  const size = (store: MemoryStore) => Buffer.byteLength(JSON.stringify(store.list({})?.json)) - 2;

  it.each(['plain', '"quotes" and \\', '\\', '\u0000\n\t', 'é€', '👩‍👩‍👧', '\ud800', '\u2028', '\u007f'])(
    'is filled to the last byte with %j',
    (name) => {
      const items = [item(1, name), item(2, name), storedItem(keyOf(3), { name, isComplete: true }, 1)];
      const open = new MemoryStore(6_000_000);
      for (const one of items) open.create(one);
      const exact = new MemoryStore(size(open));
      for (const one of items) expect(exact.create(one)).toEqual(one);
      const smaller = new MemoryStore(size(open) - 1);
      expect(items.map((one) => smaller.create(one))).toEqual([items[0], items[1], 'no room']);
      expect(size(smaller)).toBeLessThan(size(open));
    },
  );

  it('tells an item that could never fit from one that does not fit any more', () => {
    const store = new MemoryStore(size(filled()) - 1);
    expect(store.create(item(1))).toBe('too large');
    const exact = filled();
    const fits = new MemoryStore(size(exact));
    expect(fits.create(item(1))).toEqual(item(1));
    expect(fits.create(item(2, 'x'))).toBe('no room');
    expect(fits.update(keyOf(1), { name: 'item 10' }, {})).toBe('too large');
    expect(fits.update(keyOf(1), { name: 'item 2', isComplete: true }, {})).toMatchObject({ isComplete: true });
  });

  it('has room again after an item was shortened or removed', () => {
    const two = filled();
    two.create(item(2));
    const store = new MemoryStore(size(two));
    store.create(item(1));
    store.create(item(2));
    expect(store.update(keyOf(1), { name: 'item one' }, {})).toBe('no room');
    store.update(keyOf(2), { name: '2' }, {});
    expect(store.update(keyOf(1), { name: 'item one' }, {})).toMatchObject({ name: 'item one' });
    store.remove(keyOf(1), {});
    store.remove(keyOf(2), {});
    store.create(item(3));
    expect(store.create(item(4))).toEqual(item(4));
  });

  function filled() {
    const store = new MemoryStore(6_000_000);
    store.create(item(1));
    return store;
  }
});
