import * as v from 'valibot';
import type { JsonObject } from '../schema/parse.js';
import type { Resource } from '../schema/resource.js';
import type { ItemOf, ObjectSchema } from '../schema/schema.js';
import { FIRST_KEY } from './key.js';
import type { Attributes, Row } from './partition.js';
import { UnreadableItem, Version } from './version.js';

/** What takes the place of a removed item's last version. */
export interface Tombstone {
  readonly key: string;
  readonly number: number;
  /** When DynamoDB may delete it, in seconds since 1970; undefined for never. */
  readonly expires: number | undefined;
}

/**
 * A tombstone stays for two hours, because for one hour a retry with the same `Idempotency-Key` puts the item again,
 * and attempts may come late. The first item's stays for ever, because without a row that item would be back.
 */
export function tombstoneOf({ key, number }: Version<ObjectSchema>): Tombstone {
  const expires = key === FIRST_KEY ? undefined : Math.floor(Date.now() / 1_000) + 7_200;
  return { key, number: number + 1, expires };
}

/** @param writeId - Identifies the write, so that a request that got no reply recognizes its own. */
export function attributesOf(next: Version<ObjectSchema> | Tombstone, writeId: string): Attributes {
  const attributes = { version: { N: String(next.number) }, writeId: { S: writeId } };
  if (next instanceof Version) return { ...attributes, item: { S: next.json } };
  return next.expires === undefined ? attributes : { ...attributes, expires: { N: String(next.expires) } };
}

export interface RowReader<Schema extends ObjectSchema> {
  /**
   * Undefined for a tombstone. If somebody edited the row by hand, the item may be unreadable.
   *
   * @throws UnreadableItem if the row has no version.
   */
  read(row: Row): Version<Schema> | undefined;
}

/**
 * Members that the schema does not name are dropped. A member that was declared after the row was written takes its
 * default. Of a member's rules, only the JSON type is checked.
 */
export function createRowReader<Schema extends ObjectSchema>({ schema, upgrade }: Resource<Schema>): RowReader<Schema> {
  const members = Object.entries<v.GenericSchema>(schema.entries);

  function itemIn(json: string, key: string): ItemOf<Schema> {
    const stored = parseObject(json);
    if (!stored) throw new UnreadableItem(key, 'it has no JSON object');
    if (stored.key !== key) throw new UnreadableItem(key, 'its JSON has another key');
    const today = upgrade?.(stored) ?? stored;
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

  return {
    read({ key, item, version }) {
      if (!item) return undefined;
      const number = Number(version?.N);
      if (!Number.isSafeInteger(number)) throw new UnreadableItem(key.S, 'its version is no whole number');
      return new Version<Schema>(key.S, number, () => itemIn(item.S, key.S));
    },
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
