import type { RequestClient } from '../dynamodb/client.js';
import { secondsNow } from './creation.js';

/** Each value with its type, as DynamoDB takes it. */
export type Attributes = Readonly<Record<string, { readonly S: string } | { readonly N: string }>>;

// biome-ignore lint/suspicious/noExplicitAny: a row's attributes have the types that they were given when it was put.
export type Row = Readonly<Record<string, any>>;

/** The rows with one partition key. Reads are strongly consistent. */
export function openPartition(client: RequestClient, TableName: string, name: string) {
  const primaryKey = (key: string) => ({ partition: { S: name }, key: { S: key } });
  return {
    async read(key: string): Promise<Row | undefined> {
      return (await client.get({ TableName, Key: primaryKey(key), ConsistentRead: true })).Item;
    },

    /** Puts a row on condition that there still is the version of the row before; left out, that there is none. */
    write(key: string, attributes: Attributes, before?: Row) {
      return client.put({
        TableName,
        Item: { ...primaryKey(key), ...attributes },
        ConditionExpression: before ? '#version = :version' : 'attribute_not_exists(#version)',
        ExpressionAttributeNames: { '#version': 'version' },
        ...(before && { ExpressionAttributeValues: { ':version': before.version } }),
      });
    },

    /** Puts a row on condition that there is none, or that it has expired, because DynamoDB deletes those late. */
    writeOverExpired(key: string, attributes: Attributes) {
      return client.put({
        TableName,
        Item: { ...primaryKey(key), ...attributes },
        ConditionExpression: 'attribute_not_exists(#expires) OR #expires <= :now',
        ExpressionAttributeNames: { '#expires': 'expires' },
        ExpressionAttributeValues: { ':now': { N: String(secondsNow()) } },
      });
    },

    /**
     * Reads the rows of items after a key, in order, a megabyte at most. The filter drops rows that
     * expire, which are all tombstones except the initial item's.
     *
     * @returns The rows, and the last key read if more rows follow.
     */
    async itemsAfter(after: string, count: number): Promise<{ rows: readonly Row[]; next: string | undefined }> {
      const { Items = [], LastEvaluatedKey } = await client.query({
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: '#partition = :partition AND #key > :key',
        FilterExpression: 'attribute_not_exists(#expires)',
        ProjectionExpression: '#key, #version, #item',
        ExpressionAttributeNames: {
          '#partition': 'partition',
          '#key': 'key',
          '#version': 'version',
          '#item': 'item',
          '#expires': 'expires',
        },
        ExpressionAttributeValues: { ':partition': { S: name }, ':key': { S: after } },
        Limit: Math.min(count, MAX_ROWS),
      });
      return { rows: Items, next: LastEvaluatedKey?.key?.S };
    },
  };
}

/** Never reached, because a query ends at a megabyte, and the smallest row, a tombstone, has over 100 bytes. */
const MAX_ROWS = 10_000;

export type Partition = ReturnType<typeof openPartition>;

/**
 * The names of an owner's partitions. No two owners share one.
 *
 * @param owner - Undefined if all callers share the items.
 */
export function partitionsOf(resource: string, owner: string | undefined) {
  if (owner === undefined) return { items: resource, creations: `${resource}/Idempotency-Key` };
  return { items: `${resource}/items/${owner}`, creations: `${resource}/Idempotency-Key/${owner}` };
}
