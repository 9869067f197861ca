import { describe, expect, it, jest } from '@jest/globals';
import type { Request } from '../../../shared/http/message.js';
import { problemResponse } from '../../../shared/http/problem.js';
import { createDispatcher, type DispatcherOptions } from '../../../shared/routing/dispatcher.js';
import { type AnyRoute, type Call, isRoute, type Method, route } from '../../../shared/routing/route.js';
import type { Resource } from '../../../shared/schema/resource.js';
import { MemoryStore } from '../../../shared/store/memory.js';
import type { Collection, OpenStore } from '../../../shared/store/store.js';
import { parcel, parcels } from '../../support/service/parcels.js';
import { aRequest, type Described } from '../../support/service/request.js';

/** Answers with the route's template and the path parameters. */
const routeTo = (method: Method, template: string): AnyRoute =>
  route({
    method,
    template,
    answers: { 200: {} },
    run: async ({ parameters }) => ({ status: 200, headers: { Route: template }, body: JSON.stringify(parameters) }),
  });

/** The answer of a route that has every check, and whose operation echoes what it was called with. */
async function echo(described: Described, options: Partial<DispatcherOptions> = {}) {
  const echoing = route({
    method: 'PUT',
    template: '/parcel/{id}',
    resource: parcels,
    query: { limit: { type: 'integer', minimum: 1, maximum: 9 } },
    conditional: true,
    body: { schema: parcel, patch: true },
    answers: { 200: {} },
    run: async ({ parameters, query, members, body, precondition }) => ({
      status: 200,
      headers: {},
      body: JSON.stringify({ parameters, query, members, body, failure: precondition?.(2) }),
    }),
  });
  const response = await dispatcherOf([echoing], options)(aRequest({ method: 'PUT', ...described })).answer();
  return { status: response.status, json: JSON.parse(response.body ?? '') };
}

/** A dispatcher that admits everybody, with stores in memory. */
function dispatcherOf(routes: readonly AnyRoute[], options: Partial<DispatcherOptions> = {}) {
  const openStore = (resource: Resource) => new MemoryStore(resource, 1_000_000);
  return createDispatcher(routes, { openStore, protect: () => undefined, ...options });
}

describe('the dispatcher', () => {
  it.each(['GET', 'HEAD', 'DELETE'])('runs no %s that it protects from', async (method) => {
    const run = () => Promise.reject(new Error('it ran'));
    const routes = [
      { ...routeTo('GET', '/a'), run },
      { ...routeTo('DELETE', '/a'), run },
    ];
    const dispatch = dispatcherOf(routes, { protect: (request) => problemResponse(request, 'cross-site write') });
    expect(await dispatch(aRequest({ method, path: '/a' })).answer()).toHaveProperty('status', 403);
    for (const path of ['/b', '/a']) {
      expect(await dispatch(aRequest({ method: 'OPTIONS', path })).answer()).not.toHaveProperty('status', 403);
    }
  });

  it('passes the query, the precondition, the valid members and the body as it was sent', async () => {
    const headers = { 'if-match': '"3"' };
    const body = { FRAGILE: true, other: 1 };
    expect(await echo({ path: '/parcel/7?limit=3&other=x', headers, body })).toEqual({
      status: 200,
      json: {
        parameters: { id: '7' },
        query: { limit: 3 },
        members: { fragile: true },
        body,
        failure: 'If-Match failed',
      },
    });
  });

  it('checks in the order of rule 5', async () => {
    const wrong = { path: '/parcel/7?limit=0', headers: { 'if-match': '2' } };
    const authenticate = async (request: Request) => ({ rejected: problemResponse(request, 'not signed') });
    const protect = (request: Request) => problemResponse(request, 'cross-site write');
    expect((await echo(wrong, { authenticate, protect })).json.detail).toMatch(/^A page of another origin/);
    expect((await echo(wrong, { authenticate })).json.detail).toMatch(/^The call is not signed/);
    expect((await echo(wrong)).json.errors).toEqual([
      { parameter: 'limit', detail: 'Must be an integer from 1 to 9; got 0.' },
    ]);
    expect((await echo({ ...wrong, path: '/parcel/7' })).json.detail).toMatch(/^If-Match is malformed/);
    const typed = { path: '/parcel/7', headers: { 'content-type': 'text/plain' } };
    expect((await echo(typed)).json.detail).toMatch(/^The body is missing/);
    expect(await echo({ ...typed, body: '{' })).toMatchObject({ status: 415 });
    expect((await echo({ path: '/parcel/7', body: '{' })).json.detail).toMatch(/^The body is not valid JSON/);
    expect((await echo({ path: '/parcel/7', body: { pieces: 0 } })).json.errors).toHaveLength(1);
  });

  it('reads neither body, query nor conditional header fields if the route declares none', async () => {
    const run = async ({ body, query, precondition }: Call) => {
      return { status: 200, headers: {}, body: JSON.stringify({ body, query, precondition }) };
    };
    const dispatch = dispatcherOf([{ ...routeTo('POST', '/a'), run }]);
    const sent = { method: 'POST', path: '/a?limit=x', headers: { 'if-match': '2' }, body: '{' };
    expect(await dispatch(aRequest(sent)).answer()).toHaveProperty('body', '{"body":{},"query":{}}');
  });

  it('serves HEAD only where GET is, and names the methods of all templates that a path matches', async () => {
    const routes = [routeTo('POST', '/a/b'), routeTo('DELETE', '/a/{id}'), routeTo('GET', '/b')];
    const dispatch = dispatcherOf(routes);
    const call = async (method: string, path: string) => dispatch(aRequest({ method, path })).answer();
    expect(dispatch(aRequest({ path: '/a/b' })).template).toBeUndefined();
    const response = await call('GET', '/a/b');
    expect(response).toMatchObject({ status: 404, headers: { Allow: 'DELETE, OPTIONS, POST' } });
    expect(response.body).toContain('This path does not support \\"GET\\". It supports DELETE, OPTIONS, POST.');
    expect(await call('HEAD', '/a/b')).toHaveProperty('status', 404);
    expect(await call('OPTIONS', '/b')).toMatchObject({ status: 204, headers: { Allow: 'GET, HEAD, OPTIONS' } });
    expect(await call('HEAD', '/b')).toEqual(await call('GET', '/b'));
  });

  it('rejects with what an operation throws, and names its template', async () => {
    const error = new Error('burning');
    const dispatch = dispatcherOf([{ ...routeTo('GET', '/a'), run: () => Promise.reject(error) }]);
    const { template, answer } = dispatch(aRequest({ path: '/a' }));
    expect(template).toBe('/a');
    await expect(answer()).rejects.toBe(error);
  });
});

describe('the items of an operation', () => {
  /** A store that gives away what it was asked for. */
  const openStore: OpenStore = ({ name }) => ({ for: (caller) => ({ name, ...caller }) as unknown as Collection });

  const labels = route({
    method: 'GET',
    template: '/labels',
    resource: parcels,
    answers: { 200: {} },
    run: async ({ items }) => ({ status: 200, headers: {}, body: JSON.stringify(items) }),
  });

  const bodyOf = async (options: Partial<DispatcherOptions>) =>
    (await dispatcherOf([labels], options)(aRequest({ path: '/labels' })).answer()).body;

  it("are the caller's, of the resource that the route names", async () => {
    expect(await bodyOf({ openStore })).toBe('{"name":"parcel","requestId":"request-1"}');
    const authenticate = async () => ({ value: 'ISSUER SUBJECT' });
    jest.spyOn(performance, 'now').mockReturnValueOnce(7);
    expect(await bodyOf({ openStore, authenticate })).toBe(
      '{"name":"parcel","requestId":"request-1","owner":"ISSUER SUBJECT","since":7}',
    );
  });

  it('are in one store for each resource, opened when the dispatcher is built', () => {
    const other = { ...labels, template: '/other', resource: { ...parcels, name: 'other' } };
    const opened = jest.fn(openStore);
    dispatcherOf([labels, other, { ...labels, template: '/more' }, routeTo('GET', '/a')], { openStore: opened });
    expect(opened.mock.calls.map(([{ name }]) => name)).toEqual(['parcel', 'other']);
    const doubled = { ...other, resource: { ...parcels } };
    expect(() => dispatcherOf([labels, doubled])).toThrow('Two resources are named "parcel"');
  });

  it('cannot be had while their store cannot be opened, but nothing fails before the first request', async () => {
    const failing = { openStore: () => Promise.reject(new Error('the file is broken')) };
    const dispatch = dispatcherOf([labels, routeTo('GET', '/a')], failing);
    await new Promise(setImmediate);
    for (let time = 0; time < 2; time += 1) {
      await expect(dispatch(aRequest({ path: '/labels' })).answer()).rejects.toThrow('the file is broken');
    }
    expect(await dispatch(aRequest({ path: '/a' })).answer()).toHaveProperty('status', 200);
  });

  it('are not there for a route without a resource, so nobody is asked who calls', async () => {
    const authenticate = () => Promise.reject(new Error('asked'));
    const dispatch = dispatcherOf([routeTo('GET', '/a'), labels], { authenticate });
    expect(await dispatch(aRequest({ path: '/a' })).answer()).toHaveProperty('status', 200);
    await expect(dispatch(aRequest({ path: '/labels' })).answer()).rejects.toThrow('asked');
  });
});

describe('a declaration fails the type check when the operation', () => {
  const at = { template: '/a', answers: { 200: {} } } as const;
  const get = { ...at, method: 'GET' } as const;
  const answer = (...values: unknown[]) => ({ status: 200, headers: {}, body: values.join() }) as const;

  it('answers a status that it does not declare', () => {
    const fail = async ({ request }: Pick<Call, 'request'>) => problemResponse(request, 'If-Match failed');
    // @ts-expect-error 404 is not declared
    route({ ...get, run: async () => ({ ...answer(), status: 404 }) });
    // @ts-expect-error 412 is not declared
    route({ ...get, run: fail });
    route({ ...get, answers: { 200: {}, 412: {} }, run: fail });
  });

  it('reads a path parameter that its template does not have', () => {
    route({
      ...get,
      template: '/a/{id=1}/{number:int}/{other?}/{*rest}',
      run: async ({ parameters: { id, number, other, rest, ...more } }) => {
        const always: string[] = [id, number];
        const texts: (string | undefined)[] = [other, rest];
        // @ts-expect-error the template has no parameter of this name
        return answer(always, texts, more.key);
      },
    });
  });

  it('reads a query parameter that it does not declare, or as another type', () => {
    route({
      ...get,
      query: {
        limit: { type: 'integer' },
        after: { type: 'string' },
        open: { type: 'boolean' },
        size: { type: 'string', enum: ['A4', 'A5'], default: 'A4' },
      },
      run: async ({ query }) => {
        const size: 'A4' | 'A5' = query.size;
        const values: readonly (number | string | boolean | undefined)[] = [query.limit, query.after, query.open];
        // @ts-expect-error it may not have been sent
        const limit: number = query.limit;
        // @ts-expect-error a boolean is no string
        const open: string | undefined = query.open;
        // @ts-expect-error there is no query parameter of this name
        return answer(values, size, limit, open, query.before);
      },
    });
    // @ts-expect-error it declares no query parameters
    route({ ...get, run: async ({ query }) => answer(query.limit) });
  });

  it('declares a query parameter with what only members have, or with a default of another type', () => {
    const run = async () => answer();
    // @ts-expect-error no query has null
    route({ ...get, query: { a: { type: 'string', nullable: true } }, run });
    // @ts-expect-error a caller sends it
    route({ ...get, query: { a: { type: 'string', readOnly: true } }, run });
    // @ts-expect-error no row has it
    route({ ...get, query: { a: { type: 'string', formerly: 'b' } }, run });
    // @ts-expect-error no row has it
    route({ ...get, query: { a: { type: 'string', backfill: 'b' } }, run });
    // @ts-expect-error a text is no integer
    route({ ...get, query: { a: { type: 'integer', default: '1' } }, run });
  });

  it('reads a member that the body or an item does not have, or as another type, or uses items without a resource', () => {
    const post = { ...at, method: 'POST', resource: parcels } as const;
    route({
      ...post,
      body: { schema: parcel },
      run: async ({ members, items }) => {
        const right: readonly [string, 'letter' | 'express'] = [members.label, members.service];
        // @ts-expect-error an integer is no boolean
        const pieces: boolean = members.pieces;
        // @ts-expect-error an integer is no boolean
        const found: boolean | undefined = (await items.find('1'))?.item.pieces;
        // @ts-expect-error it may be null
        const note: string = members.note;
        // @ts-expect-error an item is not to be changed
        members.tags.push('x');
        // @ts-expect-error the service assigns it
        const key = members.key;
        // @ts-expect-error there is no member of this name
        const colour = members.colour;
        // @ts-expect-error a whole item has all members that a client sets
        const created = await items.create({ label: 'a', fragile: false });
        // @ts-expect-error there is no such method
        return answer(right, pieces, found, note, key, colour, created, await items.drop());
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

it.each([null, undefined, 5, 'template', () => {}, {}, [], { properties: {} }])('%p is not a route', (exported) => {
  expect(isRoute(exported)).toBe(false);
  expect(isRoute(routeTo('GET', '/a'))).toBe(true);
});
