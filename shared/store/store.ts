import type { Resource } from '../schema/resource.js';
import type { ItemOf, ObjectSchema, PatchOf, WritableOf } from '../schema/schema.js';
import type { Version } from './version.js';

/** Keeps the items of a resource: gives the collection that a request is about. There is no other way to items. */
export type Store<Schema extends ObjectSchema = ObjectSchema> = (context: RequestContext) => Collection<Schema>;

/** Opens the store of a resource. Its code may have to be loaded first. */
export type OpenStore = (resource: Resource) => Store | Promise<Store>;

/** The context of a request: on whose behalf it comes, and how much time it has. */
export interface RequestContext {
  readonly requestId: string;
  /** Whose items the request is about; undefined if all callers share them. */
  readonly owner?: string | undefined;
  /** When the total time-out of the request began, as `uptime` gives it; now when left out. */
  readonly since?: number | undefined;
}

/**
 * The items that a caller sees, in the order of their creation. Keys are matched case-insensitively (RFC 9562, section 4).
 * Outcomes that a caller must expect are returned, not thrown.
 */
export interface Collection<Schema extends ObjectSchema = ObjectSchema> {
  /** Lists a page of the items. An item that is there all the time is on exactly one of the pages (rule 15). */
  list(query: ListQuery<Schema>): Promise<ListPage>;
  find(key: string): Promise<Version<Schema> | undefined>;
  /**
   * Adds an item. With an idempotency key, only if it was not added before: within an hour, the same key with the same members
   * adds nothing and gives the first version again, whatever has become of the item.
   */
  create(members: WritableOf<Schema>, idempotencyKey?: string): Promise<Created<Schema>>;
  /** Changes members of an item, in one step with the check of its precondition; undefined if there is no such item. */
  update(key: string, change: PatchOf<Schema>, precondition: Precondition | undefined): Promise<Updated<Schema>>;
  /** Removes an item, in one step with the check of its precondition; undefined if there is none. */
  remove(key: string, precondition: Precondition | undefined): Promise<Removed<Schema>>;
}

export type Created<Schema extends ObjectSchema> = Version<Schema> | CapacityExceeded | 'idempotency-key-reused';

export type Removed<Schema extends ObjectSchema> = Version<Schema> | PreconditionFailure | undefined;

export type Updated<Schema extends ObjectSchema> = Removed<Schema> | CapacityExceeded;

export interface ListQuery<Schema extends ObjectSchema = ObjectSchema> {
  /** The maximum number of items. Without it, as many as fit into a response. */
  readonly limit?: number | undefined;
  /** A GUID: the page has only items whose keys are greater. */
  readonly after?: string | undefined;
  /**
   * Says whether an item is to be listed; left out, all are. It may depend only on what the caller asked for, and on the item,
   * because the page's tag does.
   */
  readonly matches?: ((item: ItemOf<Schema>) => boolean) | undefined;
}

export interface ListPage {
  readonly json: string;
  /** The cursor of the next page, a key that may have no item; undefined if the list ends here. */
  readonly next?: string | undefined;
  /**
   * Gives the text in the entity tag of a response with this page: the same only for responses that are the same.
   *
   * @param form - The rest of the response: what the caller asked for, the media type, the link.
   */
  tag(form: string): string;
}

/**
 * Says which header field a version of an item fails, or a list with all its tags, which are equally good; undefined if it fails none. A
 * store returns the failure.
 */
export type Precondition = (...versions: readonly (number | string)[]) => PreconditionFailure | undefined;

/** The header field that does not admit the version (RFC 9110, section 13.1), and whether that is because a tag in it is weak. */
export type PreconditionFailure = 'if-match-failed' | 'if-match-weak' | 'if-none-match-failed';

/** Why an item can't be kept: it is too large by itself, or the store is full. */
export type CapacityExceeded = 'item-too-large' | 'full';
