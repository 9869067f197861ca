import { type GatewayEvent, isObject } from './event.js';

/**
 * Finds where the route begins in an event's path: behind a stage or a custom domain's base path, which the proxy
 * parameter never has. The proxy parameter alone would not do: it lacks a slash at the end, and some decode it.
 *
 * @param event - The event, for its proxy parameter.
 * @param path - The event's path.
 * @returns The index of the slash that the route begins with; undefined when the proxy parameter doesn't tell.
 */
export function routeStart({ pathParameters }: GatewayEvent, path: string): number | undefined {
  const proxy = isObject(pathParameters) ? pathParameters.proxy : undefined;
  if (typeof proxy !== 'string') return undefined;
  // Nothing has room in front: so it is mostly, and comparing the two takes as long as reading the rest of an event.
  if (proxy.length === path.length - 1) return 0;
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  const start = end - proxy.length - 1;
  return path[start] === '/' && path.endsWith(proxy, end) ? start : undefined;
}

/**
 * Makes a prefix fit to stand in front of a path in a `Location`: a reader must not take it for another host.
 *
 * @param prefix - What the caller's URL has in front of the route.
 * @returns The prefix without slashes at its end, or an empty one where it begins with more than one slash or holds
 * characters that no path has (RFC 3986, section 3.3).
 */
export function safePrefix(prefix: string): string {
  // Without the look back, each slash of a run inside the prefix would be tried as the run's first.
  const trimmed = prefix.endsWith('/') ? prefix.replace(/(?<!\/)\/+$/, '') : prefix;
  return /^\/[\w.~!$&'()*+,;=:@%-][\w.~!$&'()*+,;=:@%/-]*$/.test(trimmed) ? trimmed : '';
}
