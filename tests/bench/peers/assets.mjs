import { readFileSync } from 'node:fs';

const assets = {};

/**
 * Gives a whole response that the service's build has written, so that all implementations serve the same bytes. It is
 * read when it is first asked for.
 *
 * @param {'document' | 'page.gzip' | 'page.identity'} name
 * @returns {{ headers: Record<string, string>, body: string, isBase64Encoded?: true }}
 */
export function asset(name) {
  assets[name] ??= JSON.parse(readFileSync(`${ASSETS}/${name}.json`, 'utf8'));
  return assets[name];
}

/** Gives the page with its body as bytes, for frameworks that encode it themselves. */
export function page() {
  const { headers, body } = asset('page.gzip');
  bytes ??= Buffer.from(body, 'base64');
  return { headers, bytes };
}

let bytes;
