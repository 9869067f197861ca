import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { TIMEOUTS } from '../../../shared/dynamodb/retry.js';
import type { Send } from '../../../shared/dynamodb/send.js';
import { FIRST_KEY } from '../../../shared/store/key.js';
import { createRandom } from '../histories/random.js';
import { VirtualTime } from '../virtual/time.js';
import { openStoreOn } from './open-store-on.js';

afterEach(() => {
  jest.restoreAllMocks();
});

/** A table of one row: a call takes 8 ms, and is carried out after half of them. */
function createTable(time: VirtualTime) {
  const operations: string[] = [];
  let row: { readonly version: { readonly N: string } } | undefined;
  const send: Send = async (operation, input) => {
    operations.push(operation);
    const { Item, ConditionExpression, ExpressionAttributeValues } = JSON.parse(input);
    await time.pause(4);
    let reply = { status: 200, text: JSON.stringify({ Item: row }) };
    if (operation === 'PutItem') {
      const mayBeMissing = ConditionExpression.startsWith('attribute_not_exists');
      const isMet = row ? row.version.N === ExpressionAttributeValues[':before'].N : mayBeMissing;
      reply = isMet
        ? { status: 200, text: '{}' }
        : { status: 400, text: '{"__type":"ConditionalCheckFailedException"}' };
      if (isMet) row = Item;
    }
    await time.pause(4);
    return reply;
  };
  return { send, operations };
}

describe('writes of many instances to one item at once', () => {
  it.each([
    // Measured: 138 ms and 62 calls, 876 and 628, 2,109 and 4,618. With the pause in the wrong place it took three times as long.
    [10, 400, 100],
    [50, 1_800, 1_200],
    [200, TIMEOUTS.total / 2, 8_000],
  ])('all succeed: %i of them within %i ms and %i calls', async (instances, longest, mostCalls) => {
    const time = new VirtualTime();
    time.install();
    jest.spyOn(Math, 'random').mockImplementation(createRandom(instances).next);
    const { send, operations } = createTable(time);
    const stores = Array.from({ length: instances }, () => openStoreOn(send));
    const patch = (store: (typeof stores)[0]) => store.update(FIRST_KEY, { fragile: true }, undefined);
    const outcomes = await time.run(() => Promise.allSettled(stores.map(patch)));
    // A pause before reading takes too long, because what was read is old; without a pause, there are too many calls.
    const failed = outcomes.filter(({ status }) => status === 'rejected').length;
    const told = { instances, failed, milliseconds: Math.ceil(time.now), calls: operations.length };
    expect([told, time.now <= longest, operations.length <= mostCalls]).toEqual([{ ...told, failed: 0 }, true, true]);
    const versions = outcomes.map((outcome) =>
      'value' in outcome ? (outcome.value as { version: number }).version : 0,
    );
    expect(versions.sort((a, b) => a - b)).toEqual(Array.from({ length: instances }, (_, index) => index + 2));
  });
});
