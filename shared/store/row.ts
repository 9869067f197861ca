import { hasType } from '../schema/check.js';
import type { JsonObject } from '../schema/parse.js';
import type { ItemOf, ObjectSchema, PatchOf, PropertySchema } from '../schema/schema.js';
import { FIRST_KEY } from './key.js';
import type { Attributes, Row } from './partition.js';
import { UnreadableItem, Version } from './version.js';

/** What takes the place of an item's last version when the item is removed. */
export interface Tombstone {
  readonly key: string;
  readonly number: number;
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
  if (next instanceof Version) return { ...attributes, item: { S: next.json } };
  return next.expires === undefined ? attributes : { ...attributes, expires: { N: String(next.expires) } };
}

/** How the rows of a resource are read. */
export interface RowReader<Schema extends ObjectSchema> {
  /**
   * Gives the version in a row; undefined for a tombstone. If the row was edited by hand, the version may have an item that can't be read.
   *
   * @throws UnreadableItem if the row has no version.
   */
  read(row: Row): Version<Schema> | undefined;
  /** Whether a change has all members that a client sets. */
  isWhole(change: PatchOf<Schema>): boolean;
}

/**
 * Builds the reader of rows.
 *
 * @param schema - The items' schema. What it doesn't name is dropped. A member that a row has under neither its name nor its former
 * name, because it was declared later, gets its backfill, else its default, else null. Of the rules for a member, only its JSON type
 * counts.
 */
export function createRowReader<Schema extends ObjectSchema>({ properties }: Schema): RowReader<Schema> {
  const members = Object.entries<PropertySchema>(properties).map(([name, property]) => {
    const { formerly = name, backfill = property.default ?? null } = property;
    return { name, formerly, backfill, property };
  });
  const writable = members.filter(({ property }) => !property.readOnly).map(({ name }) => name);

  function itemIn(json: string, key: string): ItemOf<Schema> | UnreadableItem {
    const stored = parseObject(json);
    if (!stored) return new UnreadableItem(key, 'it has no JSON object');
    if (stored.key !== key) return new UnreadableItem(key, 'its JSON has another key');
    const item: Record<string, unknown> = {};
    for (const { name, formerly, backfill, property } of members) {
      // Null is a value, and inherited members are none.
      if (Object.hasOwn(stored, name)) item[name] = stored[name];
      else item[name] = Object.hasOwn(stored, formerly) ? stored[formerly] : backfill;
      if (!hasType(property, item[name])) return new UnreadableItem(key, `its member ${name} has another type`);
    }
    return item as ItemOf<Schema>;
  }

  return {
    read({ key, item, version }) {
      if (!item) return undefined;
      const number = Number(version?.N);
      if (!Number.isSafeInteger(number)) throw new UnreadableItem(key.S, 'its version is no whole number');
      return new Version<Schema>(key.S, number, itemIn(item.S, key.S));
    },
    isWhole: (change) => writable.every((name) => Object.hasOwn(change, name)),
  };
}

/** Parses a JSON object; null if it is none. An error of JSON.parse would quote the text. */
function parseObject(json: string): JsonObject | null {
  try {
    const value = JSON.parse(json);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
