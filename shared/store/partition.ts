import type { IsExpected } from '../dynamodb/reply.js';
import type { CallOutcome, RequestClient } from '../dynamodb/retry.js';

/** Each value with its type, as in DynamoDB's HTTP API. */
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
    const Key = this.#primaryKey(key);
    const input = { TableName: this.#table, Key, ConsistentRead: true };
    // Without a row, the output is `{}`.
    const isExpected: IsExpected = ({ Item, Items }) =>
      Items === undefined && (Item === undefined || (this.#isInside(Item) && Item.key.S === key));
    const { output } = await this.#client.call('GetItem', input, isExpected);
    return output.Item;
  }

  put(key: string, attributes: Attributes, condition: Condition): Promise<CallOutcome> {
    const Item = { ...this.#primaryKey(key), ...attributes };
    const isExpected: IsExpected = (output) => !('Item' in output || 'Items' in output);
    return this.#client.call('PutItem', { TableName: this.#table, Item, ...condition }, isExpected);
  }

  /**
   * Reads the rows of items after a key, in order, strongly consistent, a megabyte at most. The filter drops rows that
   * expire, which are all tombstones except the first item's.
   *
   * @returns The rows, and the last key read if more rows follow.
   */
  async itemsAfter(after: string, count: number): Promise<{ rows: readonly Row[]; next: string | undefined }> {
    const input = {
      TableName: this.#table,
      ConsistentRead: true,
      KeyConditionExpression: '#partition = :partition AND #key > :key',
      FilterExpression: 'attribute_not_exists(#expires)',
      ProjectionExpression: '#partition, #key, #version, #item',
      ExpressionAttributeNames: {
        '#partition': 'partition',
        '#key': 'key',
        '#version': 'version',
        '#item': 'item',
        '#expires': 'expires',
      },
      ExpressionAttributeValues: { ':partition': { S: this.#name }, ':key': { S: after } },
      Limit: Math.min(count, MAX_ROWS),
    };
    const isBehind = (row: unknown) => this.#isInside(row) && row.key.S > after;
    const isExpected: IsExpected = ({ Items, LastEvaluatedKey }) =>
      Array.isArray(Items) && Items.every(isBehind) && (LastEvaluatedKey === undefined || isBehind(LastEvaluatedKey));
    const { output } = await this.#client.call('Query', input, isExpected);
    return { rows: output.Items, next: output.LastEvaluatedKey?.key.S };
  }

  /** Something in between may have sent the reply to another request again. */
  #isInside(row: unknown): row is Row {
    const { partition, key } = (row ?? {}) as Row;
    return partition?.S === this.#name && typeof key?.S === 'string';
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
