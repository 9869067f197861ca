import { STATUS_CODES } from 'node:http';
import { LARGEST_BODY } from '../http/body.js';
import type { Answer, AnyRoute } from '../routing/route.js';

/**
 * Lists what an operation can answer by status, in numerical order, as JavaScript keeps such keys: what it declares,
 * and what its kind brings along.
 */
export function answersOf(route: AnyRoute): Readonly<Record<string, Answer>> {
  const ofKind = [
    ...(route.query ? [400] : []),
    ...(isWrite(route) ? [403] : []),
    ...(route.conditional ? [400, 412] : []),
    ...(route.body ? [400, 413, 415] : []),
    ...[500, 503],
  ];
  return { ...Object.fromEntries(ofKind.map((status) => [status, {}])), ...route.answers };
}

/**
 * Says in a sentence or two what a status means for every operation of a kind; of a success only its name, as the
 * contract has it.
 */
export function meaningOf(route: AnyRoute, status: string): string {
  return MEANINGS[status]?.(route) ?? (STATUS_CODES[status] as string);
}

function isWrite({ method }: AnyRoute): boolean {
  return method !== 'GET';
}

const MEANINGS: Readonly<Record<string, (route: AnyRoute) => string>> = {
  304: () => 'The item has a version that If-None-Match names.',
  400: ({ query, body, conditional }) => {
    const reasons = [
      ...(query ? ['a query parameter is not valid'] : []),
      ...(body ? ['the body is missing or is not valid'] : []),
      ...(conditional ? ['If-Match or If-None-Match is neither * nor a list of quoted entity tags'] : []),
    ].join(', or ');
    return `${reasons.charAt(0).toUpperCase()}${reasons.slice(1)}.`;
  },
  403: () => 'The request comes from a page of another origin, which may not write unless CORS_ORIGINS names it.',
  404: () => 'No item has this key.',
  412: (route) => {
    const excluded = isWrite(route) ? ', or has one that If-None-Match names' : '';
    return `The item does not have a version that If-Match names${excluded}.`;
  },
  413: () =>
    `The body is larger than ${LARGEST_BODY / 2 ** 20} MiB, or the item is too large for a row of the table (400 KB).`,
  415: () => 'The body is not sent as JSON: application/json, text/json, or a type that ends in +json.',
  500: () => 'The service has failed. Its log has the reason, under the requestId.',
  503: (route) => {
    const doubt = isWrite(route) ? ' The change may have been made: look before you send it again.' : '';
    return `The items cannot be reached just now; Retry-After says when to try again.${doubt}`;
  },
  507: () => 'The list has no room left for the item: delete others first, or send a smaller one.',
};
