import type { ItemOf, ObjectSchema, PropertySchema } from '../schema/schema.js';
import { FIRST_KEY } from './key.js';
import type { Attributes, Row } from './partition.js';
import { Version } from './version.js';

/** What takes the place of an item's last version when the item is removed. */
export interface Tombstone {
  readonly key: string;
  readonly number: number;
  readonly item?: never;
  /** When DynamoDB may delete it, in seconds since 1970; undefined if it is kept for ever. */
  readonly expires: number | undefined;
}

/**
 * Makes the tombstone of a removed item. It stays for two hours: for one hour, a retry with the same `Idempotency-Key` puts
 * the item again, and attempts may come late. The first item's tombstone stays for ever, because without a row the item
 * would be back.
 */
export function tombstoneOf({ key, number }: Version<ObjectSchema>): Tombstone {
  const expires = key === FIRST_KEY ? undefined : Math.floor(Date.now() / 1_000) + 7_200;
  return { key, number: number + 1, expires };
}

/**
 * Gives the attributes of a row besides its keys.
 *
 * @param next - A version of an item, or a tombstone.
 * @param writeId - Names the write that makes the row, so that a request that did not get the reply can tell whether it was its own.
 */
export function attributesOf(next: Version<ObjectSchema> | Tombstone, writeId: string): Attributes {
  const attributes = { version: { N: String(next.number) }, writeId: { S: writeId } };
  if (next.item) return { ...attributes, item: { S: next.json } };
  return next.expires === undefined ? attributes : { ...attributes, expires: { N: String(next.expires) } };
}

/**
 * Builds the function that reads a row.
 *
 * @param schema - The items' schema. What it doesn't name is dropped. A member that a row has under neither its name nor its former
 * name, because it was declared later, gets its backfill, else its default, else null.
 * @returns The function, which gives the version in a row; undefined for a tombstone.
 */
export function createRowReader<Schema extends ObjectSchema>(
  schema: Schema,
): (row: Row) => Version<Schema> | undefined {
  const members = Object.entries<PropertySchema>(schema.properties).map(([name, property]) => {
    const { formerly = name, backfill = property.default ?? null } = property;
    return { name, formerly, backfill };
  });

  return ({ item, version }) => {
    if (!item) return undefined;
    const stored = JSON.parse(item.S);
    const read: Record<string, unknown> = {};
    for (const { name, formerly, backfill } of members) {
      // Null is a value, and inherited members are none.
      if (Object.hasOwn(stored, name)) read[name] = stored[name];
      else read[name] = Object.hasOwn(stored, formerly) ? stored[formerly] : backfill;
    }
    return new Version<Schema>(read as ItemOf<Schema>, Number(version.N));
  };
}
