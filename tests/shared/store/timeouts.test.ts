import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TIMEOUTS } from '../../../shared/dynamodb/retry.js';
import type { Reply, Send } from '../../../shared/dynamodb/send.js';
import { FIRST_KEY } from '../../../shared/store/key.js';
import { type Fault, replyOf } from '../../support/dynamodb/faults.js';
import { openStoreOn } from '../../support/dynamodb/virtual-store.js';
import { VirtualTime } from '../../support/dynamodb/virtual-time.js';
import { aParcel } from '../../support/service/fixtures.js';

type Store = ReturnType<typeof openStoreOn>;

const list = (store: Store) => store.list({}, 'request-1');
const find = (store: Store) => store.find(FIRST_KEY, 'request-1');
const create = (store: Store) => store.create(aParcel(), 'request-1');
const createOnce = (store: Store) => store.createOnce('key-1', aParcel(), 'request-1');
const update = (store: Store) => store.update(FIRST_KEY, { fragile: true }, undefined, 'request-1');
const remove = (store: Store) => store.remove(FIRST_KEY, undefined, 'request-1');

let time: VirtualTime;

beforeEach(() => {
  time = new VirtualTime();
  time.install();
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** A DynamoDB of empty tables with one fault, in all operations or in one; what it does takes no time. */
function withFault(fault: Fault, only?: string): Send {
  return async (operation, _input, timeout) => {
    if (operation !== (only ?? operation)) return { status: 200, text: '{}' };
    if (fault !== 'hang') return replyOf(fault) as Reply;
    await time.pause(timeout);
    throw new Error(`no reply within ${timeout} ms`);
  };
}

/** The outcome of an operation, and the milliseconds that it takes, with the time-outs as deployed. */
async function outcomeOf(operate: (store: Store) => Promise<unknown>, send: Send) {
  const outcome = await time.run(() => operate(openStoreOn(send)).catch((error) => error));
  return { outcome, took: time.now };
}

describe('with the time-outs as deployed, a store whose table', () => {
  it.each(Object.entries({ list, find, create, createOnce, update, remove }))(
    'is throttled for ever changes nothing and gives up in time: %s',
    async (_name, operate) => {
      const { outcome, took } = await outcomeOf(operate, withFault('throttle'));
      expect(outcome).toMatchObject({ name: 'Unavailable', retryAfter: 2, applied: false });
      expect(took).toBeGreaterThan(TIMEOUTS.total - TIMEOUTS.attempt);
      expect(took).toBeLessThan(TIMEOUTS.total + 1);
    },
  );

  it.each<[string, (store: Store) => Promise<unknown>, false | undefined]>([
    ['list', list, false],
    ['find', find, false],
    ['create', create, undefined],
    ['create once', createOnce, undefined],
    ['update, which reads first', update, false],
    ['remove, which reads first', remove, false],
  ])(
    'never answers gives up in time, and says whether it may have changed something: %s',
    async (_name, operate, applied) => {
      const { outcome, took } = await outcomeOf(operate, withFault('hang'));
      expect(outcome).toMatchObject({ name: 'Unavailable', applied });
      expect(took).toBeGreaterThan(TIMEOUTS.total - TIMEOUTS.attempt);
      expect(took).toBeLessThan(TIMEOUTS.total + 1);
    },
  );

  it.each<[Fault, false | undefined]>([
    ['hang', undefined],
    ['fail in HTML', undefined],
    ['answer null', undefined],
    ['throttle', false],
    ['deny', false],
    ['miss the table', false],
  ])('does not write says whether it may have changed something: %p %p', async (fault, applied) => {
    for (const operate of [create, update, remove]) {
      const { outcome } = await outcomeOf(operate, withFault(fault, 'PutItem'));
      expect(outcome).toMatchObject({ name: 'Unavailable', applied });
    }
  });

  it('is slow spends one total time-out on all calls of a request', async () => {
    const slow: Send = async (operation, _input, timeout) => {
      await time.pause(Math.min(2_400, timeout));
      if (timeout < 2_400) throw new Error(`no reply within ${timeout} ms`);
      return operation === 'GetItem' ? { status: 200, text: '{}' } : (replyOf('fail') as Reply);
    };
    const { outcome, took } = await outcomeOf(update, slow);
    expect(outcome).toMatchObject({ name: 'Unavailable', applied: undefined });
    expect(took).toBeLessThan(TIMEOUTS.total + 1);
  });
});
