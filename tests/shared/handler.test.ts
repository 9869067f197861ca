import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Unavailable } from '../../shared/dynamodb/unavailable.js';
import { created } from '../../shared/http/answer.js';
import type { Authenticate } from '../../shared/http/message.js';
import { challenge } from '../../shared/openid/challenge.js';
import { route } from '../../shared/routing/route.js';
import type { Collection } from '../../shared/store/store.js';
import { asking } from '../support/service/answer.js';
import { captureLog } from '../support/service/log.js';
import { PARCELS, parcels } from '../support/service/parcels.js';
import {
  makeHandler,
  parcelRoutes,
  type Result,
  type ServiceOptions,
  startService,
} from '../support/service/service.js';

afterEach(() => {
  jest.restoreAllMocks();
});

const start = (options: ServiceOptions = {}) => asking(startService(undefined, options));

/** Stores that fail. */
const failing = (error: unknown): ServiceOptions => {
  const fail = () => Promise.reject(error);
  const items: Collection = { list: fail, find: fail, create: fail, update: fail, remove: fail };
  return { openStore: () => () => items };
};

it('declares at most two parameters, because the runtime rejects a handler with three', () => {
  expect(makeHandler().length).toBeLessThanOrEqual(2);
});

it('answers 400 to an event of no gateway, and says what it is without its contents', async () => {
  const lines = captureLog();
  const event = { Records: [{ eventSource: 'aws:sqs', body: 'secret' }] };
  const { statusCode, body } = (await makeHandler()(event, { awsRequestId: 'a-1' })) as Result;
  const received = 'an event with the members "Records"';
  const detail = `The function was invoked with ${received}. It takes events from REST APIs, HTTP APIs and function URLs.`;
  expect([statusCode, JSON.parse(body)]).toEqual([400, expect.objectContaining({ detail, requestId: 'a-1' })]);
  expect(lines).toEqual([{ level: 'warn', event: 'unknown kind of event', received }]);
});

it.each([
  ['GET', PARCELS, 200],
  ['GET', `${PARCELS}/1`, 404],
  ['GET', `${PARCELS}?limit=0`, 400],
])('answers HEAD as %s %s, but without content (rule 4)', async (method, path, status) => {
  const ask = start();
  const { headers } = await ask(`${method} ${path}`, status);
  const head = await ask(`HEAD ${path}`, status);
  expect([head.text, head.headers]).toEqual(['', headers]);
});

describe('if an operation fails', () => {
  it.each<[code: string, method: string, error: Error, status: number]>([
    ['failed', 'GET', new Error('planted'), 500],
    ['unavailable', 'GET', new Unavailable('', { applied: false }), 503],
    ['maybe-applied', 'DELETE', new Unavailable('', { applied: undefined }), 503],
  ])('the code is %s to %s for %p', async (code, method, error, status) => {
    const { json, headers } = await start(failing(error))(`${method} ${PARCELS}/1`, status);
    expect([json.code, headers['retry-after']]).toEqual([code, status === 503 ? '2' : undefined]);
  });

  it('the caller gets no details, and the error is logged in full', async () => {
    const lines = captureLog();
    const error = new Error('the store burns', { cause: new TypeError('a spark', { cause: 'text' }) });
    const { json } = await start(failing(error))(`GET ${PARCELS}/1`, 500);
    const { requestId, ...problem } = json;
    expect(problem).toEqual({ type: 'about:blank', code: 'failed', title: 'Internal Server Error', status: 500 });
    const stackOf = (message: string) => ({
      message,
      stack: expect.stringMatching(/^ +at /),
    });
    const cause = { name: 'TypeError', ...stackOf('a spark'), cause: { message: 'text' } };
    const logged = { name: 'Error', ...stackOf('the store burns'), cause };
    const entry = { event: 'unhandled exception', requestId, route: `${PARCELS}/{id}`, error: logged };
    expect(lines[0]).toEqual({ level: 'error', ...entry });
  });

  it.each<[string, () => ServiceOptions]>([
    ['the store throws something that has no text', () => failing(Object.create(null))],
    ['the store cannot be opened', () => ({ openStore: () => Promise.reject(new Error('the file is broken')) })],
    [
      'the route cannot be found',
      () => {
        jest.spyOn(globalThis, 'decodeURIComponent').mockImplementation(() => {
          throw new Error('the router burns');
        });
        return {};
      },
    ],
  ])('the function answers 500, and its promise never rejects: %s', async (_what, plant) => {
    const lines = captureLog();
    const handle = makeHandler(plant());
    const event = { httpMethod: 'GET', path: PARCELS.replace('a', '%61') };
    expect(await handle(event)).toMatchObject({ statusCode: 500 });
    expect(lines[0]).toMatchObject({ event: 'unhandled exception', error: { message: expect.any(String) } });
  });
});

const authenticate: Authenticate = async (request) =>
  request.header('authorization')
    ? { caller: { subject: 'ada', claims: {}, pseudonym: 'p' }, owner: 'ada' }
    : { rejected: challenge(request, 'https://login.example.com', 'The token has expired.') };
const Authorization = 'Bearer x';

it('each answer of an operation that asks for a token varies by it, whatever check fails', async () => {
  const ask = start({ authenticate });
  const { headers } = await ask(`GET ${PARCELS}`, 200, { headers: { Authorization } });
  expect(headers.vary).toBe('Accept, Authorization');
  const answers = await Promise.all([
    ask(`GET ${PARCELS}`, 401),
    ask(`POST ${PARCELS}`, 403, { headers: { Authorization, 'Sec-Fetch-Site': 'cross-site' } }),
    ask(`POST ${PARCELS}`, 400, { headers: { Authorization } }),
    ask(`DELETE ${PARCELS}/1`, 404, { headers: { Authorization } }),
    start({ authenticate, ...failing(new Error()) })(`GET ${PARCELS}`, 500, { headers: { Authorization } }),
  ]);
  for (const answer of answers) expect(answer.headers.vary).toBe('Authorization');
  expect((await ask('GET /nowhere', 404)).headers.vary).toBeUndefined();
});

describe('the log', () => {
  it('has an entry for each request, with its ids, the route but not the path, and the duration', async () => {
    const lines = captureLog();
    let seconds = 7;
    jest.spyOn(process, 'uptime').mockImplementation(() => (seconds += 1.002_345_678));
    const handle = makeHandler();
    for (const path of [`${PARCELS}/secret`, '/nowhere']) {
      const event = { httpMethod: 'GET', path, requestContext: { requestId: 'r-1' } };
      await handle(event, { awsRequestId: 'a-1', xRayTraceId: 'Root=1-5e66d96f' });
    }
    const ids = { requestId: 'r-1', traceId: 'Root=1-5e66d96f' };
    const line = {
      level: 'info',
      event: 'request',
      ...ids,
      method: 'GET',
      status: 404,
      duration: 1_002,
    };
    expect(lines).toEqual([
      { ...line, route: `${PARCELS}/{id}`, code: 'not-found', coldStart: true },
      { ...line, code: 'no-route', coldStart: false },
    ]);
  });

  it('has the key of the item that a request created or is about, in lower case, and no other text that a path ends in', async () => {
    const lines = captureLog();
    const copyParcel = route({
      method: 'POST',
      template: `${PARCELS}/{id}/copy`,
      resource: parcels,
      answers: { 201: {}, 413: {}, 422: {}, 507: {} },
      run: async ({ request, items }) => created(request, PARCELS, await items.create(parcels.first)),
    });
    const ask = start({ routes: [...parcelRoutes, copyParcel] });
    const { key } = (await ask(`POST ${PARCELS}`, 201, { body: { label: 'Books' } })).json;
    const copied = await ask(`POST ${PARCELS}/${key}/copy`, 201);
    await ask(`GET ${PARCELS}/${key.toUpperCase()}`, 200);
    await ask(`DELETE ${PARCELS}/${key}`, 403, { headers: { 'Sec-Fetch-Site': 'cross-site' } });
    await ask(`GET ${PARCELS}/x${key}`, 404);
    await ask(`POST ${PARCELS}`, 400, { body: {} });
    expect(lines.map((line) => line.key)).toEqual([key, copied.json.key, key, key, undefined, undefined]);
    expect(JSON.stringify(lines)).not.toContain(`x${key}`);
  });

  it('has who called by a pseudonym, and which check of a token failed', async () => {
    const lines = captureLog();
    const ask = start({ authenticate, ...failing(new Error()) });
    await ask(`GET ${PARCELS}`, 500, { headers: { Authorization } });
    await ask(`GET ${PARCELS}`, 401);
    expect(lines.map(({ caller, code, refusal }) => [caller, code, refusal])).toEqual([
      ['p', undefined, undefined],
      ['p', 'failed', undefined],
      [undefined, 'invalid-token', expect.stringContaining('"The token has expired."')],
    ]);
  });
});
