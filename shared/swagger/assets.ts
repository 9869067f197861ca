import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Response } from '../http/response.js';

/**
 * Makes the answers that never vary, for the build to put beside the code.
 *
 * @param document - The description document as text, in JSON.
 * @param template - The page's template in HTML: where a script or style is only the name of a file of swagger-ui-dist
 * in a comment, that file takes its place.
 * @param parts - The folder of swagger-ui-dist.
 * @returns The responses, by the name of the asset.
 * @throws Error when a part could not stand inside the page.
 */
export function makeAssets(document: string, template: string, parts: string): Readonly<Record<string, Response<200>>> {
  const html = template.replace(/\/\* ([\w.-]+) \*\//g, (_, name) => part(`${parts}/${name}`));
  const headers = { 'Content-Type': 'text/html; charset=utf-8', ...securityHeaders(html) };
  const compressed = gzipSync(html, { level: 9 });
  // A zip of the same bytes is the same wherever it was made, but for the byte that names the operating system.
  compressed[9] = 0xff;
  return {
    document: makeDocument(document),
    'page.identity': answer({ ...headers, Vary: 'Accept-Encoding' }, html),
    'page.gzip': {
      ...answer({ ...headers, Vary: 'Accept-Encoding', 'Content-Encoding': 'gzip' }, compressed.toString('base64')),
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

/** Inside a script element, what could end it or open a comment is escaped, as the HTML standard recommends (4.12.1.3). */
function part(file: string): string {
  const text = readFileSync(file, 'utf8');
  if (file.endsWith('.js')) return text.replace(/<(?=!--|\/?script)/gi, '\\x3C');
  if (/<\/style/i.test(text)) throw new Error(`${file} can't stand inside a page: it would end its element`);
  return text;
}

function answer(headers: Record<string, string>, body: string): Response<200> {
  const ETag = `"${digest(body).slice(0, 27).replaceAll('/', '_').replaceAll('+', '-')}"`;
  // Their URLs stay the same when they change, so caches ask each time whether they did.
  return {
    status: 200,
    headers: { ...headers, ETag, 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' },
    body,
  };
}

/** Admits the page's own scripts and styles by their hashes, calls to where it came from, and nothing else. */
function securityHeaders(html: string): Record<string, string> {
  const hashes = (element: string) =>
    Array.from(
      html.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs')),
      ([, text]) => `'sha256-${digest(text as string)}'`,
    );
  const policy = {
    'default-src': ["'none'"],
    'script-src': hashes('script'),
    'style-src': hashes('style'),
    'img-src': ['data:'],
    'connect-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  };
  return {
    'Content-Security-Policy': Object.entries(policy)
      .map(([directive, sources]) => [directive, ...sources].join(' '))
      .join('; '),
    'Referrer-Policy': 'no-referrer',
  };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
