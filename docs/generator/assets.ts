import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Response } from '../../shared/http/message.js';
import { securityHeaders } from './policy.js';

/**
 * Makes the answers that never vary, for the build to put beside the code: both description documents, given as JSON text,
 * without white space between tokens, and the page. Gives the responses by the name of the asset.
 */
export function makeAssets(document: string, openapi: string, html: string): Readonly<Record<string, Response<200>>> {
  const json = { 'Content-Type': 'application/json' };
  const page = { 'Content-Type': 'text/html; charset=utf-8', ...securityHeaders(html), Vary: 'Accept-Encoding' };
  const compressed = gzipSync(html, { level: 9 });
  // A zip of the same bytes is the same wherever it was made, except for the byte that names the operating system.
  compressed[9] = 0xff;
  return {
    document: answer(json, JSON.stringify(JSON.parse(document))),
    openapi: answer(json, JSON.stringify(JSON.parse(openapi))),
    'page.identity': answer(page, html),
    'page.gzip': {
      ...answer({ ...page, 'Content-Encoding': 'gzip' }, compressed.toString('base64')),
      isBase64Encoded: true,
    },
  };
}

function answer(headers: Record<string, string>, body: string): Response<200> {
  const digest = hash('sha256', body, 'base64url');
  // Their URLs stay the same when they change, so caches ask each time whether they did.
  const common = { ETag: `"${digest.slice(0, 27)}"`, 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' };
  return { status: 200, headers: { ...headers, ...common }, body };
}
