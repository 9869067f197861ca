import type { MemberError } from '../schema/check.js';
import type { ListPage, Misfit } from '../store/store.js';
import { createNegotiator } from './negotiate.js';
import { entityTag, type Precondition } from './precondition.js';
import { problem } from './problem.js';
import type { Request } from './request.js';
import { API_HEADERS, type Headers, NO_CONTENT, type Response } from './response.js';

/** A version of an item, as answers need to know it. */
interface Representation {
  readonly key: string;
  readonly version: number;
  readonly json: string;
}

/** The media types that items are offered in. */
export const MEDIA_TYPES = ['text/plain', 'application/json', 'text/json'] as const;

/**
 * Answers a request for an item, in the media type that the request wants.
 *
 * @param request - Its `Accept` chooses the type.
 * @param item - The item, undefined where there is none.
 * @param precondition - What the request's conditional header fields ask for.
 * @returns A 200 with the item's entity tag, a 304 where the caller has the item already, or a 404 or 412.
 */
export function found(
  request: Request,
  item: Representation | undefined,
  precondition: Precondition | undefined,
): Response<200 | 304 | 404 | 412> {
  if (!item) return absent(request);
  const ETag = entityTag(item.version);
  const failing = precondition?.failing(item.version);
  if (failing === 'If-Match') return preconditionFailed(request);
  if (failing) return { status: 304, headers: { ETag, Vary: 'Accept', ...API_HEADERS } };
  return { status: 200, headers: { ...contentHeaders(request), ETag }, body: item.json };
}

/**
 * Answers with a new item, in the media type that the request wants.
 *
 * @param request - Its `Accept` chooses the type.
 * @param collection - The path of the list, without a prefix.
 * @param item - The item; or why it can't be kept.
 * @returns A 201 with the item's entity tag and its URL; or a 413 or 507.
 */
export function created(
  request: Request,
  collection: string,
  item: Representation | Misfit,
): Response<201 | 413 | 507> {
  if (typeof item === 'string') return misfit(request, item);
  const { key, version, json } = item;
  const Location = `${request.prefix}${collection}/${key}`;
  return { status: 201, headers: { ...contentHeaders(request), ETag: entityTag(version), Location }, body: json };
}

/**
 * Answers with a page of a list, and a link to the next one (RFC 8288).
 *
 * @param request - Its `Accept` chooses the type.
 * @param collection - The path of the list, without a prefix.
 * @param page - The page.
 * @param limit - The most items that the caller wanted on it, undefined for as many as fit.
 * @returns A 200.
 */
export function listed(request: Request, collection: string, { json, next }: ListPage, limit?: number): Response<200> {
  const headers = contentHeaders(request);
  if (next === undefined) return { status: 200, headers, body: json };
  const query = `${limit === undefined ? '' : `limit=${limit}&`}after=${next}`;
  const Link = `<${request.prefix}${collection}?${query}>; rel="next"`;
  return { status: 200, headers: { ...headers, Link }, body: json };
}

/**
 * Answers a request that replaces an item. There is no `ETag`: the caller may be left with other members than it sent
 * (RFC 9110, section 9.3.4).
 *
 * @param request - The request.
 * @param outcome - What the store made of it.
 * @returns A 204, or the problem that kept the item as it was.
 */
export function replaced(request: Request, outcome: Outcome<Misfit>): Response<204 | 404 | 412 | 413 | 507> {
  return outcome === 'too large' || outcome === 'no room' ? misfit(request, outcome) : removed(request, outcome);
}

/**
 * Answers a request that patches an item.
 *
 * @param request - The request.
 * @param outcome - What the store made of it.
 * @returns A 204 with the new entity tag (RFC 5789, section 2.1), or the problem that kept the item as it was.
 */
export function patched(request: Request, outcome: Outcome<Misfit>): Response<204 | 404 | 412 | 413 | 507> {
  if (typeof outcome !== 'object') return replaced(request, outcome);
  return { status: 204, headers: { ETag: entityTag(outcome.version), ...API_HEADERS } };
}

/**
 * Answers a request that deletes an item.
 *
 * @param request - The request.
 * @param outcome - What the store made of it.
 * @returns A 204, or the problem that kept the item in place.
 */
export function removed(request: Request, outcome: Outcome): Response<204 | 404 | 412> {
  if (outcome === undefined) return absent(request);
  return outcome === 'precondition failed' ? preconditionFailed(request) : NO_CONTENT;
}

/** The outcome of a write: the item, or why nothing was written; undefined where there is no such item. */
type Outcome<Why = never> = Representation | Why | 'precondition failed' | undefined;

/**
 * Answers that there is no such item.
 *
 * @param request - The request.
 * @returns A 404.
 */
function absent(request: Request): Response<404> {
  return problem(request, 404, 'No item has this key. Listing the items shows the keys there are.');
}

/**
 * Answers that the item has another version than the request's `If-Match` or `If-None-Match` asks for.
 *
 * @param request - The request.
 * @returns A 412.
 */
function preconditionFailed(request: Request): Response<412> {
  return problem(
    request,
    412,
    'The item has changed since you fetched it. Get it, and send the request with its new ETag.',
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
  return problem(request, 400, 'The body is not a valid item; see errors.', { errors });
}

/**
 * Answers that the key in a body is not the one in the path.
 *
 * @param request - The request.
 * @returns A 400.
 */
export function keyDiffers(request: Request): Response<400> {
  const errors = [{ pointer: '#/key', detail: 'Must be the key in the path, as a string.' }];
  return problem(request, 400, 'The key in the body is missing or is not the one in the path.', { errors });
}

/**
 * Answers that the items can't be reached.
 *
 * @param request - The request.
 * @param retryAfter - The seconds after which another attempt makes sense.
 * @returns A 503.
 */
export function unavailable(request: Request, retryAfter: number): Response<503> {
  const detail = 'The collection cannot be reached just now. Try again, but look first whether a change was made.';
  return problem(request, 503, detail, { headers: { 'Retry-After': String(retryAfter) } });
}

function misfit(request: Request, why: Misfit): Response<413 | 507> {
  if (why === 'too large') return problem(request, 413, 'The item is larger than one may be. Send a smaller one.');
  return problem(request, 507, 'The list has no room left for the item. Send a smaller one, or delete others first.');
}

/** The header fields of a response with items, the same object for the same media type. */
function contentHeaders(request: Request): Headers {
  return negotiate(request.header('accept'));
}

const [PLAIN, JSON_TYPE, TEXT_JSON] = MEDIA_TYPES;

const negotiate = createNegotiator<(typeof MEDIA_TYPES)[number], Headers>(
  { [PLAIN]: headersOf(PLAIN), [JSON_TYPE]: headersOf(JSON_TYPE), [TEXT_JSON]: headersOf(TEXT_JSON) },
  JSON_TYPE,
);

function headersOf(type: string): Headers {
  return Object.freeze({ 'Content-Type': `${type}; charset=utf-8`, Vary: 'Accept', ...API_HEADERS });
}
