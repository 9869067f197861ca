import { describe, expect, it } from '@jest/globals';
import { deferred } from '../../../shared/store/deferred.js';
import { MemoryStore } from '../../../shared/store/memory.js';
import { aParcel, type parcelSchema, parcels } from '../../support/service/fixtures.js';

describe('a store whose code is loaded when it is used', () => {
  it('does all that the store itself does', async () => {
    const store = deferred(Promise.resolve(new MemoryStore(parcels, 6_000_000)));
    const created = await store.create(aParcel({ label: 'a' }), '');
    if (typeof created === 'string') throw new Error(created);
    expect(await store.find(created.key, '')).toBe(created);
    expect(await store.update(created.key, { label: 'b' }, undefined, '')).toMatchObject({ item: { label: 'b' } });
    expect(JSON.parse((await store.list({}, '')).json)).toHaveLength(2);
    expect(await store.remove(created.key, undefined, '')).toMatchObject({ version: 2 });
  });

  it('tells everyone who asks for it that it could not be loaded, and nobody else', async () => {
    const store = deferred<typeof parcelSchema>(Promise.reject(new Error('the file is broken')));
    await new Promise((resolve) => setImmediate(resolve));
    await expect(store.list({}, '')).rejects.toThrow('the file is broken');
    await expect(store.find('key', '')).rejects.toThrow('the file is broken');
    await expect(store.create(aParcel(), '')).rejects.toThrow('the file is broken');
    await expect(store.update('key', {}, undefined, '')).rejects.toThrow('the file is broken');
    await expect(store.remove('key', undefined, '')).rejects.toThrow('the file is broken');
  });
});
