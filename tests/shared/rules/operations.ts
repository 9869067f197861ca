import { describe, expect, it } from '@jest/globals';
import type { Kind } from '../../../shared/http/problem.js';
import type { OpenStore } from '../../../shared/store/store.js';
import { type Gateway, varyOfLists } from '../../support/gateways/gateways.js';
import { type Answer, expectStatus } from '../../support/service/answer.js';
import { PARCELS, parcels } from '../../support/service/parcels.js';
import { type Service, startService } from '../../support/service/service.js';

const GUID = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const NOBODY = '00000000-0000-4000-8000-000000000000';

const PATCHES = 'application/merge-patch+json, application/json, text/json';

const WRONG_KEY = { pointer: '#/key', detail: 'Must be the key in the path, as a string.' };

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

async function create(service: Service): Promise<{ readonly key: string }> {
  return (await expectStatus(201, service.call('POST', PARCELS, { body: ALL }))).json;
}

async function get(service: Service, key: string): Promise<unknown> {
  return (await service.call('GET', `${PARCELS}/${key}`)).json;
}

function expectProblem(answer: Answer, status: number, code: Kind, detail = /./) {
  expect(answer).toMatchObject({
    status,
    headers: { 'content-type': 'application/problem+json' },
    json: {
      type: 'about:blank',
      code,
      title: expect.any(String),
      status,
      detail: expect.stringMatching(detail),
    },
  });
  expect(answer.json.requestId).toMatch(/./);
}

const escaped = (path: string) => path.replace(/(?<=\/)[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

/** Declares the tests of what the operations promise behind gateways, with a store (rules 1, 3, 4, 7 to 15, and 16). */
export function describeOperations(openStore: OpenStore, gateways: readonly Gateway[]): void {
  describe.each(gateways)('the operations behind $name (rules 1, 3, 4, 8, 9, 11 to 14 and 16)', (gateway) => {
    const start = () => startService(gateway, { openStore });
    const service = start();

    it.each([PARCELS, PARCELS.toUpperCase(), `${PARCELS}/`, escaped(PARCELS)])(
      'GET the list starts with the first item, at %s',
      async (path) => {
        const answer = await expectStatus(200, start().call('GET', path));
        expect(answer.json).toEqual([{ key: expect.stringMatching(GUID), ...parcels.first }]);
        expect(answer.headers).toEqual({
          'content-type': 'application/json; charset=utf-8',
          vary: varyOfLists(gateway),
          'cache-control': 'private, no-cache',
          etag: expect.stringMatching(/^"[\w-]+"$/),
          'x-content-type-options': 'nosniff',
        });
      },
    );

    it.each([
      ['text/plain', 'text/json;q=0.9, text/plain'],
      ['text/json', 'text/json'],
    ])('GET the list is answered as %s for Accept: %s', async (type, Accept) => {
      const { headers } = await service.call('GET', PARCELS, { headers: { Accept } });
      expect(headers['content-type']).toBe(`${type}; charset=utf-8`);
    });

    it('GET the list has items in the order of their creation, and the next page behind a link under the prefix', async () => {
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

    it('GET an item finds the key in either letter case, percent-encoded, and with a slash at the end', async () => {
      const { key } = await create(service);
      expect(await get(service, key.toUpperCase())).toHaveProperty('key', key);
      expect(await get(service, `${key.replace('-', '%2D')}/`)).toHaveProperty('key', key);
    });

    it.each([NOBODY, '1', 'a%2Fb', '%zz'])('GET an item answers 404 to the unknown key %s', async (id) => {
      if (gateway.name.startsWith('serverless-offline') && id === '%zz') return; // its server answers 400
      if (gateway.decodes && id.includes('%2F')) return;
      expectProblem(await service.call('GET', `${PARCELS}/${id}`), 404, 'not-found');
    });

    it('POST answers 201 with the item, as GET does, and its URL', async () => {
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        vary: 'Accept',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      };
      const post = await service.call('POST', PARCELS, { body: Object.fromEntries(Object.entries(ALL).reverse()) });
      const { key } = post.json;
      expect(key).toMatch(GUID);
      expect(post).toMatchObject({ status: 201, text: JSON.stringify({ key, ...ALL }) });
      expect(post.headers).toEqual({ ...headers, etag: '"1"', location: `${service.prefix}${PARCELS}/${key}` });
      const answer = await service.call('GET', `${PARCELS}/${key}`);
      expect(answer).toMatchObject({ status: 200, text: post.text });
      expect(answer.headers).toEqual({ ...headers, etag: '"1"' });
    });

    it.each(['POST', 'PATCH'])('%s answers 400 to wrong members, and names all of them at once', async (method) => {
      const item = await create(service);
      const to = method === 'POST' ? PARCELS : `${PARCELS}/${item.key}`;
      const answer = await service.call(method, to, { body: { label: null, fragile: 'yes', pieces: 6 } });
      expectProblem(answer, 400, 'invalid-members');
      expect(answer.json.errors).toMatchObject([
        { pointer: '#/label' },
        { pointer: '#/pieces' },
        { pointer: '#/fragile' },
      ]);
      expect(await get(service, item.key)).toEqual(item);
    });

    it('PUT replaces the whole item, with defaults for members that are left out', async () => {
      const { key } = await create(service);
      const answer = await service.call('PUT', `${PARCELS}/${key.toUpperCase()}`, { body: { Key: key, label: 'b' } });
      expect(answer).toMatchObject({ status: 204, text: '' });
      expect(answer.headers).not.toHaveProperty('etag');
      expect(await get(service, key)).toEqual({ ...parcels.first, label: 'b', key });
    });

    it('PUT checks that the key is that of the path, and then looks for the item', async () => {
      const item = await create(service);
      const put = (body: object, id = item.key) => service.call('PUT', `${PARCELS}/${id}`, { body });
      for (const key of [undefined, 5, NOBODY]) {
        const answer = await put({ key, label: 'b' });
        expectProblem(answer, 400, 'invalid-members');
        expect(answer.json.errors).toEqual([WRONG_KEY]);
      }
      expect(await get(service, item.key)).toEqual(item);
      expect((await put({ key: 'other', label: 'x' }, NOBODY)).json.errors).toEqual([WRONG_KEY]);
      expectProblem(await put({ key: NOBODY, label: 'x' }, NOBODY), 404, 'not-found');
    });

    it('PATCH merges members into an item: null resets one to its default, and others stay', async () => {
      const item = await create(service);
      const headers = { 'content-type': 'application/merge-patch+json' };
      const body = { key: NOBODY, TAGS: [], note: null, FRAGILE: null, sizes: null, unknown: 1 };
      const answer = await service.call('PATCH', `${PARCELS}/${item.key}`, { headers, body });
      expect(answer).toMatchObject({ status: 204, text: '', headers: { etag: '"2"' } });
      expect(await get(service, item.key)).toEqual({ ...item, tags: [], note: null, fragile: false, sizes: [1, 2, 3] });
    });

    it('PATCH answers 415 to a patch of another kind, and names those that it takes', async () => {
      const headers = { 'content-type': 'application/json-patch' };
      const answer = await service.call('PATCH', `${PARCELS}/${NOBODY}`, { headers, body: '[]' });
      expectProblem(answer, 415, 'not-json', /"application\/json-patch"/);
      expect(answer.headers).toHaveProperty('accept-patch', PATCHES);
    });

    it('DELETE removes an item, once', async () => {
      const { key } = await create(service);
      expect((await service.call('GET', PARCELS)).text).toContain(key);
      const answer = await service.call('DELETE', `${PARCELS}/${key}`);
      expect((await service.call('GET', PARCELS)).text).not.toContain(key);
      expect(answer).toMatchObject({ status: 204, text: '' });
      expect(answer.headers).toEqual({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
      for (const method of ['DELETE', 'GET'])
        expectProblem(await service.call(method, `${PARCELS}/${key}`), 404, 'not-found');
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
      [PARCELS, 'GET, HEAD, OPTIONS, POST', 'DELETE', undefined],
      [`${PARCELS}/${NOBODY}`, 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT', 'get', PATCHES],
    ])('answers OPTIONS %s with the methods of the path, and 404 to others', async (path, allow, method, patches) => {
      const { status, headers } = await service.call('OPTIONS', path);
      expect([status, headers.allow, headers['accept-patch']]).toEqual([204, allow, patches]);
      const answer = await service.call(method, path, { body: { label: 'x' } });
      expectProblem(answer, 404, 'method-not-supported', new RegExp(`"${method}".* ${allow}\\.$`));
      expect(answer.headers.allow).toBe(allow);
    });

    it.each(['/none', `${PARCELS}/1/2`, `${PARCELS}//`, '/api//parcel', '/api%2Fparcel', '/api/./parcel'])(
      'answers 404 to GET %s',
      async (path) => {
        if (gateway.name.startsWith('serverless-offline') && path === `${PARCELS}//`) return; // it drops one slash
        if (gateway.decodes && path.includes('%')) return;
        const answer = await service.call('GET', path);
        expectProblem(answer, 404, 'no-route');
        expect(answer.headers).not.toHaveProperty('allow');
      },
    );
  });

  it('a list continues behind any GUID, in either letter case, and only its last page has no link', async () => {
    const service = startService(undefined, { openStore });
    const keys = [await create(service), await create(service), await create(service)].map(({ key }) => key);
    const list = async (query: string) => {
      const { json, headers } = await expectStatus(200, service.call('GET', `${PARCELS}?${query}`));
      return [json.map(({ key }: { key: string }) => key), 'link' in headers];
    };
    expect(await list(`after=${keys[0]}`)).toEqual([keys.slice(1), false]);
    expect(await list(`after=${keys[0]?.toUpperCase()}&limit=1`)).toEqual([keys.slice(1, 2), true]);
    expect(await list('after=ffffffff-ffff-4fff-bfff-ffffffffffff')).toEqual([[], false]);
    const [all] = await list('after=00000000-0000-0000-0000-000000000000');
    expect(all.slice(1)).toEqual(keys);
    // Any GUID before the first item's will do, not the nil one alone.
    for (const before of ['00000000-0000-0000-0000-000000000001', '00000000-0000-4000-8000-000000000000'])
      expect(await list(`after=${before}`)).toEqual([all, false]);
    expect(await list('limit=3')).toEqual([all.slice(0, 3), true]);
    expect(await list('limit=4')).toEqual([all, false]);
  });

  it('a list page by page has each item that is there all the time once and in order, whatever is written meanwhile', async () => {
    const service = startService(undefined, { openStore });
    const keys: string[] = [];
    while (keys.length < 15) keys.push((await create(service)).key);
    const doomed = keys.filter((_, index) => index % 3 === 0);
    const staying = keys.filter((_, index) => index % 3 !== 0);
    const found: string[] = [];
    for (let next: string | undefined = `${PARCELS}?limit=3`, page = 1; next && page < 20; page += 1) {
      const { json, headers }: Answer = await expectStatus(200, service.call('GET', next));
      found.push(...json.map(({ key }: { key: string }) => key));
      for (const key of doomed.splice(0, 2)) await service.call('DELETE', `${PARCELS}/${key}`);
      await service.call('PATCH', `${PARCELS}/${staying[page]}`, { body: { fragile: true } });
      if (page < 4) await create(service);
      next = /^<(.*)>; rel="next"$/.exec(headers.link ?? '')?.[1]?.slice(service.prefix.length);
    }
    expect(new Set(found).size).toBe(found.length);
    expect(found.filter((key) => staying.includes(key))).toEqual(staying);
  });
}
