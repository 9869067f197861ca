import type { Request } from '../http/message.js';
import type { ItemOf, ObjectSchema, Resource, WritableOf } from '../schema/schema.js';

/**
 * Gives a request the items of a resource that it is about. There is no other way to items.
 *
 * @param request - The total time-out of what it asks the store for starts when it came.
 * @param owner - Left out if all callers share the items.
 */
export type Store = <Schema extends ObjectSchema>(
  resource: Resource<Schema>,
  request: Pick<Request, 'id' | 'receivedAt'>,
  owner?: string,
) => Items<Schema>;

/**
 * The items that a caller sees, in the order of their creation. Keys are matched case-insensitively (RFC 9562, section
 * 4). A method that throws a Problem has written nothing, unless it is `maybe-applied`.
 */
export interface Items<Schema extends ObjectSchema = ObjectSchema> {
  /** An item that is there all the time is on exactly one of the pages. */
  list(query: ListQuery<Schema>): Promise<ListPage>;
  /** @throws Problem `not-found`. */
  find(key: string): Promise<StoredItem<Schema>>;
  /**
   * Adds an item. Within an hour, the same idempotency key with the same members adds nothing and returns the first
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
  update(key: string, change: (before: StoredItem<Schema>) => WritableOf<Schema>): Promise<StoredItem<Schema>>;
  /**
   * Removes an item in one step, unless the function throws.
   *
   * @returns The last version.
   * @throws Problem `not-found`, or what the function throws.
   */
  remove(key: string, check?: (before: StoredItem<Schema>) => void): Promise<StoredItem<Schema>>;
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
  /** Left out, as many as fit into a response. */
  readonly limit?: number | undefined;
  /** A GUID. The page has only items with greater keys. */
  readonly after?: string | undefined;
  /**
   * Which items to list; left out, all. It may depend only on the request and the item, because the page's version does.
   */
  readonly matches?: ((item: ItemOf<Schema>) => boolean) | undefined;
}

export interface ListPage {
  readonly json: string;
  /** The cursor of the next page, which may be the key of no item; undefined if the list ends here. */
  readonly next?: string | undefined;
  /** Differs for pages that differ, of one query. In letters, digits and `_`. */
  readonly version: string;
}

/**
 * @param key - In lower case.
 * @param members - All others, in the order of the schema.
 */
export function newItem<Schema extends ObjectSchema>(
  key: string,
  members: WritableOf<Schema>,
  version = 1,
): StoredItem<Schema> {
  const item = { key, ...members } as unknown as ItemOf<Schema>;
  return { key, version, item, json: JSON.stringify(item) };
}

/** The bytes that an item takes in a list inside a result: a string without its two quotes, and a comma. */
export function bytesInList({ json }: { readonly json: string }): number {
  return Buffer.byteLength(JSON.stringify(json)) - 1;
}

export function jsonOf(items: readonly { readonly json: string }[]): string {
  return `[${items.map(({ json }) => json).join()}]`;
}
