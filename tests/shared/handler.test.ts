import { afterEach, expect, it, jest } from '@jest/globals';
import type { Authenticate } from '../../shared/http/message.js';
import { describeError } from '../../shared/log.js';
import { Problem } from '../../shared/problem.js';
import type { ProblemCode } from '../../shared/problem-kinds.js';
import type { Items } from '../../shared/store/store.js';
import { asking } from '../support/service/answer.js';
import { captureLog } from '../support/service/log.js';
import { PARCELS } from '../support/service/parcels.js';
import { makeHandler, type Result, type ServiceOptions, startService } from '../support/service/service.js';

afterEach(() => void jest.restoreAllMocks());

const start = (options: ServiceOptions = {}) => asking(startService(options));

/** The options of a service whose store fails. */
const failing = (error: unknown): ServiceOptions => {
  const fail = () => Promise.reject(error);
  const items: Items = { list: fail, find: fail, create: fail, update: fail, remove: fail };
  return { store: () => items as never };
};

it('the handler declares at most two parameters, because the runtime rejects a handler with three', () => {
  expect(makeHandler().length).toBeLessThanOrEqual(2);
});

it('an event of no gateway gets 400, and a description without its contents', async () => {
  const lines = captureLog();
  const event = { Records: [{ eventSource: 'aws:sqs', body: 'secret' }] };
  const { statusCode, body } = (await makeHandler()(event, { awsRequestId: 'a-1' })) as Result;
  const received = 'an event with the members "Records"';
  const detail = `The function was invoked with ${received}. It takes events from REST APIs, and from HTTP APIs with payload 2.0.`;
  expect([statusCode, JSON.parse(body)]).toEqual([400, expect.objectContaining({ detail, requestId: 'a-1' })]);
  expect(lines).toEqual([{ level: 'warn', event: expect.any(String), received }]);
});

it.each<[code: ProblemCode, method: string, applied: false | undefined, isLasting: boolean, level: string]>([
  ['unavailable', 'GET', false, false, 'warn'],
  ['unavailable', 'GET', false, true, 'error'],
  ['maybe-applied', 'DELETE', undefined, false, 'warn'],
])(
  'the problem %s of a store is answered to %s with applied %s, and logged with its cause; if isLasting is %s, as %s',
  async (code, method, applied, isLasting, level) => {
    const lines = captureLog();
    // The file of the table has another copy of the class.
    const error = new Error(code, { cause: new Error('cut') });
    const problem = Object.assign(error, { name: 'Problem', code, options: { isLasting } });
    const { json, headers } = await start(failing(problem))(`${method} ${PARCELS}/1`, 503);
    expect([json.code, json.applied, headers['retry-after']]).toEqual([code, applied, '2']);
    expect(lines[0]).toMatchObject({ level, error: { cause: { message: 'cut' } } });
  },
);

it('the caller gets no details of a failure, and the log has all of them', async () => {
  const lines = captureLog();
  const error = new Error('the store burns', { cause: new TypeError('a spark') });
  const { json } = await start(failing(error))(`GET ${PARCELS}/1`, 500);
  const { requestId, ...problem } = json;
  expect(problem).toEqual({ type: 'about:blank', code: 'failed', title: 'Internal Server Error', status: 500 });
  const entry = { event: expect.any(String), requestId, route: `${PARCELS}/{id}` };
  expect(lines[0]).toEqual({ level: 'error', ...entry, error: JSON.parse(JSON.stringify(describeError(error))) });
});

const rejecting = (members: object) => () =>
  Promise.reject(Object.assign(new Error(), { name: 'Problem', ...members }));
const broken = Promise.reject(new Error('the file is broken'));
broken.catch(() => {});

it.each<[string, ServiceOptions]>([
  ['throws something that has no text', failing(Object.create(null))],
  ['throws a problem that the route does not declare', failing(new Problem('full'))],
  ['throws half a problem', failing(Object.assign(new Error(), { name: 'Problem', code: 'full' }))],
  ['throws half a problem in a check', { authenticate: rejecting({ code: 'full' }) }],
  ['throws an unknown problem in a check', { authenticate: rejecting({ code: 'x', options: {} }) }],
  ['cannot be loaded', { store: broken }],
])('the function answers 500, and its promise never rejects: a part of it %s', async (_what, options) => {
  const lines = captureLog();
  expect(await makeHandler(options)({ httpMethod: 'GET', path: PARCELS })).toMatchObject({ statusCode: 500 });
  expect(lines[0]).toMatchObject({ level: 'error', error: { message: expect.any(String) } });
});

const Authorization = 'Bearer x';
const refusal = { 'WWW-Authenticate': 'Bearer error="expired"' };
const authenticate: Authenticate = async (request) => {
  if (request.header('authorization') === Authorization) return { pseudonym: 'p', authorize: () => 'ada' };
  if (!request.header('authorization')) throw new Problem('invalid-token', { headers: refusal });
  const authorize = () => {
    throw new Problem('no-list');
  };
  return { pseudonym: 'q', authorize };
};

it('each answer of an operation that asks for a token varies by it, whatever check fails', async () => {
  const ask = start({ authenticate });
  const headers = { Authorization };
  const varied = async (answer: ReturnType<typeof ask>) => (await answer).headers.vary;
  expect(await varied(ask(`GET ${PARCELS}`, 200, { headers }))).toBe('Accept, Authorization');
  expect(await varied(ask(`GET ${PARCELS}`, 401))).toBe('Authorization');
  const foreign = { ...headers, 'Sec-Fetch-Site': 'cross-site' };
  expect(await varied(ask(`POST ${PARCELS}`, 403, { headers: foreign }))).toBe('Authorization');
  const failed = start({ authenticate, ...failing(new Error()) });
  expect(await varied(failed(`GET ${PARCELS}`, 500, { headers }))).toBe('Authorization');
  expect(await varied(ask('GET /nowhere', 404))).toBeUndefined();
});

it('the log has an entry for each request, with its ids, the route but not the path, and the duration', async () => {
  const lines = captureLog();
  let milliseconds = 7_000;
  jest.spyOn(performance, 'now').mockImplementation(() => (milliseconds += 1_002.345_678));
  const handle = makeHandler();
  for (const path of [`${PARCELS}/secret`, '/nowhere']) {
    const event = { httpMethod: 'GET', path, requestContext: { requestId: 'r-1' } };
    await handle(event, { awsRequestId: 'a-1', xRayTraceId: 'Root=1-5e66d96f' });
  }
  const ids = { requestId: 'r-1', traceId: 'Root=1-5e66d96f' };
  const entry = { level: 'info', event: 'request', ...ids, method: 'GET', status: 404, duration: 1_002 };
  expect(lines).toEqual([
    { ...entry, route: `${PARCELS}/{id}`, code: 'not-found', coldStart: true },
    { ...entry, code: 'no-route', coldStart: false },
  ]);
});

it('the log has the key of the item that a request reads or writes', async () => {
  const lines = captureLog();
  const ask = start();
  const { key } = (await ask(`POST ${PARCELS}`, 201, { body: { label: 'Books' } })).json;
  await ask(`GET ${PARCELS}/${key}`, 304, { headers: { 'If-None-Match': '*' } });
  expect(lines).toMatchObject([{ key }, { key }]);
});

it('the log names the caller by a pseudonym, and the check of a token that failed', async () => {
  const lines = captureLog();
  const ask = start({ authenticate, ...failing(new Error()) });
  await ask(`GET ${PARCELS}`, 500, { headers: { Authorization } });
  await ask(`GET ${PARCELS}`, 401);
  await ask(`GET ${PARCELS}`, 403, { headers: { Authorization: 'Bearer without a list' } });
  expect(lines.map(({ caller, code, refusal }) => [caller, code, refusal])).toEqual([
    ['p', undefined, undefined],
    ['p', 'failed', undefined],
    [undefined, 'invalid-token', refusal['WWW-Authenticate']],
    ['q', 'no-list', undefined],
  ]);
});
