import { describe, expect, it } from '@jest/globals';
import { storedItem } from '../../../shared/todo/item.js';
import { later } from '../../../shared/todo/later.js';

const item = storedItem('key', { name: 'a', isComplete: false }, 1);

describe('a store whose code could not be loaded', () => {
  it('tells everyone who asks for it, and nobody else', async () => {
    const store = later(Promise.reject(new Error('the file is broken')));
    await new Promise((resolve) => setImmediate(resolve));
    await expect(store.list({})).rejects.toThrow('the file is broken');
    await expect(store.find('key')).rejects.toThrow('the file is broken');
    await expect(store.create(item)).rejects.toThrow('the file is broken');
    await expect(store.update('key', {})).rejects.toThrow('the file is broken');
    await expect(store.remove('key')).rejects.toThrow('the file is broken');
  });
});
