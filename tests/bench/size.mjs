import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/**
 * Weighs the code that a cold start of an implementation reads.
 *
 * @param {string} file - The bundle.
 * @returns {number} In kilobytes, gzipped.
 */
export function sizeOf(file) {
  return gzipSync(readFileSync(file)).length / 1000;
}
