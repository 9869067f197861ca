import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createClient } from '../../../shared/dynamodb/client.js';
import { configBy, type Reply, reply } from '../../support/dynamodb/sending.js';
import { listen } from '../../support/listen.js';
import { useVirtualTime } from '../../support/simulation/time.js';

type Attempt = () => Promise<Reply>;
type Operation = 'get' | 'put';

const error = (type?: string) => async () => reply({ __type: type && `com.amazonaws.dynamodb.v20120810#${type}` }, 400);

const throttle = error('ProvisionedThroughputExceededException');
const failCondition = error('ConditionalCheckFailedException');
const deny = error('AccessDeniedException');
const invalid = error('ValidationException');
const found = async () => reply({ Item: {} });
const cut = () => Promise.reject(Object.assign(new Error('cut'), { code: 'ECONNRESET' }));

/** No test cares about it. */
const INPUT = { TableName: 'table', Key: {}, Item: {} };

describe('in virtual time, a call to DynamoDB', () => {
  const { time, it } = useVirtualTime();

  /**
   * The client of a request, with the longest pauses. Its attempts get these replies after some milliseconds, and after
   * the last one that again and again.
   */
  function clientOf(replies: readonly Attempt[], milliseconds = 0) {
    jest.spyOn(Math, 'random').mockReturnValue(1);
    const attempts: number[] = [];
    const send = async () => {
      const next = replies[Math.min(attempts.length, replies.length - 1)] as Attempt;
      attempts.push(time.now);
      await time.pause(milliseconds);
      return next();
    };
    return { attempts, client: createClient(configBy(send), { total: 8_000, attempt: 2_500 })('request-1') };
  }

  it('is tried again after pauses that double up to a second, while that leaves time', async () => {
    const { client, attempts } = clientOf([throttle], 145);
    const cause = { message: expect.stringContaining('ProvisionedThroughputExceededException') };
    const expected = { retryAfter: 2, message: 'DynamoDB could not complete GetItem', cause };
    await expect(client.get(INPUT)).rejects.toMatchObject(expected);
    expect(attempts).toEqual([0, 195, 440, 785, 1_330, 2_275, 3_420, 4_565, 5_710, 6_855]);
    expect(jest.mocked(AbortSignal.timeout).mock.calls.flat()).toEqual([...Array(8).fill(2_500), 2_290, 1_145]);
  });

  it.each<[Operation[], string, number, object, Attempt[]]>([
    [['put'], 'is throttled at first', 2, { isDone: true, mayBeApplied: false }, [throttle, found]],
    [['put'], 'gets no reply at first', 3, { isDone: false, mayBeApplied: true }, [cut, cut, failCondition]],
    [['put'], 'gets no reply, is throttled', 3, { isDone: false, mayBeApplied: true }, [cut, throttle, failCondition]],
    [['put'], 'gets no reply', 12, { name: 'Unavailable', applied: undefined }, [cut]],
    [['get'], 'gets no reply', 12, { name: 'Unavailable', applied: false }, [cut]],
    [['put'], 'gets no reply, and is then denied', 2, { name: 'Unavailable', applied: undefined }, [cut, deny]],
    [['put'], 'is denied', 1, { name: 'Unavailable', applied: false }, [deny]],
    [['put'], 'fails for no known reason', 1, { name: 'Unavailable', applied: undefined }, [error()]],
    [['put'], 'gets no reply, and is then rejected', 2, { name: 'Unavailable', applied: undefined }, [cut, invalid]],
    [['get'], 'gets no reply, and is then rejected', 2, { name: 'Error' }, [cut, invalid]],
    [['put', 'get'], 'is denied after an open write', 3, { applied: undefined }, [cut, failCondition, deny]],
    [['put', 'put'], 'is denied after one that was not applied', 3, { applied: false }, [cut, failCondition, deny]],
  ])(
    'of %j that %s is tried %i times, and what became of it is %j',
    async (operations, _what, count, outcome, replies) => {
      const { client, attempts } = clientOf(replies);
      let result: unknown;
      for (const operation of operations) result = await client[operation](INPUT).catch((error: unknown) => error);
      expect(result).toMatchObject(outcome);
      expect(attempts).toHaveLength(count);
    },
  );

  it('is not sent when no time is left for it', async () => {
    const { client, attempts } = clientOf([found]);
    await time.pause(8_000);
    await expect(client.put(INPUT)).rejects.toMatchObject({ name: 'Unavailable', applied: false });
    expect(attempts).toEqual([]);
  });

  it('has a line in the log for each attempt that is followed by another, which says why', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    await clientOf([cut, throttle, found]).client.put(INPUT);
    expect(warn.mock.calls.flat()).toEqual(
      ['cut', expect.stringMatching(/^400 com.*#Provisioned/)].map((message) => ({
        ...{ event: expect.any(String), requestId: 'request-1', operation: 'PutItem' },
        error: expect.objectContaining({ message }),
      })),
    );
  });

  it('pauses for a random part of the longest time, so that those that failed together do not come again together', async () => {
    const { client, attempts } = clientOf([throttle, throttle, throttle, found]);
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    await client.get(INPUT);
    await client.backOff();
    expect([...attempts, time.now]).toEqual([0, 25, 75, 175, 180]);
  });

  it('backs off longer before each further write, up to a fifth of a second', async () => {
    const { client } = clientOf([]);
    const ends: number[] = [];
    for (let tries = 0; tries < 7; tries += 1) ends.push(await client.backOff().then(() => time.now));
    expect(ends).toEqual([10, 30, 70, 150, 310, 510, 710]);
  });
});

describe('over HTTP, a call to DynamoDB', () => {
  let server: Server;
  afterEach(() => {
    jest.restoreAllMocks();
    server.closeAllConnections();
    server.close();
  });

  const succeed: RequestListener = (_request, response) => void response.end('{"Item":{"a":{"S":"é😀"}}}');

  /** A client of a server that counts its requests. */
  async function clientTo(listener: RequestListener, more: DynamoDBClientConfig = {}) {
    const came: IncomingMessage[] = [];
    server = createServer((request, response) => {
      came.push(request);
      listener(request, response);
    });
    const { requestHandler: _, ...config } = configBy(found);
    const endpoint = `http://${await listen(server)}`;
    // So long that no call fails because the machine is busy.
    const timeouts = { total: 50_000, attempt: 25_000 };
    return { came, client: createClient({ ...config, endpoint, ...more }, timeouts)('request-1') };
  }

  /** AWS's SDK leaves its timers where nothing is sent, and Jest would wait for them. */
  const requestHandler = { connectionTimeout: 100, socketAcquisitionWarningTimeout: 0 };

  const secretAccessKey = 'secret';
  it.each<[string, NonNullable<DynamoDBClientConfig['credentials']>]>([
    ['there are no credentials', () => Promise.reject(new Error('none'))],
    ['no header field can carry the key', { accessKeyId: 'id\n', secretAccessKey }],
    ['no header field can carry the token', { accessKeyId: 'id', secretAccessKey, sessionToken: '€' }],
  ])('has changed nothing if %s, and is not tried again', async (_why, credentials) => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    const { came, client } = await clientTo(succeed, { credentials, requestHandler });
    await expect(client.put(INPUT)).rejects.toMatchObject({ name: 'Unavailable', applied: false });
    expect([came, warn.mock.calls]).toEqual([[], []]);
  });

  it('is signed, and shares its connection with the next one, also after an error', async () => {
    const { came, client } = await clientTo((request, response) => {
      if (came.length === 2) response.writeHead(400).end('{"__type":"ThrottlingException"}');
      else succeed(request, response);
    });
    for (let time = 0; time < 2; time += 1)
      expect(await client.get(INPUT)).toMatchObject({ Item: { a: { S: 'é😀' } } });
    expect(came[0]?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=id\/\d+\/eu-central-1\/dynamodb\//);
    expect(came.map(({ socket }) => socket === came[0]?.socket)).toEqual([true, true, true]);
  });

  it('is signed again by the clock of DynamoDB if it came too late', async () => {
    const { came, client } = await clientTo((request, response) => {
      if (came.length > 1) return succeed(request, response);
      const ahead = new Date(Date.now() + 3_600_000).toUTCString();
      response.writeHead(400, { Date: ahead }).end('{"__type":"RequestExpired"}');
    });
    expect(await client.put(INPUT)).toEqual({ isDone: true, mayBeApplied: false });
    const [before = '', after = ''] = came.map(({ headers }) => String(headers['x-amz-date']).slice(0, 11));
    expect(after > before).toBe(true);
  });

  it.each<[string, RequestListener]>([
    ['a server never replies', () => {}],
    ['a server never ends its reply', (_request, response) => void response.writeHead(200).write('{')],
    ['the connection breaks', ({ socket }) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{')],
  ])('ends in time, may have changed something, and leaves no connection if %s', async (_what, listener) => {
    const timeout = new AbortController();
    jest.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
    const endTime = () => {
      jest.spyOn(process, 'uptime').mockReturnValue(Number.POSITIVE_INFINITY);
      timeout.abort();
    };
    const { came, client } = await clientTo((request, response) => {
      listener(request, response);
      if (came.length === 1) setTimeout(endTime, 50);
    });
    await expect(client.put(INPUT)).rejects.toMatchObject({ name: 'Unavailable', applied: undefined });
    // `once` of node:events would reject if the connection is reset.
    await Promise.all(came.map(({ socket }) => socket.destroyed || new Promise((end) => socket.once('close', end))));
  });

  it('is tried again where there is no connection, and has changed nothing by that', async () => {
    const { client } = await clientTo(succeed, { requestHandler });
    const { port } = server.address() as AddressInfo;
    await once(server.close(), 'close');
    const warn = jest.spyOn(console, 'warn').mockImplementationOnce(() => server.listen(port, '127.0.0.1'));
    expect(await client.put(INPUT)).toEqual({ isDone: true, mayBeApplied: false });
    expect(warn).toHaveBeenCalled();
  });
});
