import { hash } from 'node:crypto';

/**
 * Says in header fields what a browser may do with the page: run its own scripts and styles, admitted by their hashes,
 * call where it came from, and nothing else. docs/security.md says which fields there are and why.
 */
export function securityHeaders(html: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    `script-src ${hashes(html, 'script')}`,
    `style-src ${hashes(html, 'style')}`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // No text becomes markup or code: the page has no use for it.
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
