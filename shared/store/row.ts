import * as v from 'valibot';
import type { RequestClient } from '../dynamodb/client.js';
import type { JsonObject } from '../schema/parse.js';
import type { ItemOf, ObjectSchema, Resource } from '../schema/schema.js';
import { INITIAL_KEY } from './key.js';
import { now } from './remembered-key.js';
import { StoredItem, UnreadableItem } from './stored-item.js';

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

export type Partition = ReturnType<typeof openPartition>;

export function openPartition(client: RequestClient, TableName: string, name: string) {
  const primaryKey = (key: string) => ({ partition: { S: name }, key: { S: key } });
  return {
    /** Strongly consistent. */
    async get(key: string): Promise<Row | undefined> {
      return (await client.get({ TableName, Key: primaryKey(key), ConsistentRead: true })).Item;
    },

    put: (key: string, attributes: Attributes, condition: Condition) =>
      client.put({ TableName, Item: { ...primaryKey(key), ...attributes }, ...condition }),

    /**
     * Reads the rows of items after a key, in order, strongly consistent, a megabyte at most. The filter drops rows that
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

/**
 * No two owners share a partition.
 *
 * @param owner - Undefined if all callers share the items.
 */
export function partitionsOf(resource: string, owner: string | undefined) {
  if (owner === undefined) return { items: resource, rememberedKeys: `${resource}/Idempotency-Key` };
  return { items: `${resource}/items/${owner}`, rememberedKeys: `${resource}/Idempotency-Key/${owner}` };
}

/** What takes the place of a removed item's last version. */
export interface Tombstone {
  readonly key: string;
  readonly version: number;
  /** When DynamoDB may delete it, in seconds since 1970; undefined for never. */
  readonly expires: number | undefined;
}

/**
 * A tombstone stays for two hours, because for one hour a retry with the same `Idempotency-Key` puts the item again,
 * and attempts may come late. The initial item's stays for ever, because without a row that item would be back.
 */
export function tombstoneOf({ key, version }: StoredItem<ObjectSchema>): Tombstone {
  const expires = key === INITIAL_KEY ? undefined : now() + 7_200;
  return { key, version: version + 1, expires };
}

/** @param writeId - Identifies the write, so that a request that got no reply recognizes its own. */
export function attributesOf(next: StoredItem<ObjectSchema> | Tombstone, writeId: string): Attributes {
  const attributes = { version: { N: String(next.version) }, writeId: { S: writeId } };
  if (next instanceof StoredItem) return { ...attributes, item: { S: next.json } };
  return next.expires === undefined ? attributes : { ...attributes, expires: { N: String(next.expires) } };
}

/** Undefined for a tombstone. If somebody edited the row by hand, the item may be unreadable. */
export type ReadRow<Schema extends ObjectSchema> = (row: Row) => StoredItem<Schema> | undefined;

/**
 * Members that the schema does not name are dropped. A member that was declared after the row was written takes its
 * default. Of a member's rules, only the JSON type is checked.
 */
export function createRowReader<Schema extends ObjectSchema>({ schema, upgrade }: Resource<Schema>): ReadRow<Schema> {
  const members = Object.entries<v.GenericSchema>(schema.entries);

  function itemIn(json: string, key: string): ItemOf<Schema> {
    const stored = parseObject(json);
    if (!stored) throw new UnreadableItem(key, 'it has no JSON object');
    if (stored.key !== key) throw new UnreadableItem(key, 'its JSON has another key');
    const today = upgraded(stored, key);
    const item: Record<string, unknown> = {};
    for (const [name, member] of members) {
      const value = Object.hasOwn(today, name) ? today[name] : undefined;
      const { output, issues } = v.safeParse(member, value);
      if (issues?.some(hasOtherType))
        throw new UnreadableItem(key, `its member ${name} ${value === undefined ? 'is missing' : 'has another type'}`);
      item[name] = output;
    }
    return item as ItemOf<Schema>;
  }

  function upgraded(stored: JsonObject, key: string): JsonObject {
    try {
      return upgrade?.(stored) ?? stored;
    } catch (cause) {
      throw new UnreadableItem(key, 'its upgrade fails', { cause });
    }
  }

  return ({ key, item, version }) => {
    if (!item) return undefined;
    const number = Number(version?.N);
    if (Number.isSafeInteger(number)) return new StoredItem<Schema>(key.S, number, () => itemIn(item.S, key.S));
    return new StoredItem<Schema>(key.S, 0, () => {
      throw new UnreadableItem(key.S, 'its version is no whole number');
    });
  };
}

/** Null if the text is no JSON object. An error of JSON.parse would quote the text. */
function parseObject(json: string): JsonObject | null {
  try {
    const value = JSON.parse(json);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** A text that its list has no more is a broken rule. */
function hasOtherType({ kind, type, input }: v.BaseIssue<unknown>): boolean {
  return kind === 'schema' && !(type === 'picklist' && typeof input === 'string');
}
