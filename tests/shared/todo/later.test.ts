import { describe, expect, it } from '@jest/globals';
import { later } from '../../../shared/todo/later.js';

describe('a store whose code could not be loaded', () => {
  it('tells everyone who asks for it, and nobody else', async () => {
    const store = later(Promise.reject(new Error('the file is broken')));
    await new Promise((resolve) => setImmediate(resolve));
    await expect(store.list({})).rejects.toThrow('the file is broken');
    await expect(store.find('key')).rejects.toThrow('the file is broken');
  });
});
