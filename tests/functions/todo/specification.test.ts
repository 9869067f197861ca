import { afterAll, describe, expect, it } from '@jest/globals';
import { Unavailable } from '../../../shared/dynamodb/unavailable.js';
import { LARGEST_CONTENT } from '../../../shared/gateway/gateway.js';
import type { Collection } from '../../../shared/store/store.js';
import { environmentOf, startTables } from '../../support/dynamodb/tables.js';
import { gateways } from '../../support/gateways/gateways.js';
import { expectStatus } from '../../support/service/answer.js';
import { startDeployed } from '../../support/service/deployed.js';
import { OPERATIONS } from '../../support/service/documented.js';

// What the specification says of to-dos, in its own words and order, then the wire format, spelled out.

const GUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const NOBODY = '00000000-0000-4000-8000-000000000000';

const tables = startTables();

afterAll(async () => (await tables).stop());

/** Where items are makes no difference to a gateway, so one of them is enough for the table. */
const places = [
  ...gateways.map((gateway) => ({ gateway, where: 'memory', environment: async () => ({}) })),
  ...gateways.slice(0, 1).map((gateway) => ({
    gateway,
    where: 'a table',
    environment: async () => environmentOf(await (await tables).create()),
  })),
];

describe.each(places)('behind $gateway.name, with items in $where', ({ gateway, environment }) => {
  const service = startDeployed(gateway);

  it('creates, reads, lists, replaces, changes and deletes to-do items', async () => {
    const service = startDeployed(gateway, await environment());
    const { json: list } = await expectStatus(200, service.call('GET', '/api/todo'));
    expect(list).toEqual([{ key: expect.stringMatching(GUID), name: 'Item1', isComplete: false }]);
    const answer = await service.call('POST', '/api/todo', { body: { key: NOBODY, name: 'Walk the dog' } });
    const { key } = answer.json;
    expect(answer).toMatchObject({ status: 201, json: { name: 'Walk the dog', isComplete: false } });
    expect(key).toMatch(GUID);
    expect(key).not.toBe(NOBODY);
    expect(answer.headers.location).toBe(`${gateway.prefix}/api/todo/${key}`);
    expect((await service.call('GET', '/api/todo')).json).toEqual([...list, answer.json]);
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

  it('lists what is open or what is done, page by page, and says when nothing has changed', async () => {
    const service = startDeployed(gateway, await environment());
    const create = async (name: string, isComplete: boolean) =>
      (await expectStatus(201, service.call('POST', '/api/todo', { body: { name, isComplete } }))).json;
    const done = await create('Walk the dog', true);
    const open = await create('Feed the cat', false);
    const list = async (query: string) => {
      const { json, headers } = await expectStatus(200, service.call('GET', `/api/todo${query}`));
      return {
        names: json.map(({ name }: { name: string }) => name),
        link: headers.link,
        etag: headers.etag as string,
      };
    };
    expect((await list('?isComplete=true')).names).toEqual(['Walk the dog']);
    expect((await list('?isComplete=false')).names).toEqual(['Item1', 'Feed the cat']);
    const { names, link } = await list('?isComplete=false&limit=1');
    const [first] = (await service.call('GET', '/api/todo')).json;
    const next = `/api/todo?isComplete=false&limit=1&after=${first.key}`;
    expect([names, link]).toEqual([['Item1'], `<${gateway.prefix}${next}>; rel="next"`]);
    expect((await list(next.slice('/api/todo'.length))).names).toEqual(['Feed the cat']);
    const { etag } = await list('');
    const headers = { 'If-None-Match': etag };
    await expectStatus(304, service.call('GET', '/api/todo', { headers }));
    await expectStatus(412, service.call('GET', '/api/todo', { headers: { 'If-Match': '"another"' } }));
    await expectStatus(204, service.call('PATCH', `/api/todo/${open.key}`, { body: { isComplete: true } }));
    await expectStatus(200, service.call('GET', '/api/todo', { headers }));
    expect((await service.call('GET', '/api/todo?isComplete=true')).json).toEqual([
      done,
      { ...open, isComplete: true },
    ]);
    await expectStatus(400, service.call('GET', '/api/todo?isComplete=yes'));
  });

  it('matches paths in any letter case, decoded, with or without a slash at the end', async () => {
    const lists = ['/api/todo', '/API/Todo', '/api/todo/', '/api/%74odo'];
    for (const path of [...lists, '/Swagger/V1/Swagger.JSON', '/SWAGGER/ui'])
      await expectStatus(200, service.call('GET', path));
  });

  it('answers GET /swagger/v1/swagger.json and /swagger/ui, and redirects / and /swagger to the page', async () => {
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

const service = startDeployed();

async function create(body: object = { name: 'Walk the dog' }): Promise<{ readonly key: string }> {
  return (await expectStatus(201, service.call('POST', '/api/todo', { body }))).json;
}

it.each(['POST', 'PUT', 'PATCH'])('a %s without a body returns 400, above 1 MiB 413, of HTML 415', async (method) => {
  const path = method === 'POST' ? '/api/todo' : `/api/todo/${(await create()).key}`;
  for (const body of [undefined, '', 'null']) await expectStatus(400, service.call(method, path, { body }));
  await expectStatus(413, service.call(method, path, { body: 'x'.repeat(2 ** 20 + 1) }));
  const headers = { 'Content-Type': 'text/html' };
  await expectStatus(415, service.call(method, path, { headers, body: '<p>' }));
});

it('a PUT checks its body and its key, then that there is the item, and then replaces it', async () => {
  const { key } = await create();
  const put = (id: string, body?: object) => service.call('PUT', `/api/todo/${id}`, { body });
  await expectStatus(400, put(NOBODY));
  await expectStatus(400, put(NOBODY, { key, name: 'a' }));
  await expectStatus(404, put(NOBODY, { key: NOBODY, name: 'a' }));
  await expectStatus(400, put(key, { name: 'a' }));
  await expectStatus(204, put(key, { key, name: 'a', isComplete: true }));
  await expectStatus(204, put(key.toUpperCase(), { key, name: 'b' }));
  expect((await service.call('GET', `/api/todo/${key}`)).json).toEqual({ key, name: 'b', isComplete: false });
});

it('a PATCH keeps the stored key, and members that it leaves out', async () => {
  const { key } = await create({ name: 'a', isComplete: true });
  const patch = (id: string, body?: object) => service.call('PATCH', `/api/todo/${id}`, { body });
  await expectStatus(400, patch(NOBODY));
  await expectStatus(404, patch(NOBODY, { name: 'b' }));
  await expectStatus(204, patch(key, { key: NOBODY, name: 'b' }));
  expect((await service.call('GET', `/api/todo/${key}`)).json).toEqual({ key, name: 'b', isComplete: true });
});

it.each([NOBODY, 'no-guid'])('GET, PUT, PATCH and DELETE of %s, which does not exist, return 404', async (key) => {
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'])
    await expectStatus(404, service.call(method, `/api/todo/${key}`, { body: { key, name: 'a' } }));
});

it('a path without a route, and a method that the path does not have, return 404', async () => {
  await expectStatus(404, service.call('GET', '/api/other'));
  const { headers } = await expectStatus(404, service.call('DELETE', '/api/todo'));
  expect(headers.allow).toContain('POST');
});

it.each([
  [500, new Error('the store burns')],
  [503, new Unavailable('busy', { applied: false })],
])('an exception returns %i by every operation, without its message', async (status, error) => {
  const fail = async () => {
    throw error;
  };
  const items: Collection = { list: fail, find: fail, create: fail, update: fail, remove: fail };
  const { call } = startDeployed(undefined, {}, () => () => items);
  for (const [method, path] of OPERATIONS) {
    const answering = call(method, path.replace('{id}', '1'), { body: { key: '1', name: 'a' } });
    expect((await expectStatus(status, answering)).text).not.toContain(error.message);
  }
});

it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('%s of an item checks If-Match, and writes their origin', async (method) => {
  const { key } = await create();
  const send = (headers: Record<string, string>) =>
    service.call(method, `/api/todo/${key}`, { headers, body: { key, name: 'a' } });
  await expectStatus(412, send({ 'If-Match': '"7"' }));
  await expectStatus(400, send({ 'If-Match': '7' }));
  await expectStatus(method === 'GET' ? 304 : 412, send({ 'If-None-Match': '*' }));
  if (method === 'GET') await expectStatus(304, send({ 'If-None-Match': '"1"' }));
  else await expectStatus(403, send({ 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example.net' }));
});

it('a POST checks its origin and its Idempotency-Key, and the list has pages', async () => {
  const post = (headers: Record<string, string>, name: string) =>
    service.call('POST', '/api/todo', { headers, body: { name } });
  await expectStatus(403, post({ 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example.net' }, 'a'));
  const once = { 'Idempotency-Key': 'once' };
  expect((await post(once, 'a')).text).toBe((await post(once, 'a')).text);
  await expectStatus(422, post(once, 'b'));
  await expectStatus(400, service.call('GET', '/api/todo?limit=0'));
  expect((await service.call('GET', '/api/todo?limit=1')).headers.link).toContain('rel="next"');
});

it('a page has as many items as limit asks for, up to 1,000', async () => {
  const { call } = startDeployed();
  for (let count = 0; count < 1_000; count += 1) await call('POST', '/api/todo', { body: { name: 'a' } });
  for (const limit of [1, 999, 1_000]) expect((await call('GET', `/api/todo?limit=${limit}`)).json).toHaveLength(limit);
});

it('an item is sent as key, name and isComplete, in that order, and false if it was left out', async () => {
  const { text, json } = await service.call('POST', '/api/todo', { body: { name: ' x\u200b' } });
  expect(text).toBe(`{"key":"${json.key}","name":" x\u200b","isComplete":false}`);
  expect((await service.call('GET', `/api/todo/${json.key}`)).text).toBe(text);
});

it.each([
  [{}, '#/name', /^Must be a string that contains a character that is not white space, but is missing\.$/],
  [{ name: ' \t\n\u0085\u00a0\u2003\u3000' }, '#/name', /^Must contain a character that is not white space; got "/],
  [{ name: null }, '#/name', /got null/],
  [{ name: 'a', isComplete: null }, '#/isComplete', /^Must be true or false; got null/],
  [{ name: 'a', isComplete: 'true' }, '#/isComplete', /got "true"/],
])('the item %j returns 400, and the error names the member', async (body, pointer, detail) => {
  const { json } = await expectStatus(400, service.call('POST', '/api/todo', { body }));
  expect(json.errors).toEqual([{ pointer, detail: expect.stringMatching(detail) }]);
});

it("a list in memory fills a result of Lambda's to the byte, and what makes it longer returns 507", async () => {
  const { call } = startDeployed();
  /** The bytes that the list takes inside the JSON of a result. */
  const size = async () => Buffer.byteLength(JSON.stringify((await call('GET', '/api/todo')).text)) - 2;
  const post = (name: string) => call('POST', '/api/todo', { body: { name } });
  for (let count = 0; count < 6; count += 1) await expectStatus(201, post('x'.repeat(1_000_000)));
  const empty = (await size()) + JSON.stringify(',{"key":"","name":"","isComplete":false}').length - 2 + NOBODY.length;
  const longest = 'x'.repeat(LARGEST_CONTENT - empty);
  await expectStatus(507, post(`${longest}x`));
  const { key } = (await expectStatus(201, post(longest))).json;
  expect(await size()).toBe(LARGEST_CONTENT);
  for (const method of ['PUT', 'PATCH'])
    await expectStatus(507, call(method, `/api/todo/${key}`, { body: { key, name: `${longest}x` } }));
});

it("a list in a table goes on at another page when it no longer fits into a result of Lambda's", async () => {
  const { call } = startDeployed(undefined, environmentOf(await (await tables).create()));
  const large = { name: 'x'.repeat(390_000) };
  for (let count = 0; count < 17; count += 1) await expectStatus(201, call('POST', '/api/todo', { body: large }));
  const { text, headers } = await expectStatus(200, call('GET', '/api/todo'));
  const bytes = Buffer.byteLength(JSON.stringify(text)) - 2;
  expect([bytes <= LARGEST_CONTENT, bytes > LARGEST_CONTENT - 400_000]).toEqual([true, true]);
  expect(headers.link).toContain('rel="next"');
});
