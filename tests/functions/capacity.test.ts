import { describe, expect, it } from '@jest/globals';
import { LARGEST_RESULT } from '../../shared/gateway/gateway.js';
import { kinds } from '../support/kinds.js';
import { loadHandler, startService } from '../support/service.js';

const NAME = '"'.repeat(1_000_000); // each quote takes four bytes of the result: \\\" in JSON within JSON

describe.each(kinds)('behind $name', (kind) => {
  it('refuses what does not fit, changes nothing, and can always list what there is', async () => {
    const service = startService(kind);
    const post = (name: string) => service.call('POST', '/api/todo', { body: { name } });
    expect((await post(NAME.repeat(2))).status).toBe(413);
    const { key } = (await post(NAME)).json;
    expect((await post(NAME.slice(0, 400_000))).status).toBe(201);
    const before = (await service.call('GET', '/api/todo')).text;

    expect((await post(NAME)).status).toBe(507);
    for (const method of ['PUT', 'PATCH']) {
      const write = (name: string) => service.call(method, `/api/todo/${key}`, { body: { key, name } });
      expect((await write(NAME.repeat(2))).status).toBe(413);
      expect((await write(NAME + NAME.slice(0, 300_000))).status).toBe(507);
    }
    expect((await service.call('GET', '/api/todo')).text).toBe(before);
    expect((await service.call('DELETE', `/api/todo/${key}`)).status).toBe(204);
    expect((await post(NAME)).status).toBe(201);
  });

  it("fills the result with the list up to the runtime's limit", async () => {
    const handle = loadHandler({ CORS_ORIGINS: '*' });
    const call = (method: string, path: string, body?: object) =>
      handle(
        kind.event({
          method,
          path,
          query: '',
          headers: { Origin: 'https://app.example.com' },
          body: body && JSON.stringify(body),
        }),
      );
    const post = (length: number) => call('POST', '/api/todo', { name: 'x'.repeat(length) });
    let room = LARGEST_RESULT;
    for (let step = room; step >= 1; step = Math.floor(step / 2)) {
      while (room >= step && ((await post(step)) as { statusCode: number }).statusCode === 201) room -= step;
    }
    const bytes = Buffer.byteLength(JSON.stringify(await call('GET', '/api/todo')));
    expect(bytes).toBeLessThanOrEqual(LARGEST_RESULT);
    expect(bytes).toBeGreaterThan(LARGEST_RESULT - 1_200);
  });
});
