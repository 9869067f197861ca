import type { Request, Response } from './message.js';
import { chooseCoding } from './negotiate.js';

/** From so many bytes on, as `minimumCompressionSize` of the REST API has it: below, it saves no time. */
const LEAST = 8_192;

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

/**
 * Compresses content that is made for one request, where its response can have that.
 *
 * @param request - Its `Accept-Encoding` says whether the caller takes gzip. A gateway that compresses does so itself.
 * @param content - The content as text.
 * @returns Gzip in base64; undefined if the content stays as it is: if the caller does not take gzip, the gateway compresses, the
 * content has less than 8 kB, or base64 would have no fewer bytes, so that the result could become too large.
 */
export function gzipped(request: Request, content: string): string | undefined {
  if (request.gatewayCompresses) return undefined;
  const bytes = Buffer.byteLength(content);
  if (bytes < LEAST) return undefined;
  if (chooseCoding(request.header('accept-encoding'), ['gzip', 'identity']) !== 'gzip') return undefined;
  // Most instances never need it. Higher levels take three times as long, and save a tenth.
  const { gzipSync } = process.getBuiltinModule('node:zlib');
  const coded = gzipSync(content, { level: 1 }).toString('base64');
  return coded.length < bytes ? coded : undefined;
}
