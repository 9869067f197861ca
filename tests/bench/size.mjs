import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';

/**
 * Weighs what an implementation deploys. Of ours that is all code in the folder, but no assets.
 *
 * @param {string} file - The bundle.
 * @returns {Record<string, number>} In kilobytes.
 */
export function sizeOf(file) {
  const folder = dirname(file);
  const files = file.endsWith('api.mjs') ? readdirSync(folder).filter((name) => name.endsWith('.mjs')) : undefined;
  const code = (files?.map((name) => `${folder}/${name}`) ?? [file]).map((path) => readFileSync(path));
  const sum = (sizes) => sizes.reduce((total, size) => total + size, 0) / 1000;
  return {
    code: sum(code.map((bytes) => bytes.length)),
    gzipped: sum(code.map((bytes) => gzipSync(bytes).length)),
  };
}
