import type { Request, Response } from './message.js';
import { chooseCoding } from './negotiate.js';

/** In bytes, as `minimumCompressionSize` of the REST API. Below, compressing saves no time. */
const LEAST = 8_192;

export function tagged(response: Response<200>): Response<200> {
  // Nothing else needs node:crypto or zlib at a cold start.
  const { hash } = process.getBuiltinModule('node:crypto');
  const digest = hash('sha256', response.body as string, 'base64url');
  return { ...response, headers: { ...response.headers, ETag: `"${digest.slice(0, 27)}"` } };
}

/** The bytes are the same on every system. */
export function compressed(response: Response<200>): Response<200> {
  const { gzipSync } = process.getBuiltinModule('node:zlib');
  // A smaller memory level makes shorter blocks, which pays for pages.
  const bytes = gzipSync(response.body as string, { level: 9, memLevel: 6 });
  // The byte that names the operating system becomes "unknown".
  bytes[9] = 0xff;
  const headers = { ...response.headers, 'Content-Encoding': 'gzip' };
  return tagged({ ...response, headers, body: bytes.toString('base64'), isBase64Encoded: true });
}

/**
 * @returns Gzip in base64; undefined if the caller does not take gzip, the gateway compresses, or the content has less
 * than 8 kB or would not get smaller.
 */
export function gzipped(request: Request, content: string): string | undefined {
  if (request.gatewayCompresses) return undefined;
  const bytes = Buffer.byteLength(content);
  if (bytes < LEAST) return undefined;
  if (chooseCoding(request.header('accept-encoding'), ['gzip', 'identity']) !== 'gzip') return undefined;
  // Most instances never need zlib. Higher levels take three times as long, and save a tenth.
  const { gzipSync } = process.getBuiltinModule('node:zlib');
  const coded = gzipSync(content, { level: 1 }).toString('base64');
  return coded.length < bytes ? coded : undefined;
}
