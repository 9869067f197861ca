import type { StoredItem } from './item.js';

/**
 * Counts what an item and its comma take in a list, inside a string of the result's JSON.
 *
 * @param item - The item.
 * @returns Bytes in UTF-8, where each `"` and `\` takes one more.
 */
export function bytesOf({ json }: StoredItem): number {
  let bytes = Buffer.byteLength(json) + 1;
  for (let index = 0; index < json.length; index += 1) {
    const unit = json.charCodeAt(index);
    if (unit === QUOTE || unit === BACKSLASH) bytes += 1;
  }
  return bytes;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
