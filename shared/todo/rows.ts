import { type Call, ConditionFailed } from '../dynamodb/call.js';
import type { Demand } from './demand.js';
import type { StoredItem } from './item.js';
import { itemOf, rowOf } from './row.js';

/** Some items of a table, in its order. */
export interface Scanned {
  readonly items: readonly StoredItem[];
  /** The key behind which the table goes on, undefined at its end. */
  readonly end: string | undefined;
}

/** The rows of one table, read and written by calls that share one budget. */
export class Rows {
  readonly #call: Call;
  readonly #table: string;

  /**
   * @param call - Calls DynamoDB.
   * @param table - The table's name.
   */
  constructor(call: Call, table: string) {
    this.#call = call;
    this.#table = table;
  }

  /** Reads an item, with all writes that were acknowledged before. */
  async get(key: string): Promise<StoredItem | undefined> {
    const { Item } = await this.#call('GetItem', { TableName: this.#table, Key: rowOf({ key }), ConsistentRead: true });
    return itemOf(Item);
  }

  /** Adds an item; returns why not where the key has a row already. */
  async put(item: StoredItem): Promise<ConditionFailed | undefined> {
    const written = await this.#conditional('PutItem', {
      Item: rowOf(item),
      ConditionExpression: 'attribute_not_exists(#key)',
      ExpressionAttributeNames: { '#key': 'key' },
    });
    return written instanceof ConditionFailed ? written : undefined;
  }

  /** Changes members of an item that meets a demand, and counts its version; returns what it has become. */
  update(key: string, members: Partial<StoredItem>, demand: Demand): Promise<StoredItem | ConditionFailed> {
    const row = rowOf(members);
    const names = Object.keys(row);
    return this.#write('UpdateItem', key, demand, {
      UpdateExpression: `SET ${['#version = #version + :one', ...names.map((name) => `#${name} = :${name}`)].join(', ')}`,
      ExpressionAttributeNames: namesOf('version', ...names),
      ExpressionAttributeValues: {
        ...demand.values,
        ...Object.fromEntries(names.map((name) => [`:${name}`, row[name]])),
        ':one': { N: '1' },
      },
      ReturnValues: 'ALL_NEW',
    });
  }

  /** Removes an item that meets a demand, and returns what it was. */
  remove(key: string, demand: Demand): Promise<StoredItem | ConditionFailed> {
    return this.#write('DeleteItem', key, demand, {
      ExpressionAttributeNames: namesOf('version'),
      ...(Object.keys(demand.values).length > 0 && { ExpressionAttributeValues: demand.values }),
      ReturnValues: 'ALL_OLD',
    });
  }

  /** As {@link remove}, but a row stays that has nothing but the key, so that no item can have it again. */
  empty(key: string, demand: Demand): Promise<StoredItem | ConditionFailed> {
    return this.#write('UpdateItem', key, demand, {
      UpdateExpression: 'REMOVE #name, #isComplete, #version',
      ExpressionAttributeNames: namesOf('name', 'isComplete', 'version'),
      ...(Object.keys(demand.values).length > 0 && { ExpressionAttributeValues: demand.values }),
      ReturnValues: 'ALL_OLD',
    });
  }

  /** Reads on behind a key, a megabyte at most, and no more rows than the limit. */
  async scan(start: string | undefined, limit: number | undefined): Promise<Scanned> {
    const { Items, LastEvaluatedKey } = await this.#call('Scan', {
      TableName: this.#table,
      ConsistentRead: true,
      ...(start !== undefined && { ExclusiveStartKey: rowOf({ key: start }) }),
      ...(limit !== undefined && { Limit: limit }),
    });
    const items = (Items as Parameters<typeof itemOf>[0][]).flatMap((row) => itemOf(row) ?? []);
    return { items, end: LastEvaluatedKey?.key.S };
  }

  async #write(operation: string, key: string, demand: Demand, input: object): Promise<StoredItem | ConditionFailed> {
    const condition = { Key: rowOf({ key }), ConditionExpression: demand.expression };
    const written = await this.#conditional(operation, { ...condition, ...input });
    return written instanceof ConditionFailed ? written : (itemOf(written.Attributes) as StoredItem);
  }

  async #conditional(operation: string, input: object) {
    try {
      return await this.#call(operation, { TableName: this.#table, ...input });
    } catch (error) {
      if (error instanceof ConditionFailed) return error;
      throw error;
    }
  }
}

function namesOf(...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [`#${name}`, name]));
}
