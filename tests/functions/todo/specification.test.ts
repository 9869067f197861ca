import { afterAll, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../shared/store/store.js';
import { environmentOf, startTables } from '../../support/dynamodb/tables.js';
import { gateways } from '../../support/gateways/gateways.js';
import { expectStatus } from '../../support/service/answer.js';
import { startDeployed } from '../../support/service/deployed.js';
import type { Service } from '../../support/service/service.js';

// What the specification says of to-dos, in its own words and order.

const GUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const NOBODY = '00000000-0000-4000-8000-000000000000';

const tables = startTables();

afterAll(async () => (await tables).stop());

async function create(service: Service, body: object = { name: 'Walk the dog' }) {
  return (await expectStatus(201, service.call('POST', '/api/todo', { body }))).json;
}

describe.each(gateways)('behind $name', (gateway) => {
  it('creates, reads, lists, replaces, changes and deletes to-do items', async () => {
    const service = startDeployed(gateway);
    const { json: list } = await expectStatus(200, service.call('GET', '/api/todo'));
    expect(list).toEqual([{ key: expect.stringMatching(GUID), name: 'Item1', isComplete: false }]);
    const answer = await service.call('POST', '/api/todo', { body: { key: NOBODY, name: 'Walk the dog' } });
    const { key } = answer.json;
    expect(answer).toMatchObject({ status: 201, json: { name: 'Walk the dog', isComplete: false } });
    expect(key).toMatch(GUID);
    expect(key).not.toBe(NOBODY);
    expect(answer.headers.location).toBe(`${gateway.prefix}/api/todo/${key}`);
    const path = `/api/todo/${key}`;
    const read = async () => (await expectStatus(200, service.call('GET', path))).json;
    expect(await read()).toEqual(answer.json);
    const whole = { key, name: 'Feed the cat', isComplete: true };
    expect((await expectStatus(204, service.call('PUT', path, { body: whole }))).text).toBe('');
    expect(await read()).toEqual(whole);
    expect((await expectStatus(204, service.call('PATCH', path, { body: { isComplete: false } }))).text).toBe('');
    expect(await read()).toEqual({ key, name: 'Feed the cat', isComplete: false });
    expect((await expectStatus(204, service.call('DELETE', path))).text).toBe('');
    await expectStatus(404, service.call('GET', path));
  });

  it('matches paths in any letter case, decoded, with or without a slash at the end', async () => {
    const service = startDeployed(gateway);
    for (const path of [
      '/api/todo',
      '/API/Todo',
      '/api/todo/',
      '/api/%74odo',
      '/Swagger/V1/Swagger.JSON',
      '/SWAGGER/ui',
    ]) {
      await expectStatus(200, service.call('GET', path));
    }
  });

  it('answers GET /swagger/v1/swagger.json and /swagger/ui, and redirects / and /swagger to the page', async () => {
    const service = startDeployed(gateway);
    const { json } = await expectStatus(200, service.call('GET', '/swagger/v1/swagger.json'));
    expect(json).toMatchObject({ swagger: '2.0', info: { version: 'v1' }, basePath: '/', securityDefinitions: {} });
    const { content } = await service.call('GET', '/swagger/ui', { headers: { 'Accept-Encoding': 'gzip' } });
    expect(content.subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
    for (const path of ['/', '/swagger', '/Swagger/']) {
      const { headers } = await expectStatus(302, service.call('GET', path));
      expect(headers.location).toBe(`${gateway.prefix}/swagger/ui`);
    }
  });
});

describe.each([
  ['memory', async () => ({})],
  ['a table', async () => environmentOf(await (await tables).create())],
])('with the collection in %s', (_name, environment) => {
  const start = async () => startDeployed(undefined, await environment());

  it('a POST, PUT or PATCH without a body returns 400, and a POST above 1 MiB 413', async () => {
    const service = await start();
    const { key } = await create(service);
    for (const [method, path] of [
      ['POST', '/api/todo'],
      ['PUT', `/api/todo/${key}`],
      ['PATCH', `/api/todo/${key}`],
    ] as const) {
      for (const body of [undefined, '', 'null']) await expectStatus(400, service.call(method, path, { body }));
      await expectStatus(413, service.call(method, path, { body: 'x'.repeat(2 ** 20 + 1) }));
      const headers = { 'Content-Type': 'text/html' };
      await expectStatus(415, service.call(method, path, { headers, body: '<p>' }));
    }
  });

  it('a PUT checks its body and its key, then that there is the item, and then replaces it', async () => {
    const service = await start();
    const { key } = await create(service);
    const put = (id: string, body?: object) => service.call('PUT', `/api/todo/${id}`, { body });
    await expectStatus(400, put(NOBODY));
    await expectStatus(400, put(NOBODY, { key, name: 'a' }));
    await expectStatus(404, put(NOBODY, { key: NOBODY, name: 'a' }));
    await expectStatus(400, put(key, { name: 'a' }));
    await expectStatus(204, put(key.toUpperCase(), { key, name: 'a' }));
  });

  it('a PATCH keeps the stored key, and members that it leaves out', async () => {
    const service = await start();
    const { key } = await create(service, { name: 'a', isComplete: true });
    const patch = (id: string, body?: object) => service.call('PATCH', `/api/todo/${id}`, { body });
    await expectStatus(400, patch(NOBODY));
    await expectStatus(404, patch(NOBODY, { name: 'b' }));
    await expectStatus(204, patch(key, { key: NOBODY, name: 'b' }));
    expect((await service.call('GET', `/api/todo/${key}`)).json).toEqual({ key, name: 'b', isComplete: true });
  });

  it('GET, PUT, PATCH and DELETE of an item that does not exist return 404', async () => {
    const service = await start();
    for (const id of [NOBODY, 'no-guid']) {
      await expectStatus(404, service.call('GET', `/api/todo/${id}`));
      await expectStatus(404, service.call('PUT', `/api/todo/${id}`, { body: { key: id, name: 'a' } }));
      await expectStatus(404, service.call('PATCH', `/api/todo/${id}`, { body: {} }));
      await expectStatus(404, service.call('DELETE', `/api/todo/${id}`));
    }
  });

  it('a path without a route, and a method that the path does not have, return 404', async () => {
    const service = await start();
    await expectStatus(404, service.call('GET', '/api/other'));
    expect(await service.call('DELETE', '/api/todo')).toMatchObject({
      status: 404,
      headers: { allow: expect.stringContaining('POST') },
    });
  });

  it('entity tags, Idempotency-Key and CSRF protection work for each operation that has them', async () => {
    const service = await start();
    const { key } = await create(service);
    const path = `/api/todo/${key}`;
    const stale = { 'If-Match': '"7"' };
    await expectStatus(304, service.call('GET', path, { headers: { 'If-None-Match': '"1"' } }));
    for (const [method, body] of Object.entries({
      GET: undefined,
      PUT: { key, name: 'a' },
      PATCH: {},
      DELETE: undefined,
    })) {
      await expectStatus(412, service.call(method, path, { headers: stale, body }));
      await expectStatus(400, service.call(method, path, { headers: { 'If-Match': '7' }, body }));
      if (method === 'GET') continue;
      const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example.net' };
      await expectStatus(403, service.call(method, path, { headers, body }));
      await expectStatus(403, service.call('POST', '/api/todo', { headers, body: { name: 'a' } }));
    }
    const once = (name: string) =>
      service.call('POST', '/api/todo', { headers: { 'Idempotency-Key': 'once' }, body: { name } });
    expect((await once('a')).text).toBe((await once('a')).text);
    await expectStatus(422, once('b'));
    await expectStatus(400, service.call('GET', '/api/todo?limit=0'));
    expect((await service.call('GET', '/api/todo?limit=1')).headers.link).toContain('rel="next"');
  });
});

it('a list in memory that has no room left returns 507', async () => {
  const service = startDeployed();
  const large = 'x'.repeat(1_000_000);
  for (let filled = 0; filled < 6; filled += 1) await create(service, { name: large });
  const { key } = await create(service, { name: 'a' });
  await expectStatus(507, service.call('POST', '/api/todo', { body: { name: large } }));
  await expectStatus(507, service.call('PUT', `/api/todo/${key}`, { body: { key, name: large } }));
  await expectStatus(507, service.call('PATCH', `/api/todo/${key}`, { body: { name: large } }));
});

it.each([
  [500, new Error('the store burns')],
  [503, Object.assign(new Error('busy'), { retryAfter: 2, applied: false })],
])('an exception returns %i by every operation, without its message', async (status, error) => {
  const fail = async () => {
    throw error;
  };
  const items: Collection = { list: fail, find: fail, create: fail, update: fail, remove: fail };
  const service = startDeployed(undefined, {}, () => ({ for: () => items }));
  for (const [method, path, body] of [
    ['GET', '/api/todo', undefined],
    ['POST', '/api/todo', { name: 'a' }],
    ['GET', '/api/todo/1', undefined],
    ['PUT', '/api/todo/1', { key: '1', name: 'a' }],
    ['PATCH', '/api/todo/1', {}],
    ['DELETE', '/api/todo/1', undefined],
  ] as const) {
    expect((await expectStatus(status, service.call(method, path, { body }))).text).not.toContain(error.message);
  }
});
