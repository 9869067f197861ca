import { describe, expect, it, jest } from '@jest/globals';
import { challenge } from '../../../shared/http/bearer-token.js';
import type { Request } from '../../../shared/http/message.js';
import type { AnyRoute, Call, Method } from '../../../shared/routing/route.js';
import type { Collection, OpenStore } from '../../../shared/store/store.js';
import { expectStatus } from '../../support/service/answer.js';
import { parcel, parcels } from '../../support/service/parcels.js';
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

const authenticate = async (request: Request) =>
  request.header('authorization') ? { value: 'ISSUER SUBJECT' } : { rejected: challenge(request) };

it('checks come in the order of rule 5: the first fault of many is answered, and without faults all is passed on', async () => {
  const checked: AnyRoute = {
    ...routeTo('PUT', '/parcel/{id}', ({ request: _, items: __, precondition, ...call }) => {
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
    [403, 'A page of another origin', { 'Sec-Fetch-Site': 'cross-site' }],
    [401, 'Send a token', { 'Sec-Fetch-Site': 'none' }],
    [400, 'The query is not valid', { Authorization: 'x' }],
    [400, 'If-Match is malformed', { query: 'limit=3&other=x' }],
    [400, 'Idempotency-Key is malformed', { 'If-Match': '"3"' }],
    [413, 'The body is larger', { 'Idempotency-Key': 'k' }],
    [400, 'The body is missing', { body: '' }],
    [415, 'The body is sent as', { body: '{' }],
    [400, 'The body is not valid JSON', { 'Content-Type': 'text/json' }],
    [400, 'The body is not a valid item', { body: { pieces: 0 } }],
    [200, undefined, { body }],
  ] as const;
  const largest = 'x'.repeat(2 ** 20 + 1);
  let sent = { query: 'limit=0', body: largest, 'If-Match': '2', 'Idempotency-Key': '', 'Content-Type': 'text/html' };
  let answer: unknown;
  for (const [status, detail, repaired] of steps) {
    sent = { ...sent, ...(repaired as object) };
    const { query, body, ...headers } = sent;
    answer = (await expectStatus(status, service.call('PUT', `/parcel/7?${query}`, { headers, body }))).json;
    if (detail) expect(answer).toHaveProperty('detail', expect.stringContaining(detail));
  }
  const passed = { parameters: { id: '7' }, query: { limit: 3 }, members: { fragile: true }, body };
  expect(answer).toEqual({ ...passed, failure: 'If-Match failed', idempotencyKey: 'k' });
});

it('a route that declares nothing is asked for no token, and reads no body, query or conditional header field', async () => {
  const reading = routeTo('POST', '/a', ({ body, query, precondition }) => ({ body, query, precondition }));
  const sent = { headers: { 'If-Match': '2', 'Idempotency-Key': '' }, body: '{' };
  const { text } = await expectStatus(200, start([reading], { authenticate }).call('POST', '/a?limit=x', sent));
  expect(text).toBe('{"body":{},"query":{}}');
});

it('HEAD is there only where GET is, and a 404 names the methods of all templates that a path matches', async () => {
  const service = start([routeTo('POST', '/a/b'), routeTo('DELETE', '/a/{id}')]);
  const { json, headers } = await expectStatus(404, service.call('GET', '/a/b'));
  expect(headers.allow).toBe('DELETE, OPTIONS, POST');
  expect(json.detail).toBe('This path does not support "GET". It supports DELETE, OPTIONS, POST.');
  await expectStatus(404, service.call('HEAD', '/a/b'));
});

describe('the items of an operation', () => {
  /** A store that gives away what it was asked for. */
  const openStore: OpenStore = ({ name }) => ({ for: (caller) => ({ name, ...caller }) as unknown as Collection });
  const labels: AnyRoute = { ...routeTo('GET', '/labels', ({ items }) => items), resource: parcels };

  it("are the caller's, of the resource that the route names", async () => {
    const requestId = expect.stringMatching(/./);
    const itemsFor = async (options: ServiceOptions) =>
      (await start([labels], { openStore, ...options }).call('GET', '/labels', { headers: { Authorization: 'x' } }))
        .json;
    expect(await itemsFor({})).toEqual({ name: 'parcel', requestId });
    jest.spyOn(performance, 'now').mockReturnValueOnce(7);
    expect(await itemsFor({ authenticate })).toEqual({ name: 'parcel', requestId, owner: 'ISSUER SUBJECT', since: 7 });
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
