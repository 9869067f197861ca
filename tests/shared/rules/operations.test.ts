import { describe, expect, it } from '@jest/globals';
import { gateways } from '../../support/gateways/gateways.js';
import { type Answer, expectStatus } from '../../support/service/answer.js';
import { PARCELS, parcels } from '../../support/service/parcels.js';
import { type Service, startService } from '../../support/service/service.js';

// What the operations promise, behind every gateway. table.test.ts runs this again with the collection in a table.

const GUID = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const LARGEST_BODY = 2 ** 20;
const NOBODY = '00000000-0000-4000-8000-000000000000';

/** A body with wrong members, and what the errors point to. */
const INVALID = { label: ' ', fragile: 'yes', pieces: 6 };
const INVALID_ERRORS = [{ pointer: '#/label' }, { pointer: '#/pieces' }, { pointer: '#/fragile' }];

const WRONG_KEY = { pointer: '#/key', detail: 'Must be the key in the path, as a string.' };

/** A valid item that differs from the defaults. */
const CHANGED = { label: 'a', fragile: true };

/** All members that a client sets, in the order of the schema, none of them with its default. */
const ALL = {
  label: 'a',
  note: 'to be signed for',
  service: 'express',
  day: '2026-12-23',
  due: '2026-12-24T18:00:00+01:00',
  pieces: 5,
  weight: 1e-7,
  fragile: true,
  tags: ['x', 'é'],
  sizes: [null, -1.5],
};

async function create(service: Service, members: object = { label: 'a parcel' }): Promise<{ readonly key: string }> {
  return (await expectStatus(201, service.call('POST', PARCELS, { body: members }))).json;
}

async function get(service: Service, key: string): Promise<unknown> {
  return (await service.call('GET', `${PARCELS}/${key}`)).json;
}

function expectProblem(answer: Answer, status: number, detail: RegExp) {
  expect(answer).toMatchObject({
    status,
    headers: { 'content-type': 'application/problem+json' },
    json: { type: 'about:blank', title: expect.any(String), status, detail: expect.stringMatching(detail) },
  });
  expect(answer.json.requestId).toMatch(/./);
}

/** The same path with a letter of each segment escaped. */
const escaped = (path: string) => path.replace(/(?<=\/)[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

describe.each(gateways)('behind $name', (gateway) => {
  const service = startService(gateway);

  describe('GET the list', () => {
    it.each([PARCELS, PARCELS.toUpperCase(), `${PARCELS}/`, escaped(PARCELS)])(
      'starts with the first item, at %s',
      async (path) => {
        const answer = await expectStatus(200, service.call('GET', path));
        expect(answer.json).toEqual([{ key: expect.stringMatching(GUID), ...parcels.first }]);
        expect(answer.headers).toEqual({
          'content-type': 'application/json; charset=utf-8',
          vary: 'Accept',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        });
      },
    );

    it('is answered in the media type that Accept prefers', async () => {
      const headers = { Accept: 'text/json;q=0.9, text/plain' };
      const answer = await service.call('GET', PARCELS, { headers });
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    });

    it('has items in the order of their creation, and the next page behind a link under the prefix', async () => {
      const [first, ...before] = (await service.call('GET', PARCELS)).json;
      const items = [...before, await create(service), await create(service)];
      expect((await service.call('GET', PARCELS)).json).toEqual([first, ...items]);
      const page = await service.call('GET', `${PARCELS}?limit=1`);
      const next = `${PARCELS}?limit=1&after=${first.key}`;
      expect([page.json, page.headers.link]).toEqual([[first], `<${gateway.prefix}${next}>; rel="next"`]);
      expect((await service.call('GET', next)).json).toEqual(items.slice(0, 1));
      const rest = await service.call('GET', `${PARCELS}?after=${first.key}&limit=0&limit=1000&Limit=x&page=7`);
      expect([rest.json, rest.headers.link]).toEqual([items, undefined]);
    });
  });

  describe('GET an item', () => {
    it('finds the key in either letter case, percent-encoded, and with a slash at the end', async () => {
      const { key } = await create(service);
      expect(await get(service, key.toUpperCase())).toHaveProperty('key', key);
      expect(await get(service, `${key.replace('-', '%2D')}/`)).toHaveProperty('key', key);
    });

    it.each([NOBODY, `${NOBODY}0`, '1', '__proto__', 'a%2Fb', '%zz', 'caf%C3%A9'])(
      'answers 404 to the unknown key %s',
      async (id) => {
        if (gateway.name.startsWith('serverless-offline') && /%(?![\da-f]{2})/i.test(id)) return; // its server answers 400
        if (gateway.decodes && id.includes('%2F')) return;
        expectProblem(await service.call('GET', `${PARCELS}/${id}`), 404, /No item has this key/);
      },
    );
  });

  describe('POST', () => {
    it('answers 201 with the item, as GET does, and its URL', async () => {
      const { headers } = await service.call('GET', PARCELS);
      const post = await service.call('POST', PARCELS, { body: { other: 1, ...ALL } });
      const { key } = post.json;
      expect(key).toMatch(GUID);
      expect(post).toMatchObject({ status: 201, text: JSON.stringify({ key, ...ALL }) });
      expect(post.headers).toEqual({ ...headers, etag: '"1"', location: `${service.prefix}${PARCELS}/${key}` });
      const answer = await service.call('GET', `${PARCELS}/${key}`);
      expect(answer).toMatchObject({ status: 200, text: post.text });
      expect(answer.headers).toEqual({ ...headers, etag: '"1"' });
    });

    it.each([' x ', '\ufeff"\\\u0000\n👩‍👩‍👧', '\ud800'])(
      'keeps the text %j just as it was sent, and no key',
      async (text) => {
        const { key } = await create(service, { key: NOBODY, label: text });
        expect(key).not.toBe(NOBODY);
        expect(await get(service, key)).toHaveProperty('label', text);
      },
    );

    it('finds members in any letter case, and ignores unknown ones', async () => {
      const item = await create(service, CHANGED);
      const { key } = await create(service, { LABEL: 'a', FRAGILE: true, unknown: false, __proto__: 1 });
      expect(await get(service, key)).toEqual({ ...item, key });
    });

    it('checks the size of a body, that there is one, its media type, then its content, and creates nothing', async () => {
      const before = (await service.call('GET', PARCELS)).text;
      const post = (body?: string, type = 'application/json') =>
        service.call('POST', PARCELS, { headers: { 'content-type': type }, body });
      expectProblem(await post('x'.repeat(LARGEST_BODY + 1), 'text/plain'), 413, /larger than 1 MiB/);
      for (const missing of [undefined, '', ' \n']) expectProblem(await post(missing, 'text/plain'), 400, /is missing/);
      const advice = /text\/plain.*Send it as application\/json/;
      expectProblem(await post('x'.repeat(LARGEST_BODY), 'text/plain'), 415, advice);
      expectProblem(await post('null'), 400, /body is null/);
      expectProblem(await post('['.repeat(LARGEST_BODY)), 400, /not valid JSON/);
      expect((await service.call('GET', PARCELS)).text).toBe(before);
    });
  });

  it.each(['POST', 'PATCH'])('answers 400 to wrong members of a %s, and names all of them at once', async (method) => {
    const item = await create(service, CHANGED);
    const to = method === 'POST' ? PARCELS : `${PARCELS}/${item.key}`;
    const answer = await service.call(method, to, { body: INVALID });
    expectProblem(answer, 400, /see errors/);
    expect(answer.json.errors).toMatchObject(INVALID_ERRORS);
    expect(await get(service, item.key)).toEqual(item);
  });

  describe('PUT an item', () => {
    it('replaces the whole item, with defaults for members that are left out', async () => {
      const { key } = await create(service, ALL);
      const body = { Key: key, label: 'b' };
      const answer = await service.call('PUT', `${PARCELS}/${key.toUpperCase()}`, { body });
      expect(answer).toMatchObject({ status: 204, text: '' });
      expect(answer.headers).not.toHaveProperty('etag');
      expect(await get(service, key)).toEqual({ ...parcels.first, label: 'b', key });
    });

    it.each([undefined, 5, NOBODY])(
      'answers 400 if the key in the body is %j and not that of the path',
      async (key) => {
        const item = await create(service);
        const answer = await service.call('PUT', `${PARCELS}/${item.key}`, { body: { key, label: 'b' } });
        expectProblem(answer, 400, /The body is not a valid item; see errors/);
        expect(answer.json.errors).toEqual([WRONG_KEY]);
        expect(await get(service, item.key)).toEqual(item);
      },
    );

    it('checks the members, then the key, and then looks for the item', async () => {
      const put = (body: object) => service.call('PUT', `${PARCELS}/${NOBODY}`, { body });
      expect((await put({ key: 'other' })).json.errors).toMatchObject([{ pointer: '#/label' }]);
      expect((await put({ key: 'other', label: 'x' })).json.errors).toEqual([WRONG_KEY]);
      expectProblem(await put({ key: NOBODY, label: 'x' }), 404, /No item has this key/);
    });
  });

  it.each([
    [
      { label: 'b', TAGS: [] },
      { label: 'b', tags: [] },
    ],
    [
      { note: null, FRAGILE: null, sizes: null },
      { note: null, fragile: false, sizes: [1, 2, 3] },
    ],
    [{ key: NOBODY, unknown: 1 }, {}],
  ])('PATCH merges %j into an item', async (patch, changed) => {
    const item = await create(service, ALL);
    const headers = { 'content-type': 'application/merge-patch+json' };
    const answer = await service.call('PATCH', `${PARCELS}/${item.key}`, { headers, body: patch });
    expect(answer).toMatchObject({ status: 204, text: '', headers: { etag: '"2"' } });
    expect(await get(service, item.key)).toEqual({ ...item, ...changed });
  });

  it('DELETE removes an item, once', async () => {
    const { key } = await create(service);
    expect((await service.call('GET', PARCELS)).text).toContain(key);
    const answer = await service.call('DELETE', `${PARCELS}/${key}`);
    expect((await service.call('GET', PARCELS)).text).not.toContain(key);
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(answer.headers).toEqual({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    for (const method of ['DELETE', 'GET'])
      expectProblem(await service.call(method, `${PARCELS}/${key}`), 404, /No item has this key/);
  });

  it('answers HEAD like GET, but without content', async () => {
    const { key } = await create(service);
    for (const id of ['', `/${key}`, `/${NOBODY}`, '?limit=0', '?limit=1', '/none/none']) {
      const { status, headers } = await service.call('GET', PARCELS + id);
      const head = await service.call('HEAD', PARCELS + id);
      expect([head.status, head.headers, head.text]).toEqual([status, headers, '']);
    }
  });

  it.each([
    [PARCELS, 'GET, HEAD, OPTIONS, POST', 'DELETE'],
    [`${PARCELS}/${NOBODY}`, 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT', 'get'],
  ])('answers OPTIONS %s with the methods of the path, and 404 to others', async (path, allow, method) => {
    expect(await service.call('OPTIONS', path)).toMatchObject({ status: 204, headers: { allow } });
    const answer = await service.call(method, path, { body: { label: 'x' } });
    expectProblem(answer, 404, new RegExp(`does not support "${method}". It supports ${allow}\\.$`));
    expect(answer.headers.allow).toBe(allow);
  });

  it.each(['/none', `${PARCELS}/1/2`, `${PARCELS}//`, '/api//parcel', '/api%2Fparcel', '/api/./parcel'])(
    'answers 404 to GET %s',
    async (path) => {
      if (gateway.name.startsWith('serverless-offline') && path === `${PARCELS}//`) return; // it drops one slash
      if (gateway.decodes && path.includes('%')) return;
      const answer = await service.call('GET', path);
      expectProblem(answer, 404, /No route matches this path/);
      expect(answer.headers).not.toHaveProperty('allow');
    },
  );
});
