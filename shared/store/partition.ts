import type { RequestClient } from '../dynamodb/client.js';
import { secondsNow } from './store.js';

/** Each value with its type, as DynamoDB takes it. */
export type Attributes = Readonly<Record<string, { readonly S: string } | { readonly N: string }>>;

// biome-ignore lint/suspicious/noExplicitAny: a row's attributes have the types that they were given when it was put.
export type Row = Readonly<Record<string, any>>;

/** The rows with one partition key. Reads are strongly consistent. */
export function openPartition(client: RequestClient, TableName: string, partition: string) {
  const primaryKey = (key: string) => ({ partition: { S: partition }, key: { S: key } });
  return {
    async read(key: string): Promise<Row | undefined> {
      return (await client.get({ TableName, Key: primaryKey(key), ConsistentRead: true })).Item;
    },

    /**
     * Puts a row if the stored one still has the version that was read.
     *
     * @param current - The row that was read. Without one, there must still be none.
     */
    write(key: string, attributes: Attributes, current?: Row) {
      return client.put({
        TableName,
        Item: { ...primaryKey(key), ...attributes },
        ConditionExpression: current ? '#version = :version' : 'attribute_not_exists(#version)',
        ExpressionAttributeNames: { '#version': 'version' },
        ...(current && { ExpressionAttributeValues: { ':version': current.version } }),
      });
    },

    /** Puts a row if there is none, or one that has expired, because DynamoDB deletes those late. */
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
     * Reads the rows behind a cursor, in order, a megabyte at most. Rows that expire are left out: these are the
     * tombstones, except the initial item's.
     *
     * @param count - The most rows to read, those that are left out included.
     * @returns The rows, and the cursor of the next ones if more may follow.
     */
    async rowsAfter(cursor: string, count: number): Promise<{ rows: readonly Row[]; next: string | undefined }> {
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
        ExpressionAttributeValues: { ':partition': { S: partition }, ':key': { S: cursor } },
        Limit: Math.min(count, MAX_ROWS),
      });
      return { rows: Items, next: LastEvaluatedKey?.key?.S };
    },
  };
}

/** A query ends earlier, at a megabyte: the smallest row, a tombstone, takes over 110 bytes. DynamoDB takes no infinite limit. */
const MAX_ROWS = 10_000;

/**
 * The names of an owner's partitions. No two owners share one.
 *
 * @param owner - Undefined if all callers share the items.
 */
export function partitionsOf(resource: string, owner: string | undefined) {
  if (owner === undefined) return { items: resource, records: `${resource}/Idempotency-Key` };
  return { items: `${resource}/items/${owner}`, records: `${resource}/Idempotency-Key/${owner}` };
}
