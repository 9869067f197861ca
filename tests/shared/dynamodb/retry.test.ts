import timers from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createClient, TIMEOUTS } from '../../../shared/dynamodb/retry.js';
import { NotSent, type Reply } from '../../../shared/dynamodb/send.js';
import { captureLog } from '../../support/service/log.js';

type Attempt = () => Promise<Reply>;

const reply = (status: number, content: object) => async () => ({ status, text: JSON.stringify(content) });
const error = (type?: string) => reply(400, { __type: type && `com.amazonaws.dynamodb.v20120810#${type}` });

const throttle = error('ProvisionedThroughputExceededException');
const failCondition = error('ConditionalCheckFailedException');
const invalid = error('ValidationException');
const expire = error('RequestExpired');
const found = reply(200, { Item: {} });
const cut = () => Promise.reject(new Error('cut'));
const refuse = () => Promise.reject(new NotSent(new Error('connect ECONNREFUSED')));
const cannot = () => Promise.reject(new NotSent(new Error('Invalid character in header content'), true));

let now: number;

beforeEach(() => {
  now = 0;
  // Pauses take no time, are as long as they can be, and begin only when they are awaited.
  const pause = (length = 0) => ({
    // biome-ignore lint/suspicious/noThenProperty: a promise would not tell whether it is awaited.
    then(resolve: () => void) {
      now += length;
      resolve();
    },
  });
  jest.spyOn(timers, 'setTimeout').mockImplementation(pause as unknown as typeof timers.setTimeout);
  jest.spyOn(process, 'uptime').mockImplementation(() => now / 1_000);
  jest.spyOn(Math, 'random').mockReturnValue(1);
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** The client of a request. Its attempts get these replies, and after the last one that again and again. */
function clientOf(replies: readonly Attempt[], milliseconds = 0) {
  const attempts: number[] = [];
  const timeouts: number[] = [];
  const send = (_operation: string, _input: string, timeout: number) => {
    timeouts.push(timeout);
    // Without pauses it would go on for ever.
    if (attempts.length > 100) throw new Error('the call never ends');
    const next = replies[Math.min(attempts.length, replies.length - 1)] as Attempt;
    attempts.push(now);
    now += milliseconds;
    return next();
  };
  const client = createClient(send, TIMEOUTS)('request-1');
  const call = (operation: string) => client.call(operation, {});
  return { ...client, call, attempts, timeouts };
}

describe('a call to DynamoDB', () => {
  it('is tried again after pauses that double up to a second, while that leaves time of the eight seconds', async () => {
    const { call, attempts, timeouts } = clientOf([throttle], 145);
    const outcome = await call('GetItem').catch((error: unknown) => error);
    expect(attempts).toEqual([0, 195, 440, 785, 1_330, 2_275, 3_420, 4_565, 5_710, 6_855]);
    expect(timeouts).toEqual([...Array(8).fill(2_500), 2_290, 1_145]);
    const cause = new Error(`400 ${(await throttle()).text}`);
    expect(outcome).toMatchObject({ retryAfter: 2, message: 'DynamoDB could not complete GetItem', cause });
  });

  it.each<[string, string, object, Attempt[]]>([
    ['succeeds after being throttled', 'succeeded', { mayBeApplied: false }, [error('ThrottlingException'), found]],
    ['gets no reply', 'condition failed', { mayBeApplied: true }, [cut, cut, failCondition]],
    ['is throttled', 'condition failed', { mayBeApplied: false }, [throttle, throttle, failCondition]],
    ['gets no connection', 'condition failed', { mayBeApplied: false }, [refuse, failCondition]],
    ['is signed too late twice', 'succeeded', { mayBeApplied: false }, [expire, expire, found]],
    ['gets no reply, and is throttled', 'condition failed', { mayBeApplied: true }, [cut, throttle, failCondition]],
  ])('that %s says what became of it: %s %j', async (_what, kind, more, replies) => {
    expect(await clientOf(replies).call('PutItem')).toMatchObject({ kind, ...more });
  });

  it.each<[string, string, number, object, Attempt[]]>([
    ['GetItem', 'gets no reply', 12, { name: 'Unavailable', applied: false }, [cut]],
    ['PutItem', 'gets no reply', 12, { name: 'Unavailable', applied: undefined }, [cut]],
    ['PutItem', 'is always throttled', 12, { name: 'Unavailable', applied: false }, [throttle]],
    ['PutItem', 'is always signed too late', 3, { name: 'Unavailable', applied: false }, [expire]],
    ['PutItem', 'gets no reply, and is then signed too late', 4, { applied: undefined }, [cut, expire]],
    [
      'PutItem',
      'is signed too late between others',
      7,
      { applied: false },
      [throttle, expire, throttle, expire, throttle, refuse, expire],
    ],
    ['PutItem', 'cannot be sent', 1, { name: 'Unavailable', applied: false }, [cannot]],
    ['PutItem', 'gets no reply, and then cannot be sent', 2, { applied: undefined }, [cut, cannot]],
    ['PutItem', 'is denied', 1, { name: 'Unavailable', applied: false }, [error('AccessDeniedException')]],
    ['PutItem', 'fails for no known reason', 1, { name: 'Unavailable', applied: undefined }, [error()]],
    ['PutItem', 'gets no reply, and is then rejected', 2, { name: 'Unavailable', applied: undefined }, [cut, invalid]],
    ['GetItem', 'gets no reply, and is then rejected', 2, { name: 'Error' }, [cut, invalid]],
    ['GetItem', 'is no JSON', 1, { name: 'Error' }, [error('SerializationException')]],
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

  it('has changed nothing if the write before it was found not to be applied, and this one is throttled', async () => {
    const { call } = clientOf([cut, failCondition, found, throttle]);
    for (const operation of ['PutItem', 'GetItem']) await call(operation);
    await expect(call('PutItem')).rejects.toMatchObject({ applied: false });
  });
});

it('each attempt that is followed by another has a line in the log, which says why', async () => {
  const lines = captureLog();
  const replies = [refuse, cut, throttle, found];
  const send = async () => (replies.shift() as Attempt)();
  await createClient(send, TIMEOUTS)('request-1').call('PutItem', {});
  const { text } = await throttle();
  expect(lines).toEqual(
    ['not sent: connect ECONNREFUSED', 'cut', `400 ${text}`].map((message) => ({
      level: 'warn',
      event: 'retrying a call to DynamoDB',
      requestId: 'request-1',
      operation: 'PutItem',
      error: expect.objectContaining({ message }),
    })),
  );
});

it('pauses are a random part of the longest ones, so that requests that failed together do not come again together', async () => {
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  const { call, attempts, backOff } = clientOf([throttle, throttle, throttle, found]);
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
