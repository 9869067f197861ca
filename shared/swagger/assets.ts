import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Response } from '../http/response.js';
import { securityHeaders } from './policy.js';

/**
 * Makes the answers that never vary, for the build to put beside the code.
 *
 * @param document - The description document as text, in JSON.
 * @param html - The page.
 * @returns The responses, by the name of the asset.
 */
export function makeAssets(document: string, html: string): Readonly<Record<string, Response<200>>> {
  const headers = { 'Content-Type': 'text/html; charset=utf-8', ...securityHeaders(html), Vary: 'Accept-Encoding' };
  const compressed = gzipSync(html, { level: 9 });
  // A zip of the same bytes is the same wherever it was made, but for the byte that names the operating system.
  compressed[9] = 0xff;
  return {
    document: makeDocument(document),
    'page.identity': answer(headers, html),
    'page.gzip': {
      ...answer({ ...headers, 'Content-Encoding': 'gzip' }, compressed.toString('base64')),
      isBase64Encoded: true,
    },
  };
}

/**
 * Makes the answer with a description document.
 *
 * @param document - The document as text, in JSON.
 * @returns The response, without the white space between what it says.
 */
export function makeDocument(document: string): Response<200> {
  return answer({ 'Content-Type': 'application/json' }, JSON.stringify(JSON.parse(document)));
}

function answer(headers: Record<string, string>, body: string): Response<200> {
  const digest = createHash('sha256').update(body).digest('base64url');
  // Their URLs stay the same when they change, so caches ask each time whether they did.
  const common = { ETag: `"${digest.slice(0, 27)}"`, 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' };
  return { status: 200, headers: { ...headers, ...common }, body };
}
