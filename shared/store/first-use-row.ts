import { type FirstUse, now } from './first-use.js';
import type { Condition, Partition } from './partition.js';

/** @returns The first use of the key: this one, or an earlier one that is remembered. */
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
    // `itemKey` tells the caller whether an attempt of this request has put the row.
    if (row) return { itemKey: row.itemKey.S, digest: row.digest.S };
    // DynamoDB has deleted the row since, because clocks differ.
  }
}

/** Compares the time, because DynamoDB deletes expired rows late. */
function isUnused(): Condition {
  return {
    ConditionExpression: 'attribute_not_exists(#expires) OR #expires <= :now',
    ExpressionAttributeNames: { '#expires': 'expires' },
    ExpressionAttributeValues: { ':now': { N: String(now()) } },
  };
}
