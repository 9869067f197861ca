import { describe, expect, it, jest } from '@jest/globals';
import { contentHeaders, noContent } from '../../../shared/http/answer.js';
import { challenge } from '../../../shared/http/bearer-token.js';
import type { Admitted, Authenticate } from '../../../shared/http/message.js';
import { problemResponse } from '../../../shared/http/problem.js';
import { type AnyRoute, type Call, isRoute, type Method, route } from '../../../shared/routing/route.js';
import type { Collection, OpenStore } from '../../../shared/store/store.js';
import { expectStatus } from '../../support/service/answer.js';
import { findParcel, parcel, parcels } from '../../support/service/parcels.js';
import { type ServiceOptions, startService } from '../../support/service/service.js';

/** A route whose operation answers with a part of what it was called with, as JSON. */
const routeTo = (method: Method, template: string, part: (call: Call) => unknown = () => template): AnyRoute => ({
  method,
  template,
  answers: { 200: {} },
  run: async (call) => ({ status: 200, headers: { 'Content-Type': 'text/json' }, body: JSON.stringify(part(call)) }),
});

const start = (routes: readonly AnyRoute[], options?: ServiceOptions) =>
  startService(undefined, { routes, ...options });

const ADMITTED: Admitted = { caller: { subject: 'SUBJECT', claims: { team: 'x' }, pseudonym: 'p' }, owner: 'OWNER' };

const authenticate: Authenticate = async (request) =>
  request.header('authorization') ? ADMITTED : { rejected: challenge(request, 'https://login.example.com') };

it('checks come in their order: the first fault of many is answered, and without faults all is passed on (rule 5)', async () => {
  const checked: AnyRoute = {
    ...routeTo('PUT', '/parcel/{id}', ({ request: _, items: __, caller: ___, precondition, ...call }) => {
      return { ...call, failure: precondition?.(2) };
    }),
    resource: parcels,
    query: { limit: { type: 'integer', minimum: 1, maximum: 9 } },
    conditional: true,
    idempotent: true,
    body: { schema: parcel, patch: true },
  };
  const service = start([checked], { authenticate });
  const body = { FRAGILE: true, other: 1 };
  const steps = [
    [403, 'cross-site-write', { 'Sec-Fetch-Site': 'cross-site' }],
    [401, 'no-token', { 'Sec-Fetch-Site': 'none' }],
    [400, 'invalid-query', { Authorization: 'x' }],
    [400, 'malformed-condition', { query: 'limit=3&other=x' }],
    [400, 'malformed-idempotency-key', { 'If-Match': '"3"' }],
    [413, 'body-too-large', { 'Idempotency-Key': 'k' }],
    [400, 'invalid-body', { body: '' }],
    [415, 'not-json', { body: '{' }],
    [400, 'invalid-body', { 'Content-Type': 'text/json' }],
    [400, 'invalid-members', { body: { pieces: 0 } }],
    [200, undefined, { body }],
  ] as const;
  const largest = 'x'.repeat(2 ** 20 + 1);
  let sent = { query: 'limit=0', body: largest, 'If-Match': '2', 'Idempotency-Key': '', 'Content-Type': 'text/html' };
  let answer: unknown;
  for (const [status, code, repaired] of steps) {
    sent = { ...sent, ...(repaired as object) };
    const { query, body, ...headers } = sent;
    answer = (await expectStatus(status, service.call('PUT', `/parcel/7?${query}`, { headers, body }))).json;
    if (code) expect(answer).toHaveProperty('code', code);
  }
  const passed = { parameters: { id: '7' }, query: { limit: 3 }, members: { fragile: true }, body };
  expect(answer).toEqual({ ...passed, failure: 'if-match-failed', idempotencyKey: 'k' });
});

it('a route that declares nothing reads no body, query or conditional header field', async () => {
  const reading = routeTo('POST', '/a', ({ body, query, precondition }) => ({ body, query, precondition }));
  const sent = { headers: { 'If-Match': '2', 'Idempotency-Key': '' }, body: '{' };
  const { text } = await expectStatus(200, start([reading]).call('POST', '/a?limit=x', sent));
  expect(text).toBe('{"body":{},"query":{}}');
});

it('an operation cannot change what it shares with other requests: the query and body it gets, the answers it gives', async () => {
  const plain = { ...routeTo('POST', '/plain'), query: { size: { type: 'string', default: 'A4' } } } as const;
  const changing: AnyRoute = {
    ...plain,
    run: async ({ request, query, body }) => {
      const done = noContent(request, { key: 'k', number: 1, json: '{}' });
      const shared = [
        query,
        body,
        done,
        done.headers,
        contentHeaders(request),
        problemResponse(request, 'not-found').headers,
      ];
      return {
        status: 200,
        headers: { 'Content-Type': 'text/json' },
        body: JSON.stringify(shared.map((held) => Reflect.set(held, 'added', 'x'))),
      };
    },
  };
  for (const { query: declared, ...route } of [changing, { ...changing, query: undefined }]) {
    const service = start([declared ? { ...route, query: declared } : route]);
    expect((await service.call('POST', '/plain')).json).toEqual(Array(6).fill(false));
  }
});

describe('where people sign in (rule 32)', () => {
  const naming = routeTo('GET', '/a', ({ caller }) => ({ caller }));
  const signedIn = { headers: { Authorization: 'x' } };

  it('a route asks for a token, also without a resource, and its operation gets the caller', async () => {
    const service = start([naming], { authenticate });
    for (const method of ['GET', 'HEAD']) await expectStatus(401, service.call(method, '/a'));
    expect((await service.call('GET', '/a', signedIn)).json).toEqual({ caller: ADMITTED.caller });
    expect((await start([naming]).call('GET', '/a', signedIn)).json).toEqual({});
  });

  it('a route that is open asks for none, and its operation gets no caller', async () => {
    const service = start([{ ...naming, open: true }], { authenticate });
    expect((await service.call('GET', '/a', signedIn)).json).toEqual({});
  });

  it('a route with a resource cannot be open: the service does not load', () => {
    const open = { ...naming, resource: parcels, open: true };
    expect(() => start([open])).toThrow("GET /a has a resource, so it can't be open");
  });
});

it('HEAD returns 404 where there is no GET', async () => {
  await expectStatus(404, start([routeTo('POST', '/a')]).call('HEAD', '/a'));
});

describe('the items of an operation', () => {
  /** A store that gives away what it was asked for. */
  const openStore: OpenStore =
    ({ name }) =>
    (context) =>
      ({ name, ...context }) as unknown as Collection;
  const labels: AnyRoute = { ...routeTo('GET', '/labels', ({ items }) => items), resource: parcels };

  it("are the caller's, of the resource that the route names", async () => {
    const requestId = expect.stringMatching(/./);
    const itemsFor = async (options: ServiceOptions) =>
      (await start([labels], { openStore, ...options }).call('GET', '/labels', { headers: { Authorization: 'x' } }))
        .json;
    expect(await itemsFor({})).toEqual({ name: 'parcel', requestId });
    // What finding out who calls takes is not left for the store.
    let now = 7;
    jest.spyOn(process, 'uptime').mockImplementation(() => now / 1_000);
    const slow: Authenticate = (request) => {
      now += 6_000;
      return authenticate(request);
    };
    expect(await itemsFor({ authenticate: slow })).toEqual({ name: 'parcel', requestId, owner: 'OWNER', since: 7 });
    jest.restoreAllMocks();
  });

  it('are in one store for each resource, opened when the service starts', () => {
    const other = { ...labels, template: '/other', resource: { ...parcels, name: 'other' } };
    const opened = jest.fn(openStore);
    start([labels, other, { ...labels, template: '/more' }, routeTo('GET', '/a')], { openStore: opened });
    expect(opened.mock.calls.map(([{ name }]) => name)).toEqual(['parcel', 'other']);
    const doubled = { ...other, resource: { ...parcels } };
    expect(() => start([labels, doubled])).toThrow('Two resources are named "parcel"');
  });

  it('cannot be had while their store cannot be opened, but nothing fails before the first request', async () => {
    const failing = { openStore: () => Promise.reject(new Error('the file is broken')) };
    const service = start([labels, routeTo('GET', '/a')], failing);
    await new Promise(setImmediate);
    for (const status of [500, 500]) await expectStatus(status, service.call('GET', '/labels'));
    await expectStatus(200, service.call('GET', '/a'));
  });
});

it.each([null, undefined, 'template', () => {}, { properties: {} }])('%p is not a route', (exported) => {
  expect(isRoute(exported)).toBe(false);
  expect(isRoute(findParcel)).toBe(true);
});

describe('a declaration fails the type check when the operation', () => {
  const get = { method: 'GET', template: '/a', answers: { 200: {} } } as const;
  const post = { ...get, method: 'POST', resource: parcels, body: { schema: parcel } } as const;
  const answer = (...values: unknown[]) => ({ status: 200, headers: {}, body: values.join() }) as const;

  it('answers a status that it does not declare', () => {
    const fail = async ({ request }: Pick<Call, 'request'>) => problemResponse(request, 'if-match-failed');
    route({ ...get, answers: { 200: {}, 412: {} }, run: fail });
    // @ts-expect-error 412 is not declared
    route({ ...get, run: fail });
  });

  it('reads a path parameter or query parameter that it does not have, or as another type', () => {
    const size = { type: 'string', enum: ['A4', 'A5'], default: 'A4' } as const;
    route({
      ...get,
      template: '/a/{id=1}/{number:int}/{other?}/{*rest}',
      query: { open: { type: 'boolean' }, size },
      run: async ({ parameters: { id, number, other, rest, ...more }, query }) => {
        const always: readonly [string, string, 'A4' | 'A5'] = [id, number, query.size];
        const optional: readonly (string | boolean | undefined)[] = [other, rest, query.open];
        // @ts-expect-error it may not have been sent
        const open: boolean = query.open;
        // @ts-expect-error the template has no parameter of this name
        return answer(always, optional, open, more.key);
      },
    });
  });

  it('reads a member that the body or an item does not have, or as another type, or uses items without a resource', () => {
    route({
      ...post,
      run: async ({ members, items }) => {
        const right: readonly [string, 'letter' | 'express'] = [members.label, members.service];
        // @ts-expect-error an integer is no boolean
        const found: boolean | undefined = (await items.find('1'))?.item.pieces;
        // @ts-expect-error it may be null
        const note: string = members.note;
        // @ts-expect-error the service assigns it
        const key = members.key;
        // @ts-expect-error a whole item has all members that a client sets
        return answer(right, found, note, key, await items.create({ label: 'a', fragile: false }));
      },
    });
    // @ts-expect-error a patch may leave it out
    route({ ...post, body: { schema: parcel, patch: true }, run: async ({ members }) => answer(members.label.trim()) });
    // @ts-expect-error it has no resource, and so no items
    route({ ...get, run: async ({ items }) => answer(await items.list({})) });
    // @ts-expect-error it takes no body
    route({ ...get, run: async ({ members }) => answer(members.label) });
  });
});
