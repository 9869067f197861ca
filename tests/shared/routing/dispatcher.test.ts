import { describe, expect, it, jest } from '@jest/globals';
import type { Request } from '../../../shared/http/message.js';
import { problemResponse } from '../../../shared/http/problem.js';
import { createDispatcher, type DispatcherOptions } from '../../../shared/routing/dispatcher.js';
import type { AnyRoute, Call, Method } from '../../../shared/routing/route.js';
import { MemoryStore } from '../../../shared/store/memory.js';
import type { Collection, OpenStore } from '../../../shared/store/store.js';
import { parcel, parcels } from '../../support/service/parcels.js';
import { aRequest, type Described } from '../../support/service/request.js';

/** A dispatcher that admits everybody, with stores in memory. */
function dispatcherOf(routes: readonly AnyRoute[], options: Partial<DispatcherOptions> = {}) {
  const openStore: OpenStore = (resource) => new MemoryStore(resource, 1_000_000);
  const dispatch = createDispatcher(routes, { openStore, protect: () => undefined, ...options });
  return (described: Described) => dispatch(aRequest(described)).answer();
}

/** A route whose operation answers with a part of what it was called with, as JSON. */
const routeTo = (method: Method, template: string, part: (call: Call) => unknown = () => template): AnyRoute => ({
  method,
  template,
  answers: { 200: {} },
  run: async (call) => ({ status: 200, headers: {}, body: JSON.stringify(part(call)) }),
});

describe('the dispatcher', () => {
  it('checks in the order of rule 5, and passes on what was sent', async () => {
    const checked: AnyRoute = {
      ...routeTo('PUT', '/parcel/{id}', ({ parameters, query, members, body, precondition }) => {
        return { parameters, query, members, body, failure: precondition?.(2) };
      }),
      resource: parcels,
      query: { limit: { type: 'integer', minimum: 1, maximum: 9 } },
      conditional: true,
      body: { schema: parcel, patch: true },
    };
    const authenticate = async (request: Request) => ({ rejected: problemResponse(request, 'not signed') });
    const protect = (request: Request) => problemResponse(request, 'cross-site write');
    const send = async (described: Described, options?: Partial<DispatcherOptions>) => {
      const { body = '' } = await dispatcherOf([checked], options)({ method: 'PUT', ...described });
      return JSON.parse(body);
    };
    const wrong = { path: '/parcel/7?limit=0', headers: { 'if-match': '2', 'content-type': 'text/plain' } };
    expect(await send(wrong, { authenticate, protect })).toHaveProperty('status', 403);
    expect((await send(wrong, { authenticate })).detail).toMatch(/^The call is not signed/);
    expect(await send(wrong)).toHaveProperty('errors', [
      { parameter: 'limit', detail: 'Must be an integer from 1 to 9; got 0.' },
    ]);
    expect((await send({ ...wrong, path: '/parcel/7' })).detail).toMatch(/^If-Match is malformed/);
    const path = '/parcel/7?limit=3&other=x';
    const typed = { path, headers: { 'content-type': 'text/plain' } };
    expect((await send(typed)).detail).toMatch(/^The body is missing/);
    expect(await send({ ...typed, body: '{' })).toHaveProperty('status', 415);
    expect((await send({ path, body: '{' })).detail).toMatch(/^The body is not valid JSON/);
    expect((await send({ path, body: { pieces: 0 } })).errors).toHaveLength(1);
    const body = { FRAGILE: true, other: 1 };
    expect(await send({ path, headers: { 'if-match': '"3"' }, body })).toEqual({
      parameters: { id: '7' },
      query: { limit: 3 },
      members: { fragile: true },
      body,
      failure: 'If-Match failed',
    });
  });

  it('reads neither body, query nor conditional header fields if the route declares none', async () => {
    const reading = routeTo('POST', '/a', ({ body, query, precondition }) => ({ body, query, precondition }));
    const sent = { method: 'POST', path: '/a?limit=x', headers: { 'if-match': '2' }, body: '{' };
    expect(await dispatcherOf([reading])(sent)).toHaveProperty('body', '{"body":{},"query":{}}');
  });

  it('serves HEAD only where GET is, and names the methods of all templates that a path matches', async () => {
    const send = dispatcherOf([routeTo('POST', '/a/b'), routeTo('DELETE', '/a/{id}'), routeTo('GET', '/b')]);
    const response = await send({ method: 'GET', path: '/a/b' });
    expect(response).toMatchObject({ status: 404, headers: { Allow: 'DELETE, OPTIONS, POST' } });
    expect(response.body).toContain('This path does not support \\"GET\\". It supports DELETE, OPTIONS, POST.');
    expect(await send({ method: 'HEAD', path: '/a/b' })).toHaveProperty('status', 404);
    expect(await send({ method: 'HEAD', path: '/b' })).toEqual(await send({ method: 'GET', path: '/b' }));
  });
});

describe('the items of an operation', () => {
  /** A store that gives away what it was asked for. */
  const openStore: OpenStore = ({ name }) => ({ for: (caller) => ({ name, ...caller }) as unknown as Collection });
  const labels: AnyRoute = { ...routeTo('GET', '/labels', ({ items }) => items), resource: parcels };

  it("are the caller's, of the resource that the route names", async () => {
    const itemsFor = async (options: Partial<DispatcherOptions>) =>
      JSON.parse((await dispatcherOf([labels], { openStore, ...options })({ path: '/labels' })).body ?? '');
    expect(await itemsFor({})).toEqual({ name: 'parcel', requestId: 'request-1' });
    jest.spyOn(performance, 'now').mockReturnValueOnce(7);
    const caller = { owner: 'ISSUER SUBJECT', since: 7 };
    const authenticate = async () => ({ value: caller.owner });
    expect(await itemsFor({ authenticate })).toEqual({ name: 'parcel', requestId: 'request-1', ...caller });
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
    const send = dispatcherOf([labels, routeTo('GET', '/a')], failing);
    await new Promise(setImmediate);
    for (let time = 0; time < 2; time += 1)
      await expect(send({ path: '/labels' })).rejects.toThrow('the file is broken');
    expect(await send({ path: '/a' })).toHaveProperty('status', 200);
  });

  it('are not there for a route without a resource, so nobody is asked who calls', async () => {
    const authenticate = () => Promise.reject(new Error('asked'));
    const send = dispatcherOf([routeTo('GET', '/a'), labels], { authenticate });
    expect(await send({ path: '/a' })).toHaveProperty('status', 200);
    await expect(send({ path: '/labels' })).rejects.toThrow('asked');
  });
});
