import { type FirstUse, now } from './first-use.js';
import type { Condition, Partition } from './partition.js';

/**
 * Remembers the first use of an `Idempotency-Key` in a table, unless an earlier one is remembered.
 *
 * @param partition - Where first uses are remembered: a partition of their own.
 * @param idempotencyKey - The key, without quotes.
 * @param use - The use that is the first one if no other is remembered.
 * @returns The first use: this one, or the earlier one.
 */
export async function rememberUse(
  partition: Partition,
  idempotencyKey: string,
  use: FirstUse,
): Promise<Omit<FirstUse, 'expires'>> {
  const { itemKey, digest, expires } = use;
  const attributes = { itemKey: { S: itemKey }, digest: { S: digest }, expires: { N: String(expires) } };
  for (;;) {
    const { kind } = await partition.put(idempotencyKey, attributes, isUnused());
    if (kind === 'succeeded') return use;
    const row = await partition.get(idempotencyKey);
    // Its item key tells whether an attempt of this request has put the row.
    if (row) return { itemKey: row.itemKey.S, digest: row.digest.S };
    // The row is gone, because clocks differ and DynamoDB has deleted it.
  }
}

/** The condition that no use is remembered that has not expired. DynamoDB deletes expired rows late. */
function isUnused(): Condition {
  return {
    ConditionExpression: 'attribute_not_exists(#expires) OR #expires <= :now',
    ExpressionAttributeNames: { '#expires': 'expires' },
    ExpressionAttributeValues: { ':now': { N: String(now()) } },
  };
}
