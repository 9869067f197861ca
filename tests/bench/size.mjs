import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/**
 * Weighs the code that a cold start of an implementation reads.
 *
 * @param {string} file - The bundle.
 * @returns {Record<string, number>} In kilobytes.
 */
export function sizeOf(file) {
  const code = readFileSync(file);
  return { code: code.length / 1000, gzipped: gzipSync(code).length / 1000 };
}
