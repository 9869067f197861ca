import { v7 } from 'uuid';

/** In a table. Its time is 0, so that the item comes first in every list. */
export const INITIAL_KEY = '00000000-0000-7000-8000-000000000000';

/**
 * A UUID of version 7 (RFC 9562, section 5.7), in lower case. Keys sort by creation, strictly so within an instance, so
 * a key is also the cursor of a list.
 */
export function newKey(): string {
  return v7();
}
