import { openSync, readSync } from 'node:fs';
import { v7 } from 'uuid';

/** In a table. Its time is 0, so that the item comes first in every list. */
export const INITIAL_KEY = '00000000-0000-7000-8000-000000000000';

let msecs = 0;
let seq = 0;
let source: number | undefined;

/**
 * A UUID of version 7 (RFC 9562, section 5.7), in lower case. Keys sort by creation, strictly so within an instance, so
 * a key is also the cursor of a list.
 */
export function newKey(): string {
  const random = randomBytes();
  const now = Date.now();
  // Within a millisecond, or after the clock was set back, the counter goes on. It has 32 bits, and its start has 31.
  if (now > msecs) [msecs, seq] = [now, random.readUInt32BE(6) >>> 1];
  else seq += 1;
  return v7({ random, msecs, seq });
}

/** From the kernel itself, because uuid's own source, `globalThis.crypto`, takes 7 ms of a cold start. */
function randomBytes(): Buffer {
  const bytes = Buffer.alloc(16);
  try {
    source ??= openSync('/dev/urandom', 'r');
    readSync(source, bytes);
  } catch {
    // Windows has no such file.
    globalThis.crypto.getRandomValues(bytes);
  }
  return bytes;
}
