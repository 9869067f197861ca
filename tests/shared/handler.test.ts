import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { created } from '../../shared/http/answer.js';
import { PROBLEMS } from '../../shared/http/problem.js';
import { route } from '../../shared/routing/route.js';
import { Router } from '../../shared/routing/router.js';
import type { Collection } from '../../shared/store/store.js';
import { captureLog } from '../support/service/log.js';
import { PARCELS, parcels } from '../support/service/parcels.js';
import { makeHandler, parcelRoutes, type Result, startService } from '../support/service/service.js';

afterEach(() => {
  jest.restoreAllMocks();
});

describe('the handler', () => {
  const handle = makeHandler({ logLevel: 'warn' });

  it('declares at most two parameters, because the runtime rejects a handler with three', () => {
    expect(handle.length).toBeLessThanOrEqual(2);
  });

  it.each([
    [undefined, 'a value of type undefined'],
    [null, 'null'],
    [{}, 'an event without members'],
    [{ source: 'serverless-plugin-warmup' }, 'an event from "serverless-plugin-warmup"'],
    [{ Records: [{ eventSource: 'aws:sqs', body: 'secret' }] }, 'an event from "aws:sqs"'],
    [{ Records: [{ EventSource: 'aws:sns' }] }, 'an event from "aws:sns"'],
    [{ Records: [] }, 'an event with the members "Records"'],
    [{ requestContext: { elb: {} }, httpMethod: 'GET', path: '/' }, "a load balancer's event"],
    [{ httpMethod: 5, path: '/' }, 'an event with the members "httpMethod, path"'],
    [{ httpMethod: 'GET', path: null }, 'an event with the members "httpMethod, path"'],
    [{ requestContext: { http: { method: 'GET' } } }, 'an event with the members "requestContext"'],
    [{ rawPath: '/', requestContext: { http: {} } }, 'an event with the members "rawPath, requestContext"'],
  ])('answers 400 to %j, and says what it is without its contents', async (event, received) => {
    const lines = captureLog();
    const { statusCode, headers, body } = (await handle(event, { awsRequestId: 'invocation-1' })) as Result;
    expect([statusCode, headers['Content-Type']]).toEqual([400, 'application/problem+json']);
    expect(JSON.parse(body)).toMatchObject({
      detail: `The function was invoked with ${received}. It takes events from REST APIs, HTTP APIs and function URLs.`,
      requestId: 'invocation-1',
    });
    const about = { awsRequestId: 'invocation-1', received };
    expect(lines).toEqual([
      { timestamp: expect.any(String), level: 'WARN', message: 'unknown kind of event', ...about },
    ]);
  });

  const path = `${PARCELS}/1`;
  const get = { httpMethod: 'GET', path };
  const http = { method: 'GET' };

  it.each([
    get,
    { ...get, path: path.slice(1) },
    { ...get, headers: 5, multiValueHeaders: 'x', requestContext: null, pathParameters: 7 },
    { ...get, headers: { accept: 5 }, multiValueHeaders: { accept: [null, 7] } },
    { ...get, pathParameters: { proxy: 'other' }, resource: 9, requestContext: { path: 5 } },
    { ...get, path: `/x${path}`, pathParameters: { proxy: path.slice(1) } },
    { rawPath: path, requestContext: { http } },
    { rawPath: path, requestContext: { http, domainName: 'x.lambda-url.eu-west-1.on.aws' } },
  ])("answers an event with the fewest members, or with wrong ones, by Lambda's own id: %j", async (event) => {
    const { body } = (await handle(event, { awsRequestId: 'invocation-1' })) as Result;
    expect(JSON.parse(body)).toMatchObject({ detail: PROBLEMS['not-found'].detail, requestId: 'invocation-1' });
  });

  const EVENTS = 'tests/support/gateways/events';

  it.each(readdirSync(EVENTS))('answers the event %s as it was recorded, of another service', async (name) => {
    captureLog();
    const event = JSON.parse(readFileSync(`${EVENTS}/${name}`, 'utf8'));
    expect(await handle(event)).toHaveProperty('statusCode', name === 'alb.json' ? 400 : 404);
  });
});

it.each([
  ['GET', ''],
  ['POST', ''],
  ['GET', '/1'],
  ['PUT', '/1'],
  ['PATCH', '/1'],
  ['DELETE', '/1'],
])('%s %s returns 500 without details if the store throws, and the error is logged in full', async (method, id) => {
  const lines = captureLog();
  const fail = async () => {
    throw new Error('the store burns', { cause: new TypeError('a spark', { cause: 'text' }) });
  };
  const items: Collection = { list: fail, find: fail, create: fail, update: fail, remove: fail };
  const service = startService(undefined, { logLevel: 'error', openStore: () => () => items });
  const answer = await service.call(method, PARCELS + id, { body: { key: '1', label: 'a' } });
  const { requestId, ...problem } = answer.json;
  const expected = { type: 'about:blank', code: 'failed', title: 'Internal Server Error', status: 500 };
  expect([answer.status, problem]).toEqual([500, expected]);
  const stackOf = (message: string) => ({ message, stack: expect.stringMatching(RegExp(`Error: ${message}\n +at `)) });
  const cause = { name: 'TypeError', ...stackOf('a spark'), cause: { message: 'text' } };
  const error = { name: 'Error', ...stackOf('the store burns'), cause };
  const route = `${PARCELS}${id && '/{id}'}`;
  const line = { level: 'ERROR', message: 'unhandled exception', requestId, route, error };
  expect(lines).toEqual([{ timestamp: expect.any(String), ...line }]);
});

it.each<[string, () => void]>([
  ['the store throws something that has no text', () => {}],
  [
    'the route cannot be found',
    () =>
      jest.spyOn(Router.prototype, 'find').mockImplementation(() => {
        throw new Error('the router burns');
      }),
  ],
])('the function answers 500, and its promise never rejects, if %s', async (_what, plant) => {
  const lines = captureLog();
  plant();
  const fail = () => Promise.reject(Object.create(null));
  const items: Collection = { list: fail, find: fail, create: fail, update: fail, remove: fail };
  const handle = makeHandler({ logLevel: 'error', openStore: () => () => items });
  expect(await handle({ httpMethod: 'GET', path: PARCELS })).toMatchObject({ statusCode: 500 });
  expect(lines).toMatchObject([{ message: 'unhandled exception', error: { message: expect.any(String) } }]);
});

it('the log has one line for each request, with its ids, the route but not the path, and the duration to the microsecond', async () => {
  const lines = captureLog();
  let seconds = 7;
  jest.spyOn(process, 'uptime').mockImplementation(() => (seconds += 1.002_345_678));
  const openStore = () => Promise.reject(new Error('the file is broken'));
  const handle = makeHandler({ logLevel: 'info', openStore });
  for (const path of [`${PARCELS}/secret`, '/nowhere']) {
    const event = { httpMethod: 'GET', path, requestContext: { requestId: 'request-1' } };
    await handle(event, { awsRequestId: 'invocation-1', xRayTraceId: 'Root=1-5e66d96f' });
  }
  const ids = { timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/), requestId: 'request-1' };
  const shared = { ...ids, awsRequestId: 'invocation-1' };
  const request = { ...shared, level: 'INFO', message: 'request', traceId: 'Root=1-5e66d96f', duration: 1_002.346 };
  const route = `${PARCELS}/{id}`;
  expect(lines).toEqual([
    { ...shared, level: 'ERROR', message: 'unhandled exception', route, error: expect.any(Object) },
    { ...request, method: 'GET', route, status: 500, code: 'failed', coldStart: true },
    { ...request, method: 'GET', status: 404, code: 'no-route', coldStart: false },
  ]);
});

it('the log has the key of the item that a request created or is about, in lower case, and no other text that a path ends in', async () => {
  const lines = captureLog();
  const copyParcel = route({
    method: 'POST',
    template: `${PARCELS}/{id}/copy`,
    resource: parcels,
    answers: { 201: {}, 413: {}, 422: {}, 507: {} },
    run: async ({ request, items }) => created(request, PARCELS, await items.create(parcels.first)),
  });
  const service = startService(undefined, { logLevel: 'info', routes: [...parcelRoutes, copyParcel] });
  const { key } = (await service.call('POST', PARCELS, { body: { label: 'Books' } })).json;
  const copied = await service.call('POST', `${PARCELS}/${key}/copy`);
  await service.call('GET', `${PARCELS}/${key.toUpperCase()}`);
  await service.call('DELETE', `${PARCELS}/${key}`, { headers: { 'Sec-Fetch-Site': 'cross-site' } });
  await service.call('DELETE', `${PARCELS}/${key}`);
  await service.call('GET', `${PARCELS}/x${key}`);
  await service.call('POST', PARCELS, { body: {} });
  await service.call('GET', PARCELS);
  expect(lines.map(({ method, status, key }) => [method, status, key])).toEqual([
    ['POST', 201, key],
    ['POST', 201, copied.json.key],
    ['GET', 200, key],
    ['DELETE', 403, key],
    ['DELETE', 204, key],
    ['GET', 404, undefined],
    ['POST', 400, undefined],
    ['GET', 200, undefined],
  ]);
  expect(JSON.stringify(lines)).not.toContain(`x${key}`);
});
