import type { RequestClient } from '../dynamodb/retry.js';
import { type FirstUse, LIFETIME } from './idempotency.js';

/**
 * Remembers the use of an `Idempotency-Key` in a table, unless an earlier one is remembered. Such rows have a partition of
 * their own for each resource. Gives the use that is remembered: this one, or the earlier one.
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
    // Where clocks differ, DynamoDB may delete the row in between.
  }
}
