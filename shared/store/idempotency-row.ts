import type { RequestClient } from '../dynamodb/retry.js';
import { type FirstUse, LIFETIME } from './idempotency.js';
import { primaryKey } from './row.js';

/** Where the first uses of idempotency keys are remembered: rows in a partition of their own. */
export interface UseRows {
  readonly client: RequestClient;
  readonly table: string;
  readonly partition: string;
}

/**
 * Remembers the use of an `Idempotency-Key`, unless an earlier use is remembered whose key was not freed.
 *
 * @param idempotencyKey - The key, without quotes.
 * @returns The use that is remembered: this one, or the earlier one.
 */
export async function rememberUse(rows: UseRows, idempotencyKey: string, use: FirstUse): Promise<FirstUse> {
  const put = putOf(rows, idempotencyKey, use);
  let condition = isUnused(use);
  for (;;) {
    const { kind } = await rows.client.call('PutItem', { ...put, ...condition });
    if (kind === 'succeeded') return use;
    const earlier = await readUse(rows, idempotencyKey);
    if (earlier?.itemKey === use.itemKey) return use;
    if (earlier && earlier.digest !== FREED) return earlier;
    // The key was freed, so this use takes its place. Or the row is gone, because clocks differ and DynamoDB has deleted it.
    condition = earlier ? isStill(earlier) : isUnused(use);
  }
}

/**
 * Frees an `Idempotency-Key` whose request was rejected after its use was remembered. The row stays until it expires, so that
 * an attempt to remember this use, or one that failed because of it, changes nothing if it comes late.
 *
 * @param idempotencyKey - The key, without quotes.
 * @param use - The use that {@link rememberUse} returned.
 */
export async function freeKey(rows: UseRows, idempotencyKey: string, use: FirstUse): Promise<void> {
  await rows.client.call('PutItem', { ...putOf(rows, idempotencyKey, { ...use, digest: FREED }), ...isStill(use) });
}

/** Takes the place of the digest if the key may be used for another request. */
const FREED = 'freed';

function putOf({ table, partition }: UseRows, idempotencyKey: string, { itemKey, digest, expires }: FirstUse) {
  const attributes = { itemKey: { S: itemKey }, digest: { S: digest }, expires: { N: String(expires) } };
  return { TableName: table, Item: { ...primaryKey(partition, idempotencyKey), ...attributes } };
}

async function readUse({ client, table, partition }: UseRows, idempotencyKey: string): Promise<FirstUse | undefined> {
  const Key = primaryKey(partition, idempotencyKey);
  const { output } = await client.call('GetItem', { TableName: table, Key, ConsistentRead: true });
  const row = output.Item;
  return row && { itemKey: row.itemKey.S, digest: row.digest.S, expires: Number(row.expires.N) };
}

/** The condition that no use is remembered when this one begins. DynamoDB deletes expired rows late. */
function isUnused({ expires }: FirstUse): object {
  return {
    ConditionExpression: 'attribute_not_exists(#expires) OR #expires <= :now',
    ExpressionAttributeNames: { '#expires': 'expires' },
    ExpressionAttributeValues: { ':now': { N: String(expires - LIFETIME) } },
  };
}

/** The condition that the row is still that of a use, as it was read. */
function isStill({ itemKey, digest }: FirstUse): object {
  return {
    ConditionExpression: '#itemKey = :itemKey AND #digest = :digest',
    ExpressionAttributeNames: { '#itemKey': 'itemKey', '#digest': 'digest' },
    ExpressionAttributeValues: { ':itemKey': { S: itemKey }, ':digest': { S: digest } },
  };
}
