import { describe, expect, it } from '@jest/globals';
import { openStoreOn } from '../../support/dynamodb/virtual-store.js';

/** A table that has only tombstones, on many pages; and the limits of the queries that it got. */
function createGraveyard(pages: number) {
  const limits: number[] = [];
  const send = async (_operation: string, input: string) => {
    limits.push(JSON.parse(input).Limit);
    const LastEvaluatedKey = { key: { S: `f${String(limits.length).padStart(4, '0')}` } };
    const text = JSON.stringify({ Items: [], ...(limits.length < pages && { LastEvaluatedKey }) });
    return { status: 200, text };
  };
  return { limits, send };
}

describe('a list past pages of tombstones', () => {
  it('asks for twice as many rows each time, up to ten thousand', async () => {
    const { limits, send } = createGraveyard(40);
    const { json } = await openStoreOn(send).list({ limit: 7 }, 'request-1');
    expect(JSON.parse(json)).toHaveLength(1);
    expect(limits.slice(0, 12)).toEqual([8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096, 8_192, 10_000]);
    expect(limits.slice(12)).toEqual(Array(28).fill(10_000));
  });

  it('asks for no more than that where the list has no limit', async () => {
    const { limits, send } = createGraveyard(3);
    await openStoreOn(send).list({}, 'request-1');
    expect(limits).toEqual([10_000, 10_000, 10_000]);
  });
});
