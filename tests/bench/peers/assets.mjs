import { readFileSync } from 'node:fs';

const assets = {};

/**
 * Reads a whole response that the service's build has written, when it is first asked for: `document`, `page.gzip` or
 * `page.identity`. So all implementations serve the same bytes.
 */
export function asset(name) {
  assets[name] ??= JSON.parse(readFileSync(`${ASSETS}/${name}.json`, 'utf8'));
  return assets[name];
}
