import { v7 } from 'uuid';
import type { ItemOf, ObjectSchema, Resource, WritableOf } from '../schema/schema.js';

/**
 * Opens the items of a resource for one request. There is no other way to items.
 *
 * @param request - Its total time-out began when it came.
 * @param owner - Whose items; undefined if all callers share them.
 */
export type Store = <Schema extends ObjectSchema>(
  resource: Resource<Schema>,
  request: { readonly id: string; readonly receivedAt: number },
  owner?: string,
) => Items<Schema>;

/**
 * The items that a caller sees, in the order of their creation. Keys are matched case-insensitively (RFC 9562, section
 * 4). A method that throws a Problem has changed no item, unless it is `maybe-applied`.
 */
export interface Items<Schema extends ObjectSchema = ObjectSchema> {
  /** An item that is there all the time is on exactly one of the pages. */
  list(query: ListQuery<Schema>): Promise<ListPage>;
  /** @throws Problem `not-found`. */
  find(key: string): Promise<StoredItem<Schema>>;
  /**
   * Adds an item. Within an hour, the same `Idempotency-Key` with the same members adds nothing and returns the first
   * version again, whatever has become of the item.
   *
   * @throws Problem `item-too-large`, `full` or `idempotency-key-reused`.
   */
  create(members: WritableOf<Schema>, idempotencyKey?: string): Promise<StoredItem<Schema>>;
  /**
   * Changes an item in one step. The function may be called again, if another request has changed the item meanwhile.
   * If it throws, nothing is written.
   *
   * @returns The next version.
   * @throws Problem `not-found`, `item-too-large` or `full`, or what the function throws.
   */
  update(key: string, change: (current: StoredItem<Schema>) => WritableOf<Schema>): Promise<StoredItem<Schema>>;
  /**
   * Removes an item in one step, unless the function throws.
   *
   * @returns The last version.
   * @throws Problem `not-found`, or what the function throws.
   */
  remove(key: string, check?: (current: StoredItem<Schema>) => void): Promise<StoredItem<Schema>>;
}

/** An item at one version. */
export interface StoredItem<Schema extends ObjectSchema = ObjectSchema> {
  /** In lower case. */
  readonly key: string;
  /** From 1. No two versions of an item share an entity tag. */
  readonly version: number;
  readonly item: ItemOf<Schema>;
  readonly json: string;
}

export interface ListQuery<Schema extends ObjectSchema = ObjectSchema> {
  /** The most items of the page; undefined for as many as fit into a response. */
  readonly limit?: number | undefined;
  /** A UUID: the page has only items with greater keys. */
  readonly after?: string | undefined;
  /** Whether to list an item. It may depend only on the request and the item: in memory, only writes give a page a new version. */
  readonly matches?: ((item: ItemOf<Schema>) => boolean) | undefined;
}

export interface ListPage {
  readonly json: string;
  /** The cursor of the next page, which may be the key of a deleted item; undefined on the last page. */
  readonly next?: string | undefined;
  /** Two different pages of one query have different versions, of letters, digits and `_`. */
  readonly version: string;
}

/**
 * A UUID of version 7 (RFC 9562, section 5.7), in lower case. Keys sort by creation, strictly so within an instance. So a
 * key is also the cursor of a list.
 */
export function newItemKey(): string {
  return v7();
}

/**
 * @param key - In lower case.
 * @param members - In the order of the schema. A key among them is ignored.
 */
export function newItem<Schema extends ObjectSchema>(
  key: string,
  members: WritableOf<Schema> & { readonly key?: unknown },
  version = 1,
): StoredItem<Schema> {
  const { key: _, ...others } = members;
  const item = { key, ...others } as unknown as ItemOf<Schema>;
  return { key, version, item, json: JSON.stringify(item) };
}

/** The bytes that an item takes in a list inside a result: a string without its two quotes, and a comma. */
export function bytesInList({ json }: { readonly json: string }): number {
  return Buffer.byteLength(JSON.stringify(json)) - 1;
}

/** The bytes of an empty list: two brackets, less the comma that is counted after the last item. */
export const BYTES_OF_EMPTY_LIST = 1;

export function listOf(items: readonly { readonly json: string }[]): string {
  return `[${items.map(({ json }) => json).join()}]`;
}

/** Whole seconds since 1970. */
export function secondsNow(): number {
  return Math.floor(Date.now() / 1_000);
}
