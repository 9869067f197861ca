import * as v from 'valibot';
import type { ItemOf, JsonObject, ObjectSchema, Resource } from '../schema/schema.js';
import type { Attributes, Row } from './partition.js';
import { type StoredItem, secondsNow } from './store.js';

/** The key of the initial item. Its time is 0, so that the item comes first in every list. */
export const INITIAL_KEY = '00000000-0000-7000-8000-000000000000';

/** What takes the place of a removed item's last version. */
export interface Tombstone {
  readonly key: string;
  readonly version: number;
  /** When DynamoDB may delete it, in seconds since 1970; undefined for never. */
  readonly expires: number | undefined;
}

/**
 * A tombstone stays for at least two hours: in the first, retries with the same `Idempotency-Key` try to put the item again,
 * and attempts may come late. The initial item's stays for ever, because without a row that item would be back.
 */
export function tombstoneOf({ key, version }: StoredItem): Tombstone {
  const expires = key === INITIAL_KEY ? undefined : secondsNow() + 7_200;
  return { key, version: version + 1, expires };
}

/** @param writeId - Identifies the write, so that a request that got no reply recognizes its own row. */
export function attributesOf(next: StoredItem | Tombstone, writeId: string): Attributes {
  const attributes = { version: { N: String(next.version) }, writeId: { S: writeId } };
  if ('json' in next) return { ...attributes, item: { S: next.json } };
  return next.expires === undefined ? attributes : { ...attributes, expires: { N: String(next.expires) } };
}

/**
 * Reads the item in a row. It checks the JSON type of each member, but none of its rules. A member that was declared after the
 * row was written takes its default. Members that the schema does not name are dropped.
 *
 * @returns Undefined for a tombstone.
 * @throws Error if the row does not fit the schema. The message names the key, but nothing of the content.
 */
export function itemIn<Schema extends ObjectSchema>(
  { key: { S: key }, item: json, version: { N = '' } = {} }: Row,
  { schema, upgrade }: Resource<Schema>,
): StoredItem<Schema> | undefined {
  if (!json) return undefined;
  const unreadable = (reason: string, options?: ErrorOptions) =>
    new Error(`the row of the item ${key} can't be read, because ${reason}`, options);
  if (!/^\d{1,15}$/.test(N)) throw unreadable('its version is no whole number');
  const stored = parseObject(json.S);
  if (!stored) throw unreadable('it has no JSON object');
  if (stored.key !== key) throw unreadable('its JSON has another key');
  let upgraded = stored;
  try {
    if (upgrade) upgraded = upgrade(stored);
  } catch (cause) {
    throw unreadable('its upgrade fails', { cause });
  }
  const item: Record<string, unknown> = {};
  for (const [name, member] of Object.entries<v.GenericSchema>(schema.entries)) {
    const value = Object.hasOwn(upgraded, name) ? upgraded[name] : undefined;
    const { output, issues } = v.safeParse(member, value);
    if (issues?.some(hasOtherType))
      throw unreadable(`its member ${name} ${value === undefined ? 'is missing' : 'has another type'}`);
    item[name] = output;
  }
  return { key, version: Number(N), item: item as ItemOf<Schema>, json: JSON.stringify(item) };
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

/** A text that is no longer in the list of a `v.picklist` breaks a rule, but has the right type. */
function hasOtherType({ kind, type, input }: v.BaseIssue<unknown>): boolean {
  return kind === 'schema' && !(type === 'picklist' && typeof input === 'string');
}
