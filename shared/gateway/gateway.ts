import type { Request } from '../http/request.js';
import type { Response } from '../http/response.js';

/** One kind of front door: reads its events and writes its results. */
export interface Gateway {
  /**
   * Reads an event of this kind.
   *
   * @param event - Whatever the function was invoked with.
   * @returns The request, or undefined when the event is of another kind.
   */
  read(event: unknown): Request | undefined;
  /**
   * Writes a response as a result of this kind.
   *
   * @param response - The response.
   * @returns A result that the gateway accepts.
   */
  write(response: Response): unknown;
}

/** The largest result that Lambda lets out, in bytes of its JSON: one more and the caller gets 502 instead. */
export const LARGEST_RESULT = 6_291_556;

/** The largest body that fits into a result whatever its status line and header fields, in bytes of its JSON. */
export const LARGEST_BODY = LARGEST_RESULT - 1_024;

/**
 * Whether a value is an object, for looking into events, whose members can't be relied on.
 *
 * @param value - Anything.
 * @returns True for objects and arrays.
 */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/**
 * Finds a header field whatever the letter case of its name: clients choose it, and HTTP/2 has it low.
 *
 * @param headers - By name, one value or several each; null where a gateway has none.
 * @param name - In lower case.
 * @returns The value, several joined by commas; undefined when there is none.
 */
export function findHeader(headers: unknown, name: string): string | undefined {
  if (!isObject(headers)) return undefined;
  for (const key in headers) {
    if (key.length !== name.length || key.toLowerCase() !== name) continue;
    const value = headers[key];
    if (typeof value === 'string') return value;
    if (Array.isArray(value)) return value.filter((item) => typeof item === 'string').join(', ');
  }
  return undefined;
}

/**
 * Takes what should be text from an event.
 *
 * @param value - Anything.
 * @returns The value when it is a string, otherwise an empty one.
 */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * Makes a prefix fit to stand in front of a path in a `Location`: a reader must not take it for another host.
 *
 * @param prefix - What the caller's URL has in front of the route.
 * @returns The prefix without slashes at its end, or an empty one where it begins with more than one slash or holds
 * characters that no path has (RFC 3986, section 3.3).
 */
export function safePrefix(prefix: string): string {
  const trimmed = prefix.replace(/\/+$/, '');
  return /^(\/[\w.~!$&'()*+,;=:@%-][\w.~!$&'()*+,;=:@%/-]*)?$/.test(trimmed) ? trimmed : '';
}
