import type { ItemOf, ObjectSchema, Resource, WritableOf } from '../schema/schema.js';
import type { Change, StoredItem } from './stored-item.js';

/** Gives the collection that a request is about. There is no other way to items. */
export type Store<Schema extends ObjectSchema = ObjectSchema> = (context: RequestContext) => Collection<Schema>;

export type OpenStore = (resource: Resource) => Promise<Store>;

export interface RequestContext {
  readonly requestId: string;
  /** Undefined if all callers share the items. */
  readonly owner?: string | undefined;
  /** When the request's total time-out starts, in milliseconds of the process's uptime; now when left out. */
  readonly since?: number | undefined;
}

/**
 * The items that a caller sees, in the order of their creation. Keys are matched case-insensitively (RFC 9562, section
 * 4). Outcomes that a caller must expect are returned, not thrown.
 */
export interface Collection<Schema extends ObjectSchema = ObjectSchema> {
  /** An item that is there all the time is on exactly one of the pages. */
  list(query: ListQuery<Schema>): Promise<ListPage>;
  find(key: string): Promise<StoredItem<Schema> | undefined>;
  /**
   * Adds an item. Within an hour, the same idempotency key with the same members adds nothing and returns the first
   * version again, whatever has become of the item.
   */
  create(
    members: WritableOf<Schema>,
    idempotencyKey?: string,
  ): Promise<StoredItem<Schema> | CapacityExceeded | 'idempotency-key-reused'>;
  /** In one step with the check of the precondition. Undefined if there is no such item. */
  update<Failure extends string>(
    key: string,
    change: Change<Schema>,
    precondition: Precondition<Failure> | undefined,
  ): Promise<StoredItem<Schema> | Failure | CapacityExceeded | undefined>;
  /** In one step with the check of the precondition. Undefined if there is no such item. */
  remove<Failure extends string>(
    key: string,
    precondition: Precondition<Failure> | undefined,
  ): Promise<StoredItem<Schema> | Failure | undefined>;
}

/** Takes an item's version. Undefined if the precondition holds; otherwise this is the outcome, and nothing is written. */
export type Precondition<Failure extends string> = (version: number) => Failure | undefined;

export type CapacityExceeded = 'item-too-large' | 'full';

export interface ListQuery<Schema extends ObjectSchema = ObjectSchema> {
  /** Left out, as many as fit into a response. */
  readonly limit?: number | undefined;
  /** A GUID. The page has only items with greater keys. */
  readonly after?: string | undefined;
  /**
   * Which items to list; left out, all. It may depend only on the request and the item, because the page's tag does.
   */
  readonly matches?: ((item: ItemOf<Schema>) => boolean) | undefined;
}

export interface ListPage {
  readonly json: string;
  /** The cursor of the next page, which may be the key of no item; undefined if the list ends here. */
  readonly next?: string | undefined;
  /**
   * The text for the entity tag of a response with this page, in letters, digits and `_`. Different responses get
   * different ones.
   *
   * @param form - The rest of the response: what the caller asked for, the media type, the link.
   */
  tag(form: string): string;
}
