import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FirstUses, firstUse } from '../../../shared/store/first-use.js';
import { MemoryStore } from '../../../shared/store/memory.js';
import { aParcel, type Parcel, parcels } from '../../support/service/parcels.js';
import { describeStore } from './every-store.js';

describeStore('in memory', (resource, capacity) => new MemoryStore(resource, capacity));

const open = (capacity = 6_000_000) => new MemoryStore(parcels, capacity);
const itemsIn = async (store: ReturnType<typeof open>): Promise<Parcel[]> => JSON.parse((await store.list({})).json);
/** The bytes that the list takes inside a string of the result's JSON. */
const sizeOf = async (store: ReturnType<typeof open>) =>
  Buffer.byteLength(JSON.stringify((await store.list({})).json)) - 2;

describe('the store in memory', () => {
  it('makes the list again only after a change', async () => {
    const store = open();
    const list = await store.list({});
    expect(await store.list({})).toBe(list);
    await store.create(aParcel());
    expect(await store.list({})).not.toEqual(list);
  });

  it('is filled to the last byte, whatever its items are', async () => {
    const unit = fc.constantFrom('a', '"', '\\', '\u0000', 'é', '€', '👩‍👩‍👧', '\ud800', '\u2028', '\u007f');
    const isFilled = fc.asyncProperty(fc.string({ unit, minLength: 1 }), async (label) => {
      const roomy = open();
      await roomy.create(aParcel({ label }));
      const size = await sizeOf(roomy);
      expect(await open(size).create(aParcel({ label }))).toMatchObject({ version: 1 });
      const smaller = open(size - 1);
      expect(await smaller.create(aParcel({ label }))).toBe('full');
      expect(await itemsIn(smaller)).toMatchObject([{ label: 'first' }]);
    });
    await fc.assert(isFilled);
  });

  it('distinguishes an item that could never fit from one that no longer fits, whose idempotency key it forgets', async () => {
    const store = open(await sizeOf(open()));
    const [{ key }] = (await itemsIn(store)) as [Parcel];
    const update = (label: string) => store.update(key as string, { label }, undefined);
    expect(await store.create(aParcel({ label: 'first!' }))).toBe('item-too-large');
    expect(await update('first!')).toBe('item-too-large');
    expect(await update('FIRST')).toMatchObject({ version: 2 });
    expect(await store.create(aParcel({ label: 'first' }), 'key-1')).toBe('full');
    await store.remove(key as string, undefined);
    expect(await store.create(aParcel({ label: 'first' }), 'key-1')).toMatchObject({ version: 1 });
  });

  it('gives each form of the list a tag, unlike those of any other form, list or instance, until something changes', async () => {
    const store = open();
    const { tag } = await store.list({});
    const tags = [tag('a form'), tag('another form'), (await open().list({})).tag('a form')];
    expect([tag('a form'), (await store.list({ limit: 1 })).tag('another form')]).toEqual(tags.slice(0, 2));
    const [{ key }] = (await itemsIn(store)) as [Parcel];
    const writes = [
      () => store.create(aParcel()),
      () => store.update(key as string, {}, undefined),
      () => store.remove(key as string, undefined),
    ];
    for (const write of writes) {
      await write();
      tags.push((await store.list({})).tag('a form'));
    }
    expect(new Set(tags).size).toBe(tags.length);
    // The page from before is what it was.
    expect(tag('a form')).toBe(tags[0]);
  });

  it('remembers the tags of a thousand forms', async () => {
    const { tag } = await open().list({});
    const tags = Array.from({ length: 1_000 }, (_, form) => tag(String(form)));
    expect(tag('0')).toBe(tags[0]);
    tag('one more');
    expect(tag('0')).not.toBe(tags[0]);
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
