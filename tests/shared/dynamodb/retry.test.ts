import timers from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TIMING, withRetries } from '../../../shared/dynamodb/retry.js';
import type { Reply } from '../../../shared/dynamodb/send.js';
import { openLog } from '../../../shared/log/log.js';
import { captureLog } from '../../support/log.js';

const refused = (__type?: string, more: object = {}): Reply => ({
  status: 400,
  text: JSON.stringify({ __type, ...more }),
});
const THROTTLED = refused('com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException');

let now: number;

/** Calls by a clock of the test's own, with pauses as long as they can be: when was what asked, and what came of it? */
async function call(reply: (attempt: number) => Promise<Reply>, budget?: number) {
  const attempts: number[] = [];
  const patience: number[] = [];
  const send = (_operation: string, _input: string, timeout: number) => {
    attempts.push(now);
    patience.push(timeout);
    return reply(attempts.length);
  };
  const { call } = withRetries(send, openLog('silent'), TIMING)('request-1', budget);
  const outcome = await call('GetItem', {}).catch((error) => error);
  return { outcome, attempts, patience };
}

describe('a call of DynamoDB', () => {
  beforeEach(() => {
    now = 0;
    const pause = async (wait = 0) => {
      now += wait;
    };
    jest.spyOn(timers, 'setTimeout').mockImplementation(pause as typeof timers.setTimeout);
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    jest.spyOn(Math, 'random').mockReturnValue(1);
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('is tried again after pauses that double up to a second, for eight seconds', async () => {
    const { attempts, patience, outcome } = await call(async () => THROTTLED);
    expect(attempts).toEqual([0, 50, 150, 350, 750, 1_550, 2_550, 3_550, 4_550, 5_550, 6_550, 7_550]);
    expect(patience).toEqual([...Array(9).fill(2_500), 2_450, 1_450, 450]);
    expect(outcome).toMatchObject({ retryAfter: 2, message: 'DynamoDB could not do GetItem' });
    expect(outcome.cause.message).toBe(`400 ${THROTTLED.text}`);
  });

  it('is not tried again when its time will be up', async () => {
    const { attempts, patience } = await call(async () => THROTTLED, 1_550);
    expect(attempts).toEqual([0, 50, 150, 350, 750]);
    expect(patience).toEqual([1_550, 1_500, 1_400, 1_200, 800]);
  });

  it.each(['ThrottlingException', 'RequestLimitExceeded'])('is tried again after a %s', async (type) => {
    const { attempts, outcome } = await call(async (attempt) =>
      attempt < 3 ? refused(type) : { status: 200, text: '{"Item":1}' },
    );
    expect(attempts).toEqual([0, 50, 150]);
    expect(outcome).toEqual({ kind: 'done', output: { Item: 1 }, doubtful: false });
  });

  it.each([
    ['ValidationException', 'Error'],
    ['SerializationException', 'Error'],
    ['AccessDeniedException', 'Unavailable'],
    ['ResourceNotFoundException', 'Unavailable'],
    [undefined, 'Unavailable'],
  ])('is not tried again after a %s: it throws an %s', async (type, name) => {
    const { attempts, outcome } = await call(async () => refused(type));
    expect(attempts).toEqual([0]);
    expect(outcome.name).toBe(name);
  });

  it.each([
    { message: 'Item size has exceeded the maximum allowed size' },
    { Message: 'Item size to update exceeded' },
  ])('says that an item is too large where DynamoDB says so: %j', async (more) => {
    const { attempts, outcome } = await call(async () => refused('ValidationException', more));
    expect(attempts).toEqual([0]);
    expect(outcome).toEqual({ kind: 'too large', output: expect.any(Object), doubtful: false });
  });

  it.each([
    ['no reply', () => Promise.reject(new Error('cut')), true],
    ['a reply that is no JSON', async () => ({ status: 200, text: '<html>' }), true],
    ['a fault of the server', async () => ({ status: 500, text: '{}' }), true],
    ['being throttled', async () => THROTTLED, false],
  ])('whose condition fails after %s says whether it may have been done before', async (_name, before, doubtful) => {
    const { outcome } = await call((attempt) =>
      attempt < 3 ? before() : Promise.resolve(refused('ConditionalCheckFailedException')),
    );
    expect(outcome).toEqual({ kind: 'condition failed', output: expect.any(Object), doubtful });
  });

  it('that may have been done before leaves that open where the next attempt is not understood', async () => {
    const { attempts, outcome } = await call((attempt) =>
      attempt < 2 ? Promise.reject(new Error('cut')) : Promise.resolve(refused('ValidationException')),
    );
    expect(attempts).toHaveLength(2);
    expect(outcome.name).toBe('Unavailable');
  });

  it('waits longer before each next try to write, up to a fifth of a second', async () => {
    const { backOff } = withRetries(() => Promise.reject(), openLog('silent'), TIMING)('request-1');
    const waits: number[] = [];
    for (let tries = 0; tries < 7; tries += 1) {
      const before = now;
      await backOff();
      waits.push(now - before);
    }
    expect(waits).toEqual([10, 20, 40, 80, 160, 200, 200]);
  });
});

describe('the log', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('has a line for each attempt that another one follows, with the request that it was for', async () => {
    const lines = captureLog();
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const replies = [THROTTLED, { status: 200, text: '{}' }];
    const send = async () => replies.shift() as Reply;
    await withRetries(send, openLog('warn'), TIMING)('request-1').call('Query', {});
    expect(lines).toEqual([
      {
        timestamp: expect.any(String),
        level: 'WARN',
        message: 'DynamoDB is asked again',
        requestId: 'request-1',
        operation: 'Query',
        error: expect.objectContaining({ message: `400 ${THROTTLED.text}` }),
      },
    ]);
  });
});
