import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { LARGEST_CONTENT } from '../../../shared/gateway/gateway.js';
import { openMemory } from '../../../shared/store/memory.js';
import { aParcel, type Parcel, parcels } from '../../support/service/parcels.js';
import { describeStore } from './every-store.js';

describeStore('in memory', (resource) => openMemory(resource, LARGEST_CONTENT));

const open = (capacity = LARGEST_CONTENT) => openMemory(parcels, capacity)({ requestId: 'request-1' });
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
      expect(await open(size).create(aParcel({ label }))).toMatchObject({ number: 1 });
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
    expect(await update('FIRST')).toMatchObject({ number: 2 });
    expect(await store.create(aParcel({ label: 'first' }), 'key-1')).toBe('full');
    await store.remove(key as string, undefined);
    expect(await store.create(aParcel({ label: 'first' }), 'key-1')).toMatchObject({ number: 1 });
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

  it('gives forms that differ in little tags of at most 60 characters, all of them different', async () => {
    const { tag } = await open().list({});
    const forms = Array.from({ length: 100_000 }, (_, number) => `limit=${number % 1_000}&after=${number}`);
    const tags = new Set(forms.map(tag));
    expect(tags.size).toBe(forms.length);
    expect(Math.max(...Array.from(tags, ({ length }) => length))).toBeLessThanOrEqual(60);
  });

  it('remembers the ten thousand idempotency keys that were used last', async () => {
    const store = open();
    const create = async (key: string, label = 'a') => {
      const created = await store.create(aParcel({ label }), key);
      return typeof created === 'string' ? created : created.key;
    };
    const keys: string[] = [];
    for (let number = 0; number < 10_000; number += 1) keys.push(await create(`key-${number}`));
    expect(await create('key-0')).toBe(keys[0]);
    // A later use of a key that has expired is remembered as long as any other.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_601_000);
    keys[0] = await create('key-0');
    clock.mockRestore();
    await create('another');
    expect([await create('key-0', 'b'), await create('key-2', 'b')]).toEqual(Array(2).fill('idempotency-key-reused'));
    expect(keys).not.toContain(await create('key-1'));
  });
});
