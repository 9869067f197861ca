import type { MaybePromise } from '../http/response.js';
import type { Condition } from './condition.js';
import type { StoredItem, WritableMembers } from './item.js';

/**
 * Keeps the collection. Items have their keys in lower case, and are found by them in any (RFC 9562, section 4).
 * Outcomes that a caller must expect are returned, not thrown.
 */
export interface TodoStore {
  /**
   * Lists the items, or a part of them, in an order that stays: items that are there throughout are in one of the parts
   * that follow on each other, whatever is written meanwhile. Undefined where the part begins at no place of this store.
   */
  list(part: Part): MaybePromise<Listing | undefined>;
  /** Finds an item; undefined where there is none. */
  find(key: string): MaybePromise<StoredItem | undefined>;
  /** Adds an item, unless it does not fit. It throws where the key is taken, and leaves the item that has it alone. */
  create(item: StoredItem): MaybePromise<StoredItem | Misfit>;
  /**
   * Changes some or all members of an item, in one step with the check of its precondition. Undefined where there is
   * no such item.
   */
  update(
    key: string,
    members: Partial<WritableMembers>,
    condition?: Condition,
  ): MaybePromise<StoredItem | Misfit | 'stale' | undefined>;
  /** Removes an item, in one step with the check of its precondition. Undefined where there is none. */
  remove(key: string, condition?: Condition): MaybePromise<StoredItem | 'stale' | undefined>;
}

/** Which part of the list is wanted; members that are undefined ask for nothing. */
export interface Part {
  /** The most items that it may have; as many as fit into a response where there is no limit. */
  readonly limit?: number | undefined;
  /** The place behind which it begins, as the store gave it; otherwise it begins at the start. */
  readonly after?: string | undefined;
}

/** A part of the list. */
export interface Listing {
  /** The items, as a JSON array. */
  readonly json: string;
  /** The place behind which the list goes on, undefined where this is all. */
  readonly next?: string;
}

/** Why an item can't be kept: it alone is larger than the collection may be, or the others leave it no room. */
export type Misfit = 'too large' | 'no room';
