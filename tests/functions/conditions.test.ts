import { describe, expect, it } from '@jest/globals';
import { type Service, startService } from '../support/service.js';

/** An item at its second version, as a test finds it. */
async function itemAtVersion2(service: Service): Promise<string> {
  const { key } = (await service.call('POST', '/api/todo', { body: { name: 'a' } })).json;
  await service.call('PATCH', `/api/todo/${key}`, { body: { name: 'b' } });
  return `/api/todo/${key}`;
}

const writes = ['PUT', 'PATCH', 'DELETE'] as const;

async function write(service: Service, method: string, path: string, headers: Record<string, string>) {
  const body = method === 'DELETE' ? undefined : { key: path.split('/').pop(), name: 'c' };
  return service.call(method, path, { headers, body });
}

describe('an entity tag', () => {
  it('goes on beyond nine versions', async () => {
    const service = startService();
    const path = await itemAtVersion2(service);
    for (let version = 2; version < 12; version += 1) await service.call('PATCH', path, { body: {} });
    expect((await service.call('GET', path, { headers: { 'If-Match': '"12"' } })).status).toBe(200);
  });

  it('changes with every write, even one that leaves the item as it was', async () => {
    const service = startService();
    const path = await itemAtVersion2(service);
    expect((await service.call('GET', path)).headers.etag).toBe('"2"');
    await service.call('PATCH', path, { body: {} });
    expect((await service.call('GET', path)).headers.etag).toBe('"3"');
  });
});

describe('GET /api/todo/{id}', () => {
  it.each([
    ['If-None-Match', '"2"', 304],
    ['If-None-Match', 'W/"2"', 304],
    ['If-None-Match', '"1" , "2","x"', 304],
    ['If-None-Match', '*', 304],
    ['If-None-Match', ' * ', 304],
    ['If-None-Match', ' * ', 304],
    ['If-None-Match', '"1"', 200],
    ['If-None-Match', '"02"', 200],
    ['If-None-Match', '2', 200],
    ['If-None-Match', '', 200],
    ['If-Match', '"2"', 200],
    ['If-Match', '*', 200],
    ['If-Match', ' * ', 200],
    ['If-Match', '"1"', 412],
    ['If-Match', 'W/"2"', 412],
    ['If-Match', '', 412],
  ])('with %s: %s answers %i', async (name, tags, status) => {
    const service = startService();
    const answer = await service.call('GET', await itemAtVersion2(service), { headers: { [name]: tags } });
    expect(answer.status).toBe(status);
    if (status === 304) {
      expect(answer.text).toBe('');
      expect(answer.headers.etag).toBe('"2"');
      expect(answer.headers.vary).toBe('Accept');
      expect(answer.headers['cache-control']).toBe('no-store');
    }
    if (status === 412) expect(answer.json.detail).toMatch(/Get it and try again/);
  });

  it('knows versions of several digits', async () => {
    const service = startService();
    const path = await itemAtVersion2(service);
    for (let version = 2; version < 12; version += 1) await service.call('PATCH', path, { body: {} });
    expect((await service.call('GET', path, { headers: { 'If-Match': '"12"' } })).status).toBe(200);
    expect((await service.call('GET', path, { headers: { 'If-None-Match': '"12"' } })).status).toBe(304);
  });

  it('looks at If-Match first', async () => {
    const service = startService();
    const headers = { 'If-Match': '"1"', 'If-None-Match': '"2"' };
    expect((await service.call('GET', await itemAtVersion2(service), { headers })).status).toBe(412);
  });
});

describe.each(writes)('%s /api/todo/{id}', (method) => {
  it.each([
    ['If-Match', '"2"'],
    ['If-Match', '"7", "2"'],
    ['If-Match', '*'],
    ['If-None-Match', '"1"'],
  ])('goes through with %s: %s', async (name, tags) => {
    const service = startService();
    const path = await itemAtVersion2(service);
    expect((await write(service, method, path, { [name]: tags })).status).toBe(204);
  });

  it.each([
    ['If-Match', '"1"'],
    ['If-Match', 'W/"2"'],
    ['If-Match', '"another"'],
    ['If-None-Match', '"2"'],
    ['If-None-Match', 'W/"2"'],
    ['If-None-Match', '*'],
  ])('answers 412 with %s: %s, and changes nothing', async (name, tags) => {
    const service = startService();
    const path = await itemAtVersion2(service);
    expect((await write(service, method, path, { [name]: tags })).status).toBe(412);
    const { json, headers } = await service.call('GET', path);
    expect(json.name).toBe('b');
    expect(headers.etag).toBe('"2"');
  });

  it('answers 404 where there is no item, whatever version is demanded', async () => {
    const path = '/api/todo/00000000-0000-4000-8000-000000000000';
    expect((await write(startService(), method, path, { 'If-Match': '*' })).status).toBe(404);
  });
});
