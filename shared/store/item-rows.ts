import type { RequestClient } from '../dynamodb/retry.js';
import type { ObjectSchema } from '../schema/schema.js';
import type { Attributes } from './attribute.js';
import { FIRST_KEY } from './key.js';
import { primaryKey, type Row, type RowFormat } from './row.js';

/** The rows of a partition of items, for one request. */
export class ItemRows<Schema extends ObjectSchema> {
  readonly #client: RequestClient;
  readonly #table: string;
  readonly #partition: string;
  readonly #format: RowFormat<Schema>;

  constructor(client: RequestClient, table: string, partition: string, format: RowFormat<Schema>) {
    this.#client = client;
    this.#table = table;
    this.#partition = partition;
    this.#format = format;
  }

  /** Puts a row, on condition that it follows the version before it. */
  put(row: Row<Schema>) {
    const Item = this.#format.attributesOf(this.#partition, row);
    return this.#client.call('PutItem', { TableName: this.#table, Item, ...conditionOf(row) });
  }

  /** Reads a row, strongly consistent: with all writes that were acknowledged before. */
  async read(key: string): Promise<Row<Schema> | undefined> {
    const Key = primaryKey(this.#partition, key);
    const { output } = await this.#client.call('GetItem', { TableName: this.#table, Key, ConsistentRead: true });
    return output.Item && this.#format.parse(output.Item);
  }

  /**
   * Reads items behind a key, in order, a megabyte at most. The filter drops all tombstones except the first item's.
   *
   * @param after - The key.
   * @param count - The most rows to read.
   * @returns The items, undefined for a tombstone; the first row's key; and the last key read if there are more rows behind it.
   */
  async query(after: string, count: number) {
    const { resource, key } = primaryKey(this.#partition, after);
    const { output } = await this.#client.call('Query', {
      TableName: this.#table,
      ConsistentRead: true,
      KeyConditionExpression: '#resource = :resource AND #key > :key',
      FilterExpression: 'attribute_not_exists(#expires)',
      ProjectionExpression: '#key, #item',
      ExpressionAttributeNames: { '#resource': 'resource', '#key': 'key', '#item': 'item', '#expires': 'expires' },
      ExpressionAttributeValues: { ':resource': resource, ':key': key },
      Limit: Math.min(count, MAX_ROWS),
    });
    const rows: readonly Attributes[] = output.Items;
    return {
      items: rows.map((row) => this.#format.parseItem(row)),
      firstKey: output.Items[0]?.key.S as string | undefined,
      next: output.LastEvaluatedKey?.key.S as string | undefined,
    };
  }
}

/** More rows than a query reads in any case: it ends at a megabyte, and the smallest row, a tombstone, has over 100 bytes. */
const MAX_ROWS = 10_000;

/** Only a first version, and the first item, may find no row. */
function conditionOf({ key, version }: { readonly key: string; readonly version: number }) {
  const follows = '#version = :before';
  return {
    ConditionExpression: version === 1 || key === FIRST_KEY ? `attribute_not_exists(#version) OR ${follows}` : follows,
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':before': { N: String(version - 1) } },
  };
}
