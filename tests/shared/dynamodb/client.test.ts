import { Agent, createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { connect, type RequestClient, TIMEOUTS } from '../../../shared/dynamodb/client.js';
import { describeError } from '../../../shared/log.js';
import { configBy, type Reply, reply } from '../../support/dynamodb/sending.js';
import { listen } from '../../support/listen.js';
import { captureLog } from '../../support/service/log.js';
import { aRequest } from '../../support/service/request.js';
import { useVirtualTime } from '../../support/simulation/time.js';

type Attempt = () => Promise<Reply>;
type Operation = 'get' | 'put';

const refuse = (name?: string) => async () =>
  reply({ __type: name && `com.amazonaws.dynamodb.v20120810#${name}` }, 400);
const throttle = refuse('ProvisionedThroughputExceededException');
const failCondition = refuse('ConditionalCheckFailedException');
const deny = refuse('AccessDeniedException');
const invalid = refuse('ValidationException');
const found = async () => reply({ Item: {} });
const fail = (more: object) => () => Promise.reject(Object.assign(new Error('cut'), more));
const cut = fail({ code: 'ECONNRESET' });
/** As Node.js has an error for each address of a host. */
const failAll = (...syscalls: string[]) =>
  fail({ code: 'ECONNREFUSED', errors: syscalls.map((syscall) => ({ syscall })) });

const MAYBE = { code: 'maybe-applied' };
const NOTHING = { code: 'unavailable', options: { isLasting: false } };
const LASTING = { code: 'unavailable', options: { isLasting: true } };
const NO_CREDENTIALS = { ...LASTING, cause: { message: 'the environment has no AWS credentials' } };

/** What a call gives or throws; no test cares about its input. */
const outcomeOf = async (client: RequestClient, operation: Operation = 'put'): Promise<unknown> => {
  const outcome = await client[operation]({ TableName: 'table', Key: {}, Item: {} }).catch((error: unknown) => error);
  return typeof outcome === 'string' ? { outcome } : outcome;
};

describe('in virtual time, a call to DynamoDB', () => {
  const { time, it } = useVirtualTime();

  /** Its attempts get these replies, the last one again and again. */
  function clientOf(replies: readonly Attempt[], receivedAt = time.now) {
    jest.spyOn(Math, 'random').mockReturnValue(1);
    let attempts = 0;
    const send = async () => {
      attempts += 1;
      return (replies[attempts - 1] ?? (replies.at(-1) as Attempt))();
    };
    return { client: connect(configBy(send))(aRequest({ receivedAt })), count: () => attempts };
  }

  it.each<[Operation[], string, number, object, Attempt[]]>([
    [['put'], 'is throttled at first', 2, { outcome: 'applied' }, [throttle, found]],
    [['put'], 'gets no reply at first', 3, { outcome: 'unknown' }, [cut, cut, failCondition]],
    [['put'], 'gets no reply, and then succeeds', 2, { outcome: 'applied' }, [cut, found]],
    [['put'], 'is throttled, and fails its condition', 2, { outcome: 'refused' }, [throttle, failCondition]],
    [['put'], 'gets no reply, is throttled', 3, { outcome: 'unknown' }, [cut, throttle, failCondition]],
    [['put'], 'gets no reply', 4, MAYBE, [cut]],
    [['get'], 'gets no reply', 4, NOTHING, [cut]],
    [['put'], 'gets no reply, and is then denied', 2, { ...MAYBE, options: { isLasting: true } }, [cut, deny]],
    [['put'], 'has no connection', 4, NOTHING, [failAll('connect', 'connect')]],
    [['put'], 'has one that breaks', 4, MAYBE, [failAll('connect', 'read')]],
    [['put'], 'has no host', 4, NOTHING, [fail({ code: 'ENOTFOUND', syscall: 'getaddrinfo' })]],
    [['put'], 'no header field can carry', 1, LASTING, [fail({ code: 'ERR_INVALID_CHAR' })]],
    [['put'], 'is denied', 1, LASTING, [deny]],
    [['put'], 'fails for no known reason', 1, MAYBE, [refuse()]],
    [['put'], 'is invalid', 1, { name: 'ValidationException' }, [invalid]],
    [['put'], 'gets no reply, and is then invalid', 2, MAYBE, [cut, invalid]],
    [['put', 'get'], 'is denied after an open write', 3, MAYBE, [cut, failCondition, deny]],
    [['put', 'get', 'get'], 'is denied after that was read', 4, MAYBE, [cut, failCondition, found, deny]],
    [['put', 'put'], 'is denied after one that was not applied', 3, LASTING, [cut, failCondition, deny]],
    [['put', 'get'], 'is denied after a write that was done', 2, MAYBE, [found, deny]],
    [['get', 'get'], 'is denied after a read', 2, LASTING, [found, deny]],
  ])('of %j that %s is tried %i times, and what became of it is %j', async (calls, _what, tries, outcome, replies) => {
    const { client, count } = clientOf(replies);
    let result: unknown;
    for (const operation of calls) result = await outcomeOf(client, operation);
    expect(result).toMatchObject(outcome);
    expect(count()).toBe(tries);
  });

  it.each([
    [MAYBE, 'InternalServerError RequestAbortedException RequestTimeoutException ServiceUnavailable'],
    [NOTHING, 'ReplicatedWriteConflictException RequestExpired RequestLimitExceeded ThrottlingException'],
    [NOTHING, 'TransactionConflictException'],
    [LASTING, 'ExpiredTokenException IncompleteSignatureException InvalidSignatureException OptInRequired'],
    [LASTING, 'MissingAuthenticationTokenException NotAuthorized ResourceNotFoundException'],
    [LASTING, 'UnrecognizedClientException'],
    [{ name: 'SerializationException' }, 'SerializationException'],
  ])('has the outcome %j after each of the errors %s', async (outcome, names) => {
    for (const name of names.split(' '))
      expect([name, await outcomeOf(clientOf([refuse(name)]).client)]).toMatchObject([name, outcome]);
  });

  it('is not sent when no time is left for it', async () => {
    const [early, late] = [clientOf([found]), clientOf([found], -8_000)];
    expect(await outcomeOf(late.client)).toMatchObject(NOTHING);
    await time.pause(8_000);
    expect(await outcomeOf(early.client)).toMatchObject(NOTHING);
    expect([early.count(), late.count()]).toEqual([0, 0]);
  });

  it('has a warning in the log for each attempt that was followed by another, and its error has the last one', async () => {
    const lines = captureLog();
    const failed = await outcomeOf(clientOf([cut, throttle, deny]).client);
    await outcomeOf(clientOf([failCondition]).client);
    const entry = { level: 'warn', requestId: 'request-1', operation: 'PutItem' };
    const names = ['Error', 'ProvisionedThroughputExceededException'];
    expect(lines).toMatchObject(names.map((name) => ({ ...entry, error: { name } })));
    expect(failed).toMatchObject({ cause: { name: 'AccessDeniedException' } });
    const late = await outcomeOf(clientOf([throttle], time.now - 7_500).client);
    expect(late).toMatchObject({ ...NOTHING, cause: { cause: { name: 'ProvisionedThroughputExceededException' } } });
  });

  it('has time for four attempts to connect, because the outcome of one that is cut off is unknown', async () => {
    expect(TIMEOUTS.total).toBeGreaterThan(4 * TIMEOUTS.connecting);
  });
});

describe('over HTTP, a call to DynamoDB', () => {
  let server: Server;
  let came: IncomingMessage[];
  let timeout: AbortController;
  afterEach(() => {
    jest.restoreAllMocks();
    server.closeAllConnections();
    server.close();
  });

  // AWS's SDK leaves its timers where nothing is sent, and Jest would wait for them.
  const noWarning = { socketAcquisitionWarningTimeout: 0 };
  const requestHandler = { ...noWarning, httpAgent: new Agent() };
  const unconnectable = { ...noWarning, httpAgent: new Agent({ lookup: () => {} }) };

  const endSoon = (of = timeout) => void setTimeout(() => of.abort(), 50);

  /** Its time is over soon after its request came, but never because the machine is busy. */
  async function clientTo(listener: RequestListener, config: DynamoDBClientConfig) {
    came = [];
    timeout = new AbortController();
    jest.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
    server = createServer((request, response) => {
      came.push(request);
      listener(request, response);
      endSoon();
    });
    const { requestHandler: _, ...usual } = configBy(found);
    const endpoint = `http://${await listen(server)}`;
    // On a busy machine, connecting may take long.
    const connecting = config.requestHandler === unconnectable ? 100 : 300_000;
    const timeouts = { total: 300_000, silence: 300_000, connecting };
    const clientOf = connect({ ...usual, endpoint, maxAttempts: 1, ...config }, timeouts);
    return clientOf(aRequest({ receivedAt: performance.now() }));
  }

  const answer = (text: string): RequestListener => {
    return (_request, response) => void response.setHeader('Connection', 'close').end(text);
  };
  const succeed = answer('{}');
  const credentials = { accessKeyId: 'id\n', secretAccessKey: 'secret' };
  const impatient = { requestHandler: { ...requestHandler, socketTimeout: 500 } };

  it.each<[string, object, DynamoDBClientConfig, RequestListener]>([
    ['there are no credentials', LASTING, { credentials: fail({ name: 'CredentialsProviderError' }) }, succeed],
    ['no module finds credentials', NO_CREDENTIALS, { credentials: fail({ code: 'MODULE_NOT_FOUND' }) }, succeed],
    ['credentials take too long', NOTHING, { credentials: () => new Promise(() => endSoon()) }, succeed],
    ['no header field can carry the credentials', { code: 'unavailable' }, { credentials }, succeed],
    ['nobody listens', NOTHING, { endpoint: 'http://127.0.0.1:1' }, succeed],
    ['no connection comes about', NOTHING, { endpoint: 'http://a.b', requestHandler: unconnectable }, succeed],
    ['a server never replies', MAYBE, {}, () => {}],
    ['a server never ends its reply', MAYBE, {}, (_request, response) => void response.writeHead(200).write('{')],
    ['the connection breaks', MAYBE, {}, ({ socket }) => void socket.end(BROKEN)],
    ['the reply is no JSON', MAYBE, {}, answer('{"Item":{"secret')],
    // AWS's SDK would wait for ever.
    ['the reply is one to an upgrade', MAYBE, impatient, ({ socket }) => void socket.write(UPGRADE)],
  ])('ends in time, and leaves no connection, if %s: %j', async (_why, outcome, config, listener) => {
    const lines = captureLog();
    const result = await outcomeOf(await clientTo(listener, { requestHandler, ...config }));
    expect(result).toMatchObject(outcome);
    expect(came.length > 0).toBe(outcome === MAYBE);
    expect(JSON.stringify([lines, describeError(result)])).not.toContain('secret');
    if (outcome !== MAYBE) return;
    // `once` of node:events would reject if the connection is reset.
    await Promise.all(came.map(({ socket }) => socket.destroyed || new Promise((end) => socket.once('close', end))));
  });
});

const BROKEN = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{';
const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: a\r\n\r\n';
