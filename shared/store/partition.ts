import type { RequestClient } from '../dynamodb/client.js';

/** Each value with its type, as DynamoDB takes it. */
export type Attributes = Readonly<Record<string, { readonly S: string } | { readonly N: string }>>;

// biome-ignore lint/suspicious/noExplicitAny: a row's attributes have the types that they were given when it was put.
export type Row = Readonly<Record<string, any>>;

/** On the row that a put replaces. */
export interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Attributes;
}

export class Partition {
  readonly #client: RequestClient;
  readonly #table: string;
  readonly #name: string;

  constructor(client: RequestClient, table: string, name: string) {
    this.#client = client;
    this.#table = table;
    this.#name = name;
  }

  /** Strongly consistent. */
  async get(key: string): Promise<Row | undefined> {
    const input = { TableName: this.#table, Key: this.#primaryKey(key), ConsistentRead: true };
    return (await this.#client.get(input)).Item;
  }

  put(key: string, attributes: Attributes, condition: Condition): ReturnType<RequestClient['put']> {
    const Item = { ...this.#primaryKey(key), ...attributes };
    return this.#client.put({ TableName: this.#table, Item, ...condition });
  }

  /**
   * Reads the rows of items after a key, in order, strongly consistent, a megabyte at most. The filter drops rows that
   * expire, which are all tombstones except the first item's.
   *
   * @returns The rows, and the last key read if more rows follow.
   */
  async itemsAfter(after: string, count: number): Promise<{ rows: readonly Row[]; next: string | undefined }> {
    const { Items = [], LastEvaluatedKey } = await this.#client.query({
      TableName: this.#table,
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
      ExpressionAttributeValues: { ':partition': { S: this.#name }, ':key': { S: after } },
      Limit: Math.min(count, MAX_ROWS),
    });
    return { rows: Items, next: LastEvaluatedKey?.key?.S };
  }

  #primaryKey(key: string): Attributes {
    return { partition: { S: this.#name }, key: { S: key } };
  }
}

/** Never reached, because a query ends at a megabyte, and the smallest row, a tombstone, has over 100 bytes. */
const MAX_ROWS = 10_000;

/**
 * No two owners share a partition.
 *
 * @param owner - Undefined if all callers share the items.
 */
export function partitionsOf(resource: string, owner: string | undefined) {
  if (owner === undefined) return { items: resource, firstUses: `${resource}/Idempotency-Key` };
  return { items: `${resource}/items/${owner}`, firstUses: `${resource}/Idempotency-Key/${owner}` };
}
