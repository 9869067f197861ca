import { negotiate } from '../http/negotiate.js';
import { type MemberError, problem } from '../http/problem.js';
import type { Request } from '../http/request.js';
import { API_HEADERS, NO_CONTENT, type Response } from '../http/response.js';
import { entityTag, type StoredItem } from './item.js';
import type { Misfit } from './store.js';

/** The media types that items are offered in; the second one is taken unless another is wanted more. */
export const MEDIA_TYPES = ['text/plain', 'application/json', 'text/json'] as const;

/**
 * Answers with an item, in the media type that the request wants.
 *
 * @param request - Its `Accept` header chooses the type.
 * @param item - The item.
 * @returns A 200 with the item's entity tag.
 */
export function found(request: Request, item: StoredItem): Response<200> {
  return { status: 200, headers: itemHeaders(request, item), body: item.json };
}

/**
 * Answers with a new item, in the media type that the request wants.
 *
 * @param request - Its `Accept` header chooses the type.
 * @param item - The item.
 * @returns A 201 with the item's entity tag and where it is found.
 */
export function created(request: Request, item: StoredItem): Response<201> {
  const headers = itemHeaders(request, item);
  headers.Location = `${request.prefix}/api/todo/${item.key}`;
  return { status: 201, headers, body: item.json };
}

/**
 * Answers that the caller has the item already.
 *
 * @param item - The item, as it still is.
 * @returns A 304 without content.
 */
export function notModified(item: StoredItem): Response<304> {
  return { status: 304, headers: { ETag: entityTag(item), Vary: 'Accept', ...API_HEADERS } };
}

/**
 * Answers that there is no such item.
 *
 * @param request - The request.
 * @returns A 404.
 */
export function absent(request: Request): Response<404> {
  return problem(request, 404, 'No to-do item has this key. Listing the items shows the keys there are.');
}

/**
 * Answers that the item is not as the request's `If-Match` or `If-None-Match` demands.
 *
 * @param request - The request.
 * @returns A 412.
 */
export function stale(request: Request): Response<412> {
  return problem(
    request,
    412,
    'The item is not at a version that If-Match or If-None-Match admits. Get it and try again.',
  );
}

/**
 * Answers that members of the body are wrong.
 *
 * @param request - The request.
 * @param errors - What is wrong, one entry a member.
 * @returns A 400 that lists them.
 */
export function invalid(request: Request, errors: readonly MemberError[]): Response<400> {
  return problem(request, 400, 'The body is no valid to-do item: "errors" says why, member by member.', { errors });
}

/**
 * Answers that an item can't be kept.
 *
 * @param request - The request.
 * @param why - Whether the item is too large by itself, or the others leave it no room.
 * @returns A 413 or a 507.
 */
export function misfit(request: Request, why: Misfit): Response<413 | 507> {
  if (why === 'too large') return problem(request, 413, 'The item is larger than one may be. Shorten its name.');
  return problem(
    request,
    507,
    'The list has no room left for the item. Shorten its name, or delete other items first.',
  );
}

/**
 * Answers that the key in a body is not the one in the path.
 *
 * @param request - The request.
 * @returns A 400.
 */
export function keyDiffers(request: Request): Response<400> {
  const errors = [{ pointer: '#/key', detail: 'Must be the key in the path, as a string.' }];
  return problem(request, 400, 'The key in the body is missing or not the one in the path.', { errors });
}

/**
 * Answers a request that changes an item.
 *
 * @param request - The request.
 * @param outcome - What the store made of it.
 * @returns A 204, or the problem that kept the item as it was.
 */
export function updated(
  request: Request,
  outcome: StoredItem | Misfit | 'stale' | undefined,
): Response<204 | 404 | 412 | 413 | 507> {
  return outcome === 'too large' || outcome === 'no room' ? misfit(request, outcome) : removed(request, outcome);
}

/**
 * Answers a request that deletes an item.
 *
 * @param request - The request.
 * @param outcome - What the store made of it.
 * @returns A 204, or the problem that kept the item in place.
 */
export function removed(request: Request, outcome: StoredItem | 'stale' | undefined): Response<204 | 404 | 412> {
  if (outcome === undefined) return absent(request);
  return outcome === 'stale' ? stale(request) : NO_CONTENT;
}

/**
 * Gives the header fields of a response with items.
 *
 * @param request - Its `Accept` header chooses the media type.
 * @returns The fields, the same object for the same type.
 */
export function contentHeaders(request: Request): ContentHeaders {
  return CONTENT_HEADERS[negotiate(request.headers.accept, MEDIA_TYPES, 'application/json')];
}

type ContentHeaders = ReturnType<typeof headersOf>;

/** Taken over one by one, for copying them all at once takes longer than finding the item. */
function itemHeaders(request: Request, item: StoredItem): Record<string, string> {
  const headers = contentHeaders(request);
  return {
    'Content-Type': headers['Content-Type'],
    Vary: headers.Vary,
    'Cache-Control': headers['Cache-Control'],
    'X-Content-Type-Options': headers['X-Content-Type-Options'],
    ETag: entityTag(item),
  };
}

const CONTENT_HEADERS = {
  'text/plain': headersOf('text/plain'),
  'application/json': headersOf('application/json'),
  'text/json': headersOf('text/json'),
};

function headersOf(type: string) {
  return Object.freeze({ 'Content-Type': `${type}; charset=utf-8`, Vary: 'Accept', ...API_HEADERS });
}
