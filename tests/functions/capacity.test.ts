import { expect, it } from '@jest/globals';
import { startService } from '../support/service.js';

const NAME = '"'.repeat(1_000_000); // each quote takes four bytes of the result: \\\" in JSON within JSON

it('a write that does not fit is refused and changes nothing, and there is room again when something was deleted', async () => {
  const service = startService();
  const post = (name: string) => service.call('POST', '/api/todo', { body: { name } });
  const tooLarge = await post(NAME.repeat(2));
  expect(tooLarge.status).toBe(413);
  expect(tooLarge.json.detail).toMatch(/larger than one may be. Shorten its name/);
  const { key } = (await post(NAME)).json;
  expect((await post(NAME.slice(0, 400_000))).status).toBe(201);
  const before = (await service.call('GET', '/api/todo')).text;

  const noRoom = await post(NAME);
  expect(noRoom.status).toBe(507);
  expect(noRoom.json.detail).toMatch(/no room left .* delete other items first/);
  for (const method of ['PUT', 'PATCH']) {
    const write = (name: string) => service.call(method, `/api/todo/${key}`, { body: { key, name } });
    expect((await write(NAME.repeat(2))).status).toBe(413);
    expect((await write(NAME + NAME.slice(0, 300_000))).status).toBe(507);
  }
  expect((await service.call('GET', '/api/todo')).text).toBe(before);
  expect((await service.call('DELETE', `/api/todo/${key}`)).status).toBe(204);
  expect((await post(NAME)).status).toBe(201);
});
