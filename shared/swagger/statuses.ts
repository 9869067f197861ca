import { STATUS_CODES } from 'node:http';
import type { Answer, AnyRoute } from '../routing/route.js';

/**
 * Lists the statuses that an operation can answer: those it declares, and those that its kind brings along.
 *
 * @param route - The declaration.
 * @returns What is answered by status, in numerical order.
 */
export function answersOf(route: AnyRoute): readonly [status: number, answer: Answer][] {
  const ofKind = [
    ...(route.query ? [400] : []),
    ...(route.method === 'GET' ? [] : [403]),
    ...(route.conditional ? [400, 412] : []),
    ...(route.body ? [400, 413, 415] : []),
    ...[500, 503],
  ];
  const answers = new Map<number, Answer>(ofKind.map((status) => [status, {}]));
  for (const [status, answer] of Object.entries(route.answers)) answers.set(Number(status), answer);
  return [...answers].sort(([one], [other]) => one - other);
}

/**
 * Describes what a status means where the comment on the operation does not.
 *
 * @param route - The operation.
 * @param status - The status.
 * @returns One sentence; the name of the status for a success and for a fault of the service.
 */
export function wordsFor(route: AnyRoute, status: number): string {
  return WORDS[status]?.(route) ?? (STATUS_CODES[status] as string);
}

const WORDS: Readonly<Record<number, (route: AnyRoute) => string>> = {
  304: () => 'The item still has a version that If-None-Match names.',
  400: ({ query, body, conditional }) => {
    const reasons = [
      ...(query ? ['a query parameter is not valid'] : []),
      ...(body ? ['the body is missing or is not a valid item'] : []),
      ...(conditional ? ['If-Match or If-None-Match is neither * nor a list of entity tags'] : []),
    ].join(', or ');
    return `${reasons.charAt(0).toUpperCase()}${reasons.slice(1)}.`;
  },
  403: () => 'A page of another origin sent the request.',
  404: () => 'No item has this key.',
  412: () => 'The item has a version that If-Match or If-None-Match does not admit.',
  413: () => 'The body is larger than 1 MiB, or the item is larger than one may be.',
  415: () => 'The body is not JSON.',
  503: () => 'The collection cannot be reached just now. A write may have been done or not.',
  507: () => 'The list has no room left for the item.',
};
