import * as v from 'valibot';
import type { ItemOf, JsonObject, ObjectSchema, Resource } from '../schema/schema.js';
import { type Creation, secondsNow } from './creation.js';
import { INITIAL_KEY } from './key.js';
import type { Attributes, Row } from './partition.js';
import type { StoredItem } from './store.js';

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
  const expires = key === INITIAL_KEY ? undefined : secondsNow() + 7_200;
  return { key, version: version + 1, expires };
}

/** @param writeId - Identifies the write, so that a request that got no reply recognizes its own. */
export function attributesOf(next: StoredItem<ObjectSchema> | Tombstone, writeId: string): Attributes {
  const attributes = { version: { N: String(next.version) }, writeId: { S: writeId } };
  if ('json' in next) return { ...attributes, item: { S: next.json } };
  return next.expires === undefined ? attributes : { ...attributes, expires: { N: String(next.expires) } };
}

/** The row of an `Idempotency-Key`. */
export function creationAttributesOf({ itemKey, digest, expires }: Creation): Attributes {
  return { itemKey: { S: itemKey }, digest: { S: digest }, expires: { N: String(expires) } };
}

/**
 * Gives the item in a row, undefined for a tombstone.
 *
 * @throws Error if somebody edited the row by hand. It contains the key, but nothing of the content.
 */
export type ReadRow<Schema extends ObjectSchema> = (row: Row) => StoredItem<Schema> | undefined;

/**
 * Members that the schema does not name are dropped. A member that was declared after the row was written takes its
 * default. Of a member's rules, only the JSON type is checked.
 */
export function createRowReader<Schema extends ObjectSchema>({ schema, upgrade }: Resource<Schema>): ReadRow<Schema> {
  const members = Object.entries<v.GenericSchema>(schema.entries);

  function itemIn(json: string, key: string): ItemOf<Schema> {
    const stored = parseObject(json);
    if (!stored) throw unreadable(key, 'it has no JSON object');
    if (stored.key !== key) throw unreadable(key, 'its JSON has another key');
    const today = upgraded(stored, key);
    const item: Record<string, unknown> = {};
    for (const [name, member] of members) {
      const value = Object.hasOwn(today, name) ? today[name] : undefined;
      const { output, issues } = v.safeParse(member, value);
      if (issues?.some(hasOtherType))
        throw unreadable(key, `its member ${name} ${value === undefined ? 'is missing' : 'has another type'}`);
      item[name] = output;
    }
    return item as ItemOf<Schema>;
  }

  function upgraded(stored: JsonObject, key: string): JsonObject {
    try {
      return upgrade?.(stored) ?? stored;
    } catch (cause) {
      throw unreadable(key, 'its upgrade fails', { cause });
    }
  }

  return ({ key, item: json, version: { N = '' } = {} }) => {
    if (!json) return undefined;
    if (!/^\d{1,15}$/.test(N)) throw unreadable(key.S, 'its version is no whole number');
    const item = itemIn(json.S, key.S);
    return { key: key.S, version: Number(N), item, json: JSON.stringify(item) };
  };
}

function unreadable(key: string, reason: string, options?: ErrorOptions): Error {
  return new Error(`the row of the item ${key} can't be read, because ${reason}`, options);
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
