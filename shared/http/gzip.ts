import type { Request } from './message.js';
import { chooseCoding } from './negotiate.js';

/** From so many bytes on, as `minimumCompressionSize` of the REST API has it: below, it saves no time. */
const LEAST = 8_192;

/**
 * Compresses content as the response of a function can have it.
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
