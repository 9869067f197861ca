import { hash } from 'node:crypto';
import { compressed, tagged } from '../../shared/http/compressed.js';
import type { Response } from '../../shared/http/message.js';

/**
 * Makes the responses that never vary, by the name of the file beside the code: both documents, given as JSON text,
 * without white space between tokens, and the page.
 */
export function makeAssets(document: string, openapi: string, html: string): Readonly<Record<string, Response<200>>> {
  const json = { 'Content-Type': 'application/json' };
  const page = { 'Content-Type': 'text/html; charset=utf-8', ...securityHeaders(html), Vary: 'Accept-Encoding' };
  const identity = answer(page, html);
  return {
    document: answer(json, JSON.stringify(JSON.parse(document))),
    openapi: answer(json, JSON.stringify(JSON.parse(openapi))),
    'page.identity': identity,
    'page.gzip': compressed(identity),
  };
}

function answer(headers: Record<string, string>, body: string): Response<200> {
  // A new version has the same URL, so caches have to ask each time.
  const common = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' };
  return tagged({ status: 200, headers: { ...headers, ...common }, body });
}

/**
 * Lets the page use only its script and style, admitted by their hashes, and call only its origin. docs/security.md
 * explains each field.
 */
function securityHeaders(html: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    `script-src ${hashes(html, 'script')}`,
    `style-src ${hashes(html, 'style')}`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // The page never turns text into markup or code.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', '),
    'Referrer-Policy': 'no-referrer',
    'Strict-Transport-Security': 'max-age=63072000',
    'X-Frame-Options': 'DENY',
  };
}

const UNUSED_FEATURES =
  `accelerometer camera display-capture fullscreen geolocation gyroscope magnetometer microphone midi
  payment publickey-credentials-get screen-wake-lock usb xr-spatial-tracking`.split(/\s+/);

function hashes(html: string, element: string): string {
  const texts = html.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'));
  return Array.from(texts, ([, text]) => `'sha256-${hash('sha256', text as string, 'base64')}'`).join(' ');
}
