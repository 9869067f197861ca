import { describe, expect, it } from '@jest/globals';
import { startService } from '../support/service.js';

describe('the list of the collection in memory', () => {
  it('is in the order of creation, whatever becomes of the items', async () => {
    const service = startService();
    const create = async () => (await service.call('POST', '/api/todo', { body: { name: 'Walk the dog' } })).json.key;
    const [first] = (await service.call('GET', '/api/todo')).json;
    const keys = [first.key, await create(), await create(), await create()];
    await service.call('PATCH', `/api/todo/${keys[1]}`, { body: { isComplete: true } });
    await service.call('PUT', `/api/todo/${keys[0]}`, { body: { key: keys[0], name: 'Renamed' } });
    await service.call('DELETE', `/api/todo/${keys[2]}`);
    const items = (await service.call('GET', '/api/todo')).json;
    expect(items.map((item: { key: string }) => item.key)).toEqual([keys[0], keys[1], keys[3]]);
  });

  it('begins with an item of another key in each instance', async () => {
    const lists = await Promise.all([1, 2].map(() => startService().call('GET', '/api/todo')));
    const [one, other] = lists.map(({ json }) => json[0].key);
    expect(one).not.toBe(other);
  });
});
