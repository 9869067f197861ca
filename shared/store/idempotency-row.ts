import type { RequestClient } from '../dynamodb/retry.js';
import { type FirstUse, LIFETIME } from './idempotency.js';

/**
 * Remembers the use of an `Idempotency-Key` in a table, unless an earlier use is remembered. Each resource has a partition
 * of its own for these rows.
 *
 * @param client - Calls DynamoDB.
 * @param table - The table's name.
 * @param resource - The resource's name.
 * @param idempotencyKey - The key, without quotes.
 * @param use - The use.
 * @returns The use that is remembered: this one, or the earlier one.
 */
export async function rememberUse(
  client: RequestClient,
  table: string,
  resource: string,
  idempotencyKey: string,
  { itemKey, digest, expires }: FirstUse,
): Promise<FirstUse> {
  const Key = { resource: { S: `${resource}/Idempotency-Key` }, key: { S: idempotencyKey } };
  const put = {
    TableName: table,
    Item: { ...Key, itemKey: { S: itemKey }, digest: { S: digest }, expires: { N: String(expires) } },
    // DynamoDB deletes expired rows late.
    ConditionExpression: 'attribute_not_exists(#expires) OR #expires <= :now',
    ExpressionAttributeNames: { '#expires': 'expires' },
    ExpressionAttributeValues: { ':now': { N: String(expires - LIFETIME) } },
  };
  for (;;) {
    const { kind } = await client.call('PutItem', put);
    if (kind === 'succeeded') return { itemKey, digest, expires };
    const { output } = await client.call('GetItem', { TableName: table, Key, ConsistentRead: true });
    const row = output.Item;
    if (row) return { itemKey: row.itemKey.S, digest: row.digest.S, expires: Number(row.expires.N) };
    // The row is gone, because clocks differ and DynamoDB has deleted it in between: try again.
  }
}
