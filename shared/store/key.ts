import { v7 } from 'uuid';

/**
 * Makes the key of a new item, a UUID of version 7 (RFC 9562, section 5.7). Keys sort in the order of their creation,
 * within an instance strictly, so a key is also the cursor behind which a list goes on.
 *
 * @returns The key, in lower case.
 */
export function newKey(): string {
  return v7();
}

/** The key of the first item of a table, the same for all instances. Its time is 0, so that the item comes first. */
export const FIRST_KEY = '00000000-0000-7000-8000-000000000000';
