import { closeSync, openSync, readSync } from 'node:fs';
import { v7 } from 'uuid';

/** In a table. Its time is 0, so that the item comes first in every list. */
export const FIRST_KEY = '00000000-0000-7000-8000-000000000000';

/**
 * A UUID of version 7 (RFC 9562, section 5.7), in lower case. Keys sort by creation, strictly so within an instance, so
 * a key is also the cursor of a list.
 */
export function newKey(): string {
  const random = takeRandom();
  const now = Date.now();
  // Within a millisecond, or after the clock was set back, the counter goes on. It has 32 bits, and its random start
  // has 31.
  if (now > msecs) {
    msecs = now;
    seq = random.readUInt32BE(6) >>> 1;
  } else {
    seq += 1;
  }
  return v7({ random, msecs, seq });
}

let msecs = 0;
let seq = 0;

const pool = Buffer.alloc(4_096);
let taken = pool.length;

function takeRandom(): Buffer {
  if (taken === pool.length) {
    fillRandom(pool);
    taken = 0;
  }
  taken += 16;
  return pool.subarray(taken - 16, taken);
}

/** Loading node:crypto takes 3 ms of a cold start, reading the kernel's own source 0.1 ms. */
function fillRandom(bytes: Buffer): void {
  try {
    const source = openSync('/dev/urandom', 'r');
    const read = readSync(source, bytes, 0, bytes.length, null);
    closeSync(source);
    if (read === bytes.length) return;
  } catch {
    // Windows has no such file.
  }
  globalThis.crypto.getRandomValues(bytes);
}
