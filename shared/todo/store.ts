import type { MaybePromise } from '../http/response.js';
import type { Condition } from './condition.js';
import type { StoredItem, WritableMembers } from './item.js';

/** Keeps the collection. Keys are in lower case throughout; outcomes that a caller must expect are returned, not thrown. */
export interface TodoStore {
  /** Lists all items, as a JSON array in the order of their creation. */
  list(): MaybePromise<string>;
  /** Finds an item; undefined where there is none. */
  find(key: string): MaybePromise<StoredItem | undefined>;
  /** Adds an item under a key that is not taken, unless it does not fit. */
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

/** Why an item can't be kept: it alone is larger than the collection may be, or the others leave it no room. */
export type Misfit = 'too large' | 'no room';
