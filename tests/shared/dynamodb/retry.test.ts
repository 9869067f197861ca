import timers from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { attemptOf } from '../../../shared/dynamodb/reply.js';
import { createClient, TIMEOUTS } from '../../../shared/dynamodb/retry.js';
import { NotSent, type Reply } from '../../../shared/dynamodb/send.js';
import { openLog } from '../../../shared/log/log.js';
import { captureLog } from '../../support/service/log.js';

type Attempt = () => Promise<Reply>;

const reply = (status: number, content: object) => async () => ({ status, text: JSON.stringify(content) });
const error = (type?: string, more: object = {}) =>
  reply(400, { __type: type && `com.amazonaws.dynamodb.v20120810#${type}`, ...more });

const throttle = error('ProvisionedThroughputExceededException');
const failCondition = error('ConditionalCheckFailedException');
const invalid = error('ValidationException');
const TOO_LONG = { message: 'Expression size has exceeded the maximum allowed size' };
const fail = reply(500, {});
const found = reply(200, { Item: {} });
const cut = () => Promise.reject(new Error('cut'));
const refuse = () => Promise.reject(new NotSent(new Error('connect ECONNREFUSED')));

let now: number;
let lines: Record<string, unknown>[];

beforeEach(() => {
  now = 0;
  lines = captureLog();
  // Pauses take no time, and are as long as they can be.
  const pause = async (length = 0) => {
    now += length;
  };
  jest.spyOn(timers, 'setTimeout').mockImplementation(pause as typeof timers.setTimeout);
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  jest.spyOn(Math, 'random').mockReturnValue(1);
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** The client of a request. Its attempts get these replies, and after the last one that again and again. */
function clientOf(replies: readonly Attempt[], total = TIMEOUTS.total) {
  const attempts: number[] = [];
  const timeouts: number[] = [];
  const send = (_operation: string, _input: string, timeout: number) => {
    timeouts.push(timeout);
    const next = replies[Math.min(attempts.length, replies.length - 1)] as Attempt;
    attempts.push(now);
    return next();
  };
  const client = createClient(send, openLog('warn'), { ...TIMEOUTS, total })('request-1');
  return { ...client, attempts, timeouts };
}

/** The outcome of a call, the times of its attempts, and their time-outs. */
async function call(operation: string, replies: readonly Attempt[], total?: number) {
  const { call, attempts, timeouts } = clientOf(replies, total);
  const outcome = await call(operation, {}).catch((error: unknown) => error);
  return { outcome: outcome as Error & { cause: Error }, attempts, timeouts };
}

describe('a call to DynamoDB', () => {
  it('is tried again after pauses that double up to a second, for eight seconds', async () => {
    const { attempts, timeouts, outcome } = await call('GetItem', [throttle]);
    expect(attempts).toEqual([0, 50, 150, 350, 750, 1_550, 2_550, 3_550, 4_550, 5_550, 6_550, 7_550]);
    expect(timeouts).toEqual([...Array(9).fill(2_500), 2_450, 1_450, 450]);
    expect(outcome).toMatchObject({ retryAfter: 2, message: 'DynamoDB could not complete GetItem' });
    expect(outcome.cause.message).toBe(`400 ${(await throttle()).text}`);
  });

  it('is not tried again when the total time-out would pass', async () => {
    const { attempts, timeouts } = await call('GetItem', [throttle], 1_550);
    expect(attempts).toEqual([0, 50, 150, 350, 750]);
    expect(timeouts).toEqual([1_550, 1_500, 1_400, 1_200, 800]);
  });

  it.each(['ThrottlingException', 'RequestLimitExceeded'])('is tried again after a %s', async (type) => {
    const { outcome } = await call('GetItem', [error(type), error(type), found]);
    expect(outcome).toEqual({ kind: 'succeeded', output: { Item: {} }, maybeApplied: false });
  });

  it.each([
    ['ValidationException', 'Error'],
    ['SerializationException', 'Error'],
    ['AccessDeniedException', 'Unavailable'],
    ['ResourceNotFoundException', 'Unavailable'],
    [undefined, 'Unavailable'],
  ])('is not tried again after a %s: it throws an %s', async (type, name) => {
    const { attempts, outcome } = await call('GetItem', [error(type)]);
    expect(attempts).toEqual([0]);
    expect(outcome.name).toBe(name);
  });

  it.each([
    { message: 'Item size has exceeded the maximum allowed size' },
    { Message: 'Item size to update exceeded' },
  ])('says that an item is too large if DynamoDB says so: %j', async (more) => {
    const { outcome } = await call('PutItem', [error('ValidationException', more)]);
    expect(outcome).toEqual({ kind: 'too large', output: expect.any(Object), maybeApplied: false });
  });

  it.each<[string, boolean, Attempt[]]>([
    ['no reply', true, [cut, cut]],
    ['a reply that is no JSON', true, [async () => ({ status: 200, text: '<html>' })]],
    ['a fault of the server', true, [fail]],
    ['being throttled', false, [throttle, throttle]],
    ['no connection', false, [refuse]],
    ['no reply, and then being throttled: an outcome once unknown stays unknown', true, [cut, throttle]],
  ])(
    'whose condition fails after %s says whether it may have been applied: %j',
    async (_what, maybeApplied, replies) => {
      const { outcome } = await call('PutItem', [...replies, failCondition]);
      expect(outcome).toEqual({ kind: 'condition failed', output: expect.any(Object), maybeApplied });
    },
  );

  it.each<[string, string, object, Attempt[]]>([
    ['GetItem', 'gets no reply', { name: 'Unavailable', applied: false }, [cut]],
    ['PutItem', 'gets no reply', { name: 'Unavailable', applied: undefined }, [cut]],
    ['PutItem', 'is always throttled', { name: 'Unavailable', applied: false }, [throttle]],
    ['PutItem', 'is denied', { name: 'Unavailable', applied: false }, [error('AccessDeniedException')]],
    ['PutItem', 'gets no reply, and is then rejected', { name: 'Unavailable', applied: undefined }, [cut, invalid]],
    ['GetItem', 'gets no reply, and is then rejected', { name: 'Error' }, [cut, invalid]],
    ['PutItem', 'has too long an expression', { name: 'Error' }, [error('ValidationException', TOO_LONG)]],
  ])('of %s that %s says whether anything may have been changed: %j', async (operation, _how, expected, replies) => {
    expect((await call(operation, replies)).outcome).toMatchObject(expected);
  });

  it('is not tried again once it was rejected, even if an earlier attempt has an unknown outcome', async () => {
    expect((await call('PutItem', [cut, invalid])).attempts).toEqual([0, 50]);
  });

  it('is not sent when no time is left for it', async () => {
    const slow = async () => {
      now += 8_000;
      return found();
    };
    const client = clientOf([slow]);
    await client.call('GetItem', {});
    await expect(client.call('PutItem', {})).rejects.toMatchObject({ name: 'Unavailable', applied: false });
    expect(client.attempts).toEqual([0]);
  });

  it('may have changed something if the write before it has an unknown outcome and nothing can be read any more', async () => {
    const client = clientOf([cut, failCondition, cut, throttle]);
    expect(await client.call('PutItem', {})).toMatchObject({ kind: 'condition failed', maybeApplied: true });
    await expect(client.call('GetItem', {})).rejects.toMatchObject({ applied: undefined });
  });

  it('has changed nothing if the write before it was found not to be applied, and this one is throttled', async () => {
    const client = clientOf([cut, failCondition, found, throttle]);
    for (const operation of ['PutItem', 'GetItem']) await client.call(operation, {});
    await expect(client.call('PutItem', {})).rejects.toMatchObject({ applied: false });
  });
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

it("the log has a line with the request's id for each attempt that is followed by another", async () => {
  await call('Query', [throttle, reply(200, { Items: [] })]);
  expect(lines).toEqual([
    {
      timestamp: expect.any(String),
      level: 'WARN',
      message: 'retrying a call to DynamoDB',
      requestId: 'request-1',
      operation: 'Query',
      error: expect.objectContaining({ message: `400 ${(await throttle()).text}` }),
    },
  ]);
});

describe('the reply to an attempt', () => {
  const attempt = (operation: string, status: number, text: string) =>
    attemptOf(operation, Promise.resolve({ status, text }));

  it.each([
    ['Query', 200, '{"Items":{}}'],
    ['GetItem', 200, 'null'],
    ['GetItem', 200, '[]'],
    ['GetItem', 200, '{"Item":"a"}'],
    ['PutItem', 200, ''],
    ['PutItem', 302, '{}'],
    ['PutItem', 403, '<html>'],
    ['PutItem', 500, '{"__type":"ValidationException"}'],
  ])('to %s makes the outcome unknown if it is not one of DynamoDB: %i %s', async (operation, status, text) => {
    const { kind, error } = await attempt(operation, status, text);
    expect([kind, (error as Error).message]).toEqual(['unknown outcome', `${status} ${text}`]);
  });

  it('is logged with its status and the beginning of its text, whatever that is', async () => {
    const { error } = await attempt('GetItem', 503, `<html>${'x'.repeat(5_000)}`);
    expect((error as Error).message).toBe(`503 <html>${'x'.repeat(994)}`);
  });
});
