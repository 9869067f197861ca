import type { Response } from './message.js';

/** Gives a response the entity tag of its body. */
export function tagged(response: Response<200>): Response<200> {
  // Nothing else needs it at a cold start, nor zlib.
  const { hash } = process.getBuiltinModule('node:crypto');
  const digest = hash('sha256', response.body as string, 'base64url');
  return { ...response, headers: { ...response.headers, ETag: `"${digest.slice(0, 27)}"` } };
}

/** Compresses a response with gzip, and gives it the entity tag of that. The same text becomes the same bytes on every system. */
export function compressed(response: Response<200>): Response<200> {
  const { gzipSync } = process.getBuiltinModule('node:zlib');
  // By this level of memory, compressed blocks are short: for pages, their codes are worth it.
  const bytes = gzipSync(response.body as string, { level: 9, memLevel: 6 });
  // This byte names the operating system: it becomes "unknown".
  bytes[9] = 0xff;
  const headers = { ...response.headers, 'Content-Encoding': 'gzip' };
  return tagged({ ...response, headers, body: bytes.toString('base64'), isBase64Encoded: true });
}
