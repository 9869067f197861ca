import { decodeSegment } from '../http/percent-encoding.js';
import { type GatewayEvent, isObject } from './event.js';

/**
 * Finds where the route begins in an event's path, behind a stage or a base path.
 *
 * | template            | path               | proxy parameter | the route begins at                                                         |
 * | ------------------- | ------------------ | --------------- | --------------------------------------------------------------------------- |
 * | `/{proxy+}`         | `/live/items/7/`   | `items/7`       | `/items/7/`, with the slash that the parameter lacks                        |
 * | `/{proxy+}`         | `/live/a%20b`      | `a b`           | `/a%20b`: emulators and older recordings decode the parameter               |
 * | `/swagger/{proxy+}` | `/live/swagger/ui` | `ui`            | `/swagger/ui`: `/swagger/items` must not reach `/items` past its authorizer |
 * | `/swagger/{proxy+}` | `/swagger/ui`      | missing         | `/swagger/ui`: no part of the template is taken for a prefix                |
 *
 * @returns The index of the slash that the route begins with; undefined if the proxy parameter doesn't show it.
 */
export function routeStart(event: GatewayEvent, template: string, path: string): number | undefined {
  const fixedSegments = template.split('/').length - 2;
  let start = proxyStart(event, path);
  if (start === undefined) return fixedSegments > 0 && template.endsWith('{proxy+}') ? 0 : undefined;
  for (let left = fixedSegments; start > 0 && left > 0; left -= 1)
    start = Math.max(0, path.lastIndexOf('/', start - 1));
  return start;
}

function proxyStart({ pathParameters }: GatewayEvent, path: string): number | undefined {
  const proxy = isObject(pathParameters) ? pathParameters.proxy : undefined;
  if (typeof proxy !== 'string') return undefined;
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  const start = end - proxy.length - 1;
  if (path[start] === '/' && path.endsWith(proxy, end)) return start;
  return path.includes('%') ? decodedStart(proxy, path.slice(0, end)) : undefined;
}

/** Compares segments from the right, because a base path may begin like the route. */
function decodedStart(proxy: string, path: string): number | undefined {
  let start = path.length;
  let left = proxy.length;
  for (const segment of path.split('/').slice(1).reverse()) {
    const decoded = decodeSegment(segment);
    if (!proxy.endsWith(decoded, left)) return undefined;
    start -= segment.length + 1;
    left -= decoded.length + 1;
    if (left < 0) return start;
    if (proxy[left] !== '/') return undefined;
  }
  return undefined;
}

/**
 * Makes a prefix safe for `Location`, where `//` would lead to another host.
 *
 * @param prefix - The caller's path up to the route.
 * @returns The prefix without slashes at its end; or an empty one if it begins with two slashes, contains characters
 * that a path can't (RFC 3986, section 3.3), or is too long.
 */
export function safePrefix(prefix: string): string {
  if (prefix === '' || prefix.length > MAX_PREFIX) return '';
  const trimmed = prefix.endsWith('/') ? prefix.replace(/\/+$/, '') : prefix;
  return /^\/[\w.~!$&'()*+,;=:@%-][\w.~!$&'()*+,;=:@%/-]*$/.test(trimmed) ? trimmed : '';
}

/** A base path has at most 300 characters, a stage 128. */
const MAX_PREFIX = 512;
