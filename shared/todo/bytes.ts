import { type StoredItem, storedItem } from './item.js';

/**
 * Counts what an item and its comma take in a list, inside a string of the result's JSON.
 *
 * @param item - The item. Where its name is plain, as most are, its own JSON isn't looked at.
 * @returns Bytes in UTF-8, where each `"` and `\` takes one more.
 */
export function bytesOf(item: StoredItem): number {
  const { key, name, isComplete } = item;
  return isPlain(name) ? (isComplete ? DONE : OPEN) + key.length + name.length : quotedBytes(item.json) + 1;
}

function quotedBytes(json: string): number {
  let bytes = Buffer.byteLength(json);
  for (let index = 0; index < json.length; index += 1) {
    const unit = json.charCodeAt(index);
    if (unit === QUOTE || unit === BACKSLASH) bytes += 1;
  }
  return bytes;
}

/** Whether JSON has a text as it stands, in as many bytes as it is long. */
function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < SPACE || unit > TILDE || unit === QUOTE || unit === BACKSLASH) return false;
  }
  return true;
}

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const TILDE = 0x7e;

/** What an item takes besides its key and a plain name, with its comma. */
const DONE = quotedBytes(storedItem('', { name: '', isComplete: true }, 1).json) + 1;
const OPEN = quotedBytes(storedItem('', { name: '', isComplete: false }, 1).json) + 1;
