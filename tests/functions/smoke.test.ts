import { describe, expect, it } from '@jest/globals';
import { gateways } from '../support/gateways/gateways.js';
import { startService } from '../support/service/service.js';

describe.each(gateways)('behind $name', (gateway) => {
  it('all six operations do their work, under the prefix that the caller used', async () => {
    const service = startService(gateway);
    const call = (method: string, path: string, body?: object) => service.call(method, path, { body });
    const [first] = (await call('GET', '/api/todo')).json;
    const created = await call('POST', '/api/todo', { name: 'Café "€" 😀' });
    expect(created.status).toBe(201);
    const { key } = created.json;
    const path = `/api/todo/${key}`;
    expect(created.headers.location).toBe(`${gateway.prefix}${path}`);
    expect((await call('PUT', path, { key, name: 'Walk the dog' })).status).toBe(204);
    expect((await call('PATCH', path, { isComplete: true })).headers.etag).toBe('"3"');
    const found = await call('GET', path);
    expect(found.json).toEqual({ ...created.json, name: 'Walk the dog', isComplete: true });
    const page = await call('GET', '/api/todo?limit=1');
    expect(page.json).toEqual([first]);
    expect(page.headers.link).toBe(`<${gateway.prefix}/api/todo?limit=1&after=${first.key}>; rel="next"`);
    expect((await call('GET', `/api/todo?after=${first.key}`)).json).toEqual([found.json]);
    expect((await call('DELETE', path)).status).toBe(204);
    const notFound = await call('GET', path);
    expect(notFound).toMatchObject({ status: 404, json: { status: 404, requestId: expect.stringMatching(/./) } });
  });
});
