import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import timers from 'node:timers/promises';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createClient, type RequestClient } from '../../../shared/dynamodb/client.js';
import { configBy, type Reply, readFilesOfSdk, reply } from '../../support/dynamodb/sending.js';
import { listen } from '../../support/listen.js';

type Attempt = () => Promise<Reply>;

const error = (type?: string) => async () => reply({ __type: type && `com.amazonaws.dynamodb.v20120810#${type}` }, 400);
const failing = (members: object) => () => Promise.reject(Object.assign(new Error('failed'), members));

const throttle = error('ProvisionedThroughputExceededException');
const failCondition = error('ConditionalCheckFailedException');
const deny = error('AccessDeniedException');
const invalid = error('ValidationException');
const expire = error('RequestExpired');
const found = async () => reply({ Item: {} });
const odd = async () => reply({ __type: 'InternalServerError' });
const cut = failing({ code: 'ECONNRESET' });
const refuse = failing({ syscall: 'connect' });
const cannot = failing({ code: 'ERR_INVALID_CHAR' });

let now: number;
let timeouts: number[];
let warnings: unknown[];

beforeAll(readFilesOfSdk);
beforeEach(() => {
  warnings = [];
  jest.spyOn(console, 'warn').mockImplementation((entry) => void warnings.push(entry));
});
afterEach(() => void jest.restoreAllMocks());

/** Pauses take no time, are as long as they can be, and begin only when they are awaited. */
function stopTime() {
  [now, timeouts] = [0, []];
  const pause = (length = 0) => ({
    // biome-ignore lint/suspicious/noThenProperty: a promise would not tell whether it is awaited.
    then(resolve: () => void) {
      now += length;
      resolve();
    },
  });
  jest.spyOn(timers, 'setTimeout').mockImplementation(pause as unknown as typeof timers.setTimeout);
  jest.spyOn(AbortSignal, 'timeout').mockImplementation((length) => {
    timeouts.push(length);
    return new AbortController().signal;
  });
  jest.spyOn(process, 'uptime').mockImplementation(() => now / 1_000);
  jest.spyOn(Math, 'random').mockReturnValue(1);
}

/** Calls an operation with an input that no test cares about. */
function callTo(client: RequestClient, operation: string): Promise<unknown> {
  if (operation === 'PutItem') return client.put({ TableName: 'table', Item: {} });
  return operation === 'Query' ? client.query({ TableName: 'table' }) : client.get({ TableName: 'table', Key: {} });
}

/** The client of a request. Its attempts get these replies, and after the last one that again and again. */
function clientOf(replies: readonly Attempt[], milliseconds = 0) {
  stopTime();
  const attempts: number[] = [];
  const send = () => {
    // Without pauses it would go on for ever.
    if (attempts.length > 100) throw new Error('the call never ends');
    const next = replies[Math.min(attempts.length, replies.length - 1)] as Attempt;
    attempts.push(now);
    now += milliseconds;
    return next();
  };
  const client = createClient(configBy(send))('request-1');
  return { ...client, call: (operation: string) => callTo(client, operation), attempts };
}

describe('a call to DynamoDB', () => {
  it('is tried again after pauses that double up to a second, while that leaves time of the eight seconds', async () => {
    const { call, attempts } = clientOf([throttle], 145);
    const outcome = await call('GetItem').catch((error: unknown) => error);
    expect(attempts).toEqual([0, 195, 440, 785, 1_330, 2_275, 3_420, 4_565, 5_710, 6_855]);
    expect(timeouts).toEqual([...Array(8).fill(2_500), 2_290, 1_145]);
    const cause = { message: expect.stringContaining('ProvisionedThroughputExceededException') };
    expect(outcome).toMatchObject({ retryAfter: 2, message: 'DynamoDB could not complete GetItem', cause });
  });

  it.each<[string, object, Attempt[]]>([
    ['succeeds after being throttled', { isDone: true, mayBeApplied: false }, [throttle, found]],
    ['gets no reply', { isDone: false, mayBeApplied: true }, [cut, cut, failCondition]],
    ['gets a reply that makes no sense', { isDone: true, mayBeApplied: true }, [odd, found]],
    ['is throttled', { isDone: false, mayBeApplied: false }, [throttle, throttle, failCondition]],
    ['gets no connection', { isDone: false, mayBeApplied: false }, [refuse, failCondition]],
    ['is signed too late', { isDone: true, mayBeApplied: false }, [expire, expire, found]],
    ['gets no reply, and is throttled', { isDone: false, mayBeApplied: true }, [cut, throttle, failCondition]],
  ])('that %s says what became of it: %j', async (_what, outcome, replies) => {
    expect(await clientOf(replies).call('PutItem')).toEqual(outcome);
  });

  it.each<[string, string, number, object, Attempt[]]>([
    ['GetItem', 'gets no reply', 12, { name: 'Unavailable', applied: false }, [cut]],
    ['PutItem', 'gets no reply', 12, { name: 'Unavailable', applied: undefined }, [cut]],
    ['PutItem', 'is always throttled', 12, { name: 'Unavailable', applied: false }, [throttle]],
    ['PutItem', 'gets no reply, and is then signed too late', 12, { applied: undefined }, [cut, expire]],
    ['PutItem', 'cannot be sent', 1, { name: 'Unavailable', applied: false }, [cannot]],
    ['PutItem', 'gets no reply, and then cannot be sent', 2, { applied: undefined }, [cut, cannot]],
    ['PutItem', 'is denied', 1, { name: 'Unavailable', applied: false }, [deny]],
    ['PutItem', 'fails for no known reason', 1, { name: 'Unavailable', applied: undefined }, [error()]],
    ['PutItem', 'gets no reply, and is then rejected', 2, { name: 'Unavailable', applied: undefined }, [cut, invalid]],
    ['GetItem', 'gets no reply, and is then rejected', 2, { name: 'Error' }, [cut, invalid]],
    ['Query', 'is no JSON', 1, { name: 'Error' }, [error('SerializationException')]],
  ])('of %s that %s is tried %i times, and says whether it may have been applied: %j', async (...row) => {
    const [operation, , count, expected, replies] = row;
    const { call, attempts } = clientOf(replies);
    await expect(call(operation)).rejects.toMatchObject(expected);
    expect(attempts).toHaveLength(count);
  });

  it('is not sent when no time is left for it', async () => {
    const { call, attempts } = clientOf([found], 8_000);
    await call('GetItem');
    await expect(call('PutItem')).rejects.toMatchObject({ name: 'Unavailable', applied: false });
    expect(attempts).toEqual([0]);
  });

  it('that reads and fails may have changed something if the write before it had an unknown outcome', async () => {
    const { call } = clientOf([cut, failCondition, deny]);
    await call('PutItem');
    await expect(call('GetItem')).rejects.toMatchObject({ name: 'Unavailable', applied: undefined });
  });

  it('has changed nothing if the write before it was found not to be applied, and this one is throttled', async () => {
    const { call } = clientOf([cut, failCondition, found, throttle]);
    for (const operation of ['PutItem', 'GetItem']) await call(operation);
    await expect(call('PutItem')).rejects.toMatchObject({ applied: false });
  });
});

it('each attempt that is followed by another has a line in the log, which says why', async () => {
  await clientOf([cut, throttle, found]).call('PutItem');
  expect(warnings).toEqual(
    ['failed', expect.stringMatching(/^400 com.*#Provisioned/)].map((message) => ({
      ...{ event: expect.any(String), requestId: 'request-1', operation: 'PutItem' },
      error: expect.objectContaining({ message }),
    })),
  );
});

it('pauses are a random part of the longest ones, so that requests that failed together do not come again together', async () => {
  const { call, attempts, backOff } = clientOf([throttle, throttle, throttle, found]);
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  await call('GetItem');
  expect(attempts).toEqual([0, 25, 75, 175]);
  await backOff();
  expect(now).toBe(180);
});

it('a request backs off longer before each further write, up to a fifth of a second', async () => {
  const { backOff } = clientOf([cut]);
  const times: number[] = [];
  for (let tries = 0; tries < 7; tries += 1) {
    await backOff();
    times.push(now);
  }
  expect(times).toEqual([10, 30, 70, 150, 310, 510, 710]);
});

describe('over HTTP, a call to DynamoDB', () => {
  let server: Server;
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const succeed: RequestListener = (_request, response) => void response.end('{"Item":{"a":{"S":"é😀"}}}');

  /** So long that no call fails because the machine is busy. */
  const GENEROUS = { total: 50_000, attempt: 25_000 };
  const SHORT = { total: 1_000, attempt: 400 };

  /** Clients of a server that counts its requests. */
  async function clientTo(listener: RequestListener, more: DynamoDBClientConfig = {}) {
    const came: IncomingMessage[] = [];
    server = createServer((request, response) => {
      came.push(request);
      listener(request, response);
    });
    const { requestHandler: _, ...config } = configBy(found);
    const endpoint = `http://${await listen(server)}`;
    const client = (timeouts = GENEROUS) => createClient({ ...config, endpoint, ...more }, timeouts)('request-1');
    return { came, client };
  }

  const secretAccessKey = 'secret';
  it.each<[string, NonNullable<DynamoDBClientConfig['credentials']>]>([
    ['there are no credentials', () => Promise.reject(new Error('none'))],
    ['no header field can carry the key', { accessKeyId: 'id\n', secretAccessKey }],
    ['no header field can carry the token', { accessKeyId: 'id', secretAccessKey, sessionToken: '€' }],
  ])('has changed nothing if %s, and is not tried again', async (_why, credentials) => {
    const { came, client } = await clientTo(succeed, { credentials });
    await expect(callTo(client(), 'PutItem')).rejects.toMatchObject({ name: 'Unavailable', applied: false });
    expect([came, warnings]).toEqual([[], []]);
  });

  it('is signed, and shares its connection with the next one, also after an error', async () => {
    const { came, client } = await clientTo((request, response) => {
      if (came.length === 2) response.writeHead(400).end('{"__type":"ThrottlingException"}');
      else succeed(request, response);
    });
    const request = client();
    for (let time = 0; time < 2; time += 1)
      expect(await callTo(request, 'GetItem')).toMatchObject({ Item: { a: { S: 'é😀' } } });
    expect(came[0]?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=id\/\d+\/eu-central-1\/dynamodb\//);
    expect(came.map(({ socket }) => socket === came[0]?.socket)).toEqual([true, true, true]);
  });

  it('is signed again by the clock of DynamoDB if it came too late', async () => {
    const { came, client } = await clientTo((request, response) => {
      if (came.length > 1) return succeed(request, response);
      const ahead = new Date(Date.now() + 3_600_000).toUTCString();
      response.writeHead(400, { Date: ahead }).end('{"__type":"RequestExpired"}');
    });
    expect(await callTo(client(), 'PutItem')).toEqual({ isDone: true, mayBeApplied: false });
    const [before = '', after = ''] = came.map(({ headers }) => String(headers['x-amz-date']).slice(0, 11));
    expect(after > before).toBe(true);
  });

  it.each<[string, RequestListener]>([
    ['a server never replies', () => {}],
    ['a server never ends its reply', (_request, response) => void response.writeHead(200).write('{')],
    ['the connection breaks', ({ socket }) => void socket.destroy()],
    [
      'the connection breaks within the reply',
      ({ socket }) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'),
    ],
  ])('ends in time, may have changed something, and leaves no connection if %s', async (_what, listener) => {
    const { came, client } = await clientTo(listener);
    await expect(callTo(client(SHORT), 'PutItem')).rejects.toMatchObject({ name: 'Unavailable', applied: undefined });
    // `once` of node:events would reject if the connection is reset.
    await Promise.all(came.map(({ socket }) => socket.destroyed || new Promise((end) => socket.once('close', end))));
  });

  it('has changed nothing if there is no connection, which another attempt may get', async () => {
    const { client } = await clientTo(succeed);
    const { port } = server.address() as AddressInfo;
    await once(server.close(), 'close');
    await expect(callTo(client(SHORT), 'PutItem')).rejects.toMatchObject({ name: 'Unavailable', applied: false });
    setTimeout(() => server.listen(port, '127.0.0.1'), 100);
    expect(await callTo(client(), 'PutItem')).toEqual({ isDone: true, mayBeApplied: false });
  });
});
