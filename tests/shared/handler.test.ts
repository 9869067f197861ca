import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { LogLevel } from '../../shared/log/log.js';
import type { Collection } from '../../shared/store/store.js';
import { captureLog } from '../support/service/log.js';
import { PARCELS } from '../support/service/parcels.js';
import { makeHandler, type Result, startService } from '../support/service/service.js';

afterEach(() => {
  jest.restoreAllMocks();
});

describe('the handler', () => {
  const handle = makeHandler({ logLevel: 'error' });

  it('declares at most two parameters, because the runtime rejects a handler with three', () => {
    expect(handle.length).toBeLessThanOrEqual(2);
  });

  it.each([
    [undefined, 'a value of type undefined'],
    [null, 'null'],
    [{}, 'an event with the members "none"'],
    [{ warmer: true, concurrency: 3 }, 'an event with the members "warmer, concurrency"'],
    [{ source: 'serverless-plugin-warmup' }, 'an event from "serverless-plugin-warmup"'],
    [{ Records: [{ eventSource: 'aws:sqs', body: 'secret' }] }, 'an event from "aws:sqs"'],
    [{ Records: [{ EventSource: 'aws:sns' }] }, 'an event from "aws:sns"'],
    [{ Records: [] }, 'an event with the members "Records"'],
    [{ requestContext: { elb: {} }, httpMethod: 'GET', path: '/' }, "a load balancer's event"],
    [{ httpMethod: 5, path: '/' }, 'an event with the members "httpMethod, path"'],
    [{ httpMethod: 'GET', path: null }, 'an event with the members "httpMethod, path"'],
    [
      { rawPath: 5, requestContext: { http: { method: 'GET' } } },
      'an event with the members "rawPath, requestContext"',
    ],
    [{ rawPath: '/', requestContext: { http: {} } }, 'an event with the members "rawPath, requestContext"'],
  ])('answers 400 to %j, and says what it is without its contents', async (event, received) => {
    const lines = captureLog();
    const { statusCode, headers, body } = (await handle(event)) as Result;
    expect([statusCode, headers['Content-Type']]).toEqual([400, 'application/problem+json']);
    expect(JSON.parse(body)).toMatchObject({
      detail: `The function was invoked with ${received}. It takes events from REST APIs, HTTP APIs and function URLs.`,
      requestId: '',
    });
    expect(lines).toEqual([expect.objectContaining({ level: 'ERROR', message: 'unknown kind of event', received })]);
  });

  const get = { httpMethod: 'GET', path: PARCELS };

  it.each([
    get,
    { ...get, path: PARCELS.slice(1) },
    { ...get, headers: 5, multiValueHeaders: 'x', requestContext: null, pathParameters: 7 },
    { ...get, headers: { accept: 5 }, multiValueHeaders: { accept: [null, 7] } },
    { ...get, pathParameters: { proxy: 'other' }, resource: 9, requestContext: { path: 5 } },
    { ...get, path: `/x${PARCELS}`, pathParameters: { proxy: PARCELS.slice(1) } },
    { rawPath: PARCELS, requestContext: { http: { method: 'GET' } } },
    { rawPath: PARCELS, requestContext: { http: { method: 'GET' }, domainName: 'x.lambda-url.eu-west-1.on.aws' } },
  ])('answers an event with the fewest members, or with wrong ones: %j', async (event) => {
    expect(await handle(event)).toHaveProperty('statusCode', 200);
  });

  it.each([
    { httpMethod: 'GET', path: '/none' },
    { rawPath: '/none', requestContext: { http: { method: 'GET' } } },
    { rawPath: '/none', requestContext: { http: { method: 'GET' }, domainName: 'x.lambda-url.eu-west-1.on.aws' } },
    'ping',
  ])("answers Lambda's own id as requestId if the event has none: %j", async (event) => {
    captureLog();
    const { body } = (await handle(event, { awsRequestId: 'invocation-1' })) as Result;
    expect(JSON.parse(body).requestId).toBe('invocation-1');
  });

  const EVENTS = 'tests/support/gateways/events';

  it.each(readdirSync(EVENTS))('answers the event %s as it was recorded, of another service', async (name) => {
    captureLog();
    const event = JSON.parse(readFileSync(`${EVENTS}/${name}`, 'utf8'));
    expect(await handle(event)).toHaveProperty('statusCode', name === 'alb.json' ? 400 : 404);
  });
});

/** Starts a service whose operations on items fail. */
function startFailing(error: unknown, logLevel: LogLevel = 'silent') {
  const fail = async () => {
    throw error;
  };
  const items: Collection = { list: fail, find: fail, create: fail, update: fail, remove: fail };
  return startService(undefined, { logLevel, openStore: () => ({ for: () => items }) });
}

describe.each([
  ['GET', ''],
  ['POST', ''],
  ['GET', '/1'],
  ['PUT', '/1'],
  ['PATCH', '/1'],
  ['DELETE', '/1'],
])('%s %s', (method, id) => {
  const path = PARCELS + id;
  const request = { body: { key: '1', label: 'a' } };

  it('returns 500 without details if the store throws, and the error is logged in full', async () => {
    const lines = captureLog();
    const error = new Error('the store burns', { cause: new TypeError('a spark') });
    const answer = await startFailing(error, 'error').call(method, path, request);
    const problem = { type: 'about:blank', title: 'Internal Server Error', status: 500 };
    expect(answer).toMatchObject({ status: 500, json: { ...problem, requestId: expect.stringMatching(/./) } });
    expect(answer.json).not.toHaveProperty('detail');
    expect(lines).toEqual([
      {
        timestamp: expect.any(String),
        level: 'ERROR',
        message: 'unhandled exception',
        requestId: answer.json.requestId,
        route: `${PARCELS}${id && '/{id}'}`,
        error: {
          name: 'Error',
          message: 'the store burns',
          stack: expect.stringMatching(/^Error: the store burns\n +at /),
          cause: { name: 'TypeError', message: 'a spark', stack: expect.stringMatching(/^TypeError: a spark\n +at /) },
        },
      },
    ]);
  });

  it.each([
    [false, 'The collection cannot be reached at the moment, and nothing was changed. Try again.'],
    [undefined, expect.stringContaining('The change may have been made: check before you send it again.')],
  ])('returns 503 if the table cannot be reached, with applied: %s', async (applied, detail) => {
    if (method === 'GET' && applied === undefined) return;
    const unavailable = Object.assign(new Error('busy'), { retryAfter: 2, applied });
    const answer = await startFailing(unavailable).call(method, path, request);
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '2' }, json: { detail } });
    expect(answer.json.applied).toBe(applied);
  });
});

it('HEAD returns 500 like GET, but without content', async () => {
  const service = startFailing(new Error('the store burns'));
  const got = await service.call('GET', PARCELS);
  expect(await service.call('HEAD', PARCELS)).toMatchObject({ status: 500, headers: got.headers, text: '' });
});

describe('the log', () => {
  it('has one line for each request, with the route but not the path', async () => {
    const lines = captureLog();
    const service = startService(undefined, { logLevel: 'info' });
    await service.call('GET', `${PARCELS}/secret`);
    await service.call('POST', PARCELS, { body: { label: 'x' } });
    await service.call('GET', '/nowhere');
    const shared = {
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      level: 'INFO',
      message: 'request',
      requestId: expect.stringMatching(/^7c2af7db/),
      duration: expect.any(Number),
    };
    expect(lines).toEqual([
      { ...shared, method: 'GET', route: `${PARCELS}/{id}`, status: 404, coldStart: true },
      { ...shared, method: 'POST', route: PARCELS, status: 201, coldStart: false },
      { ...shared, method: 'GET', status: 404, coldStart: false },
    ]);
  });

  it("has the ids of the invocation that the runtime's own lines have", async () => {
    const lines = captureLog();
    const invocation = { awsRequestId: 'invocation-1', xRayTraceId: 'Root=1-5e66d96f' };
    const event = { httpMethod: 'GET', path: PARCELS, requestContext: { requestId: 'request-1' } };
    const openStore = () => Promise.reject(new Error('the file is broken'));
    const handle = makeHandler({ logLevel: 'info', openStore });
    for (const received of [event, {}]) await handle(received, invocation);
    expect(lines).toMatchObject([
      { level: 'ERROR', requestId: 'request-1', awsRequestId: 'invocation-1' },
      { level: 'INFO', requestId: 'request-1', awsRequestId: 'invocation-1', traceId: 'Root=1-5e66d96f' },
      { level: 'ERROR', awsRequestId: 'invocation-1' },
    ]);
  });

  it('has the duration of a request, in milliseconds to the microsecond', async () => {
    const lines = captureLog();
    const started: [number, number] = [7, 0];
    const clock = (since?: [number, number]) => (since === started ? [1, 2_345_678] : started);
    jest.spyOn(process, 'hrtime').mockImplementation(clock as typeof process.hrtime);
    await startService(undefined, { logLevel: 'info' }).call('GET', PARCELS);
    expect(lines).toEqual([expect.objectContaining({ duration: 1_002.346 })]);
  });
});
