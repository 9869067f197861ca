import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FirstUses, firstUse } from '../../../shared/store/idempotency.js';
import { MemoryStore } from '../../../shared/store/memory.js';
import type { Version } from '../../../shared/store/version.js';
import { aParcel, type Parcel, type parcel, parcels } from '../../support/service/parcels.js';

// What it has in common with the table is tested over the wire: tests/shared/rules/table.test.ts.

/** Opens a store that needs less to be written for each call. */
function open(capacity = 6_000_000) {
  const store = new MemoryStore(parcels, capacity);
  const items = async (): Promise<Parcel[]> => JSON.parse((await store.list({})).json);
  return {
    list: () => store.list({}),
    labels: async () => (await items()).map(({ label }) => label),
    firstKey: async () => (await items())[0]?.key as string,
    /** The bytes that the list takes inside a string of the result's JSON. */
    size: async () => Buffer.byteLength(JSON.stringify((await store.list({})).json)) - 2,
    create: async (label: string) => (await store.create(aParcel({ label }))) as Version<typeof parcel>,
    createWithKey: (label: string) => store.create(aParcel({ label }), 'key-1'),
    update: (key: string, label: string) => store.update(key, { label }, undefined),
    remove: (key: string) => store.remove(key, undefined),
  };
}

describe('the store in memory', () => {
  it('makes the list again only after a change', async () => {
    const store = open();
    const list = await store.list();
    expect(await store.list()).toBe(list);
    await store.create('a');
    expect(await store.list()).not.toEqual(list);
  });

  it('gives its first item a new key each time', async () => {
    expect(await open().firstKey()).not.toBe(await open().firstKey());
  });

  it('is filled to the last byte, whatever its items are', async () => {
    const unit = fc.constantFrom('a', '"', '\\', '\u0000', 'é', '€', '👩‍👩‍👧', '\ud800', '\u2028', '\u007f');
    const isFilled = fc.asyncProperty(fc.string({ unit, minLength: 1 }), async (label) => {
      const roomy = open();
      await roomy.create(label);
      const size = await roomy.size();
      expect(await open(size).create(label)).toMatchObject({ version: 1 });
      const smaller = open(size - 1);
      expect(await smaller.create(label)).toBe('full');
      expect(await smaller.labels()).toEqual(['first']);
    });
    await fc.assert(isFilled);
  });

  it('distinguishes an item that could never fit from one that no longer fits', async () => {
    const store = open(await open().size());
    const key = await store.firstKey();
    expect(await store.create('first')).toBe('full');
    expect(await store.create('first!')).toBe('too large');
    expect(await store.update(key, 'first!')).toBe('too large');
    expect(await store.update(key, 'FIRST')).toMatchObject({ version: 2 });
  });

  it('does not remember the idempotency key of an item that did not fit, and creates the item once there is space', async () => {
    const store = open(await open().size());
    expect(await store.createWithKey('a')).toBe('full');
    await store.remove(await store.firstKey());
    expect(await store.createWithKey('a')).toMatchObject({ version: 1 });
  });

  it('remembers the ten thousand idempotency keys that were used last', () => {
    const uses = new FirstUses();
    const use = firstUse('019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47', 'a digest');
    for (let number = 0; number < 10_000; number += 1) uses.remember(`key-${number}`, use);
    expect(uses.find('key-0')).toBe(use);
    uses.remember('key-0', use);
    uses.remember('another', use);
    expect([uses.find('key-0'), uses.find('key-1'), uses.find('key-2')]).toEqual([use, undefined, use]);
  });
});
