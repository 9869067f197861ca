import { type StoredItem, storedItem } from './item.js';

/**
 * Counts what an item and its comma take in a list, inside a string of the result's JSON.
 *
 * @param item - The item. Where its name is plain, as most are, its JSON isn't looked at.
 * @returns Bytes in UTF-8.
 */
export function bytesOf(item: StoredItem): number {
  const { key, name, isComplete } = item;
  return item.isPlain ? (isComplete ? DONE : OPEN) + key.length + name.length : quotedBytes(item.json) + 1;
}

function quotedBytes(json: string): number {
  return Buffer.byteLength(JSON.stringify(json)) - QUOTES;
}

const QUOTES = 2;

/** What an item takes besides its key and a plain name, with its comma. */
const DONE = quotedBytes(storedItem('', { name: '', isComplete: true }, 1).json) + 1;
const OPEN = quotedBytes(storedItem('', { name: '', isComplete: false }, 1).json) + 1;
