import timers from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createClient, TIMEOUTS } from '../../../shared/dynamodb/retry.js';
import { NotSent, type Reply } from '../../../shared/dynamodb/send.js';
import { openLog } from '../../../shared/log/log.js';
import { captureLog } from '../../support/service/log.js';

const errorReply = (__type?: string, more: object = {}): Reply => ({
  status: 400,
  text: JSON.stringify({ __type, ...more }),
});
const THROTTLED = errorReply('com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException');

let now: number;

/** Calls by a clock of the test's own, with pauses as long as they can be. Gives the times of the attempts, and the outcome. */
async function call(
  reply: (attempt: number) => Promise<Reply>,
  { operation = 'GetItem', total = TIMEOUTS.total } = {},
) {
  const attempts: number[] = [];
  const timeouts: number[] = [];
  const send = (_operation: string, _input: string, timeout: number) => {
    attempts.push(now);
    timeouts.push(timeout);
    return reply(attempts.length);
  };
  const { call } = createClient(send, openLog('silent'), { ...TIMEOUTS, total })('request-1');
  const outcome = await call(operation, {}).catch((error: unknown) => error);
  return { outcome: outcome as Error & { cause: Error }, attempts, timeouts };
}

/** Attempts at a write, the first ones with these replies, and the last one finding its condition failed. */
async function writeAfter(...replies: (() => Promise<Reply>)[]) {
  const last = async () => errorReply('ConditionalCheckFailedException');
  return (await call((attempt) => (replies[attempt - 1] ?? last)(), { operation: 'PutItem' })).outcome;
}

const cut = () => Promise.reject(new Error('cut'));
const throttle = async () => THROTTLED;

/** Pauses take no time, and are as long as they can be. */
function stopTheClock(): void {
  now = 0;
  const pause = async (length = 0) => {
    now += length;
  };
  jest.spyOn(timers, 'setTimeout').mockImplementation(pause as typeof timers.setTimeout);
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  jest.spyOn(Math, 'random').mockReturnValue(1);
}

describe('a call to DynamoDB', () => {
  beforeEach(stopTheClock);

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('is tried again after pauses that double up to a second, for eight seconds', async () => {
    const { attempts, timeouts, outcome } = await call(throttle);
    expect(attempts).toEqual([0, 50, 150, 350, 750, 1_550, 2_550, 3_550, 4_550, 5_550, 6_550, 7_550]);
    expect(timeouts).toEqual([...Array(9).fill(2_500), 2_450, 1_450, 450]);
    expect(outcome).toMatchObject({ retryAfter: 2, message: 'DynamoDB could not complete GetItem' });
    expect(outcome.cause.message).toBe(`400 ${THROTTLED.text}`);
  });

  it('is not tried again when the total time-out would pass', async () => {
    const { attempts, timeouts } = await call(throttle, { total: 1_550 });
    expect(attempts).toEqual([0, 50, 150, 350, 750]);
    expect(timeouts).toEqual([1_550, 1_500, 1_400, 1_200, 800]);
  });

  it.each(['ThrottlingException', 'RequestLimitExceeded'])('is tried again after a %s', async (type) => {
    const { attempts, outcome } = await call(async (attempt) =>
      attempt < 3 ? errorReply(type) : { status: 200, text: '{"Item":{}}' },
    );
    expect(attempts).toEqual([0, 50, 150]);
    expect(outcome).toEqual({ kind: 'succeeded', output: { Item: {} }, maybeApplied: false });
  });

  it.each([
    ['ValidationException', 'Error'],
    ['SerializationException', 'Error'],
    ['AccessDeniedException', 'Unavailable'],
    ['ResourceNotFoundException', 'Unavailable'],
    [undefined, 'Unavailable'],
  ])('is not tried again after a %s: it throws an %s', async (type, name) => {
    const { attempts, outcome } = await call(async () => errorReply(type));
    expect(attempts).toEqual([0]);
    expect(outcome.name).toBe(name);
  });

  it.each([
    { message: 'Item size has exceeded the maximum allowed size' },
    { Message: 'Item size to update exceeded' },
  ])('says that an item is too large where DynamoDB says so: %j', async (more) => {
    const { attempts, outcome } = await call(async () => errorReply('ValidationException', more));
    expect(attempts).toEqual([0]);
    expect(outcome).toEqual({ kind: 'too large', output: expect.any(Object), maybeApplied: false });
  });

  it.each<[string, boolean, (() => Promise<Reply>)[]]>([
    ['no reply', true, [cut, cut]],
    ['a reply that is no JSON', true, [async () => ({ status: 200, text: '<html>' })]],
    ['a reply that is no object', true, [async () => ({ status: 200, text: 'null' })]],
    ['a fault of the server', true, [async () => ({ status: 500, text: '{}' })]],
    ['being throttled', false, [throttle, throttle]],
    ['no connection', false, [() => Promise.reject(new NotSent(new Error('connect ECONNREFUSED')))]],
    ['no reply, and being throttled then: what is unknown once stays unknown', true, [cut, throttle]],
  ])(
    'whose condition fails after %s says whether it may have been applied: %j',
    async (_what, maybeApplied, replies) => {
      const outcome = await writeAfter(...replies);
      expect(outcome).toEqual({ kind: 'condition failed', output: expect.any(Object), maybeApplied });
    },
  );

  it('whose outcome is unknown stays so where the next attempt is rejected', async () => {
    const outcome = await writeAfter(cut, async () => errorReply('ValidationException'));
    expect(outcome).toMatchObject({ name: 'Unavailable', applied: undefined });
  });

  it('that only reads and is rejected throws the error, whatever became of the attempt before', async () => {
    const { outcome } = await call((attempt) =>
      attempt < 2 ? cut() : Promise.resolve(errorReply('ValidationException')),
    );
    expect(outcome.name).toBe('Error');
  });

  it('is not sent when no time is left for it', async () => {
    const sent: string[] = [];
    const send = async (operation: string) => {
      sent.push(operation);
      now += 8_000;
      return { status: 200, text: '{}' };
    };
    const client = createClient(send, openLog('silent'), TIMEOUTS)('request-1');
    await client.call('GetItem', {});
    await expect(client.call('PutItem', {})).rejects.toMatchObject({ name: 'Unavailable', applied: false });
    expect(sent).toEqual(['GetItem']);
  });

  it('backs off longer before each next try to write, up to a fifth of a second', async () => {
    const { backOff } = createClient(() => Promise.reject(), openLog('silent'), TIMEOUTS)('request-1');
    const waits: number[] = [];
    for (let tries = 0; tries < 7; tries += 1) {
      const before = now;
      await backOff();
      waits.push(now - before);
    }
    expect(waits).toEqual([10, 20, 40, 80, 160, 200, 200]);
  });
});

describe('a request that fails', () => {
  beforeEach(stopTheClock);

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each<[string, string, false | undefined, () => Promise<Reply>]>([
    ['GetItem', 'gets no reply', false, cut],
    ['Query', 'gets no reply', false, cut],
    ['PutItem', 'gets no reply', undefined, cut],
    ['PutItem', 'is answered with a fault of the server', undefined, async () => ({ status: 503, text: '<html>' })],
    ['PutItem', 'is always throttled', false, throttle],
    ['PutItem', 'is denied', false, async () => errorReply('AccessDeniedException')],
    [
      'PutItem',
      'never gets a connection',
      false,
      () => Promise.reject(new NotSent(new Error('getaddrinfo ENOTFOUND'))),
    ],
  ])(
    'because %s %s says whether it may have changed anything: applied is %j',
    async (operation, _how, applied, reply) => {
      const { outcome } = await call(reply, { operation, total: 0.001 });
      expect(outcome).toMatchObject({ name: 'Unavailable', applied });
    },
  );

  it('may have changed something where a write has an unknown outcome and nothing can be read any more', async () => {
    const replies = [cut, async () => errorReply('ConditionalCheckFailedException'), cut];
    const send = () => (replies.shift() ?? throttle)();
    const client = createClient(send, openLog('silent'), TIMEOUTS)('request-1');
    expect(await client.call('PutItem', {})).toMatchObject({ kind: 'condition failed', maybeApplied: true });
    await expect(client.call('GetItem', {})).rejects.toMatchObject({ applied: undefined });
  });

  it('has changed nothing where the write before was found not to be applied, and the next one is refused', async () => {
    const condition = async () => errorReply('ConditionalCheckFailedException');
    const replies = [cut, condition, async () => ({ status: 200, text: '{}' })];
    const send = () => (replies.shift() ?? throttle)();
    const client = createClient(send, openLog('silent'), TIMEOUTS)('request-1');
    for (const operation of ['PutItem', 'GetItem']) await client.call(operation, {});
    await expect(client.call('PutItem', {})).rejects.toMatchObject({ applied: false });
  });
});

describe('the log', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('has a line for each attempt that another one follows, with the request that it was for', async () => {
    const lines = captureLog();
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const replies = [THROTTLED, { status: 200, text: '{"Items":[]}' }];
    const send = async () => replies.shift() as Reply;
    await createClient(send, openLog('warn'), TIMEOUTS)('request-1').call('Query', {});
    expect(lines).toEqual([
      {
        timestamp: expect.any(String),
        level: 'WARN',
        message: 'DynamoDB is called again',
        requestId: 'request-1',
        operation: 'Query',
        error: expect.objectContaining({ message: `400 ${THROTTLED.text}` }),
      },
    ]);
  });
});
