import type { MemberError } from '../schema/check.js';
import type { ListPage, Misfit } from '../store/store.js';
import { chooseType } from './negotiate.js';
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
  if (!item) return refused(request, 'absent');
  const ETag = entityTag(item.version);
  const failing = precondition?.(item.version);
  if (failing === 'If-Match') return refused(request, 'precondition failed');
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
  if (typeof item === 'string') return refused(request, item);
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
 * Answers a request that has replaced or deleted an item, by what became of it: 204, or the problem that kept the item
 * as it was. There is no `ETag`: after replacing, the caller may be left with other members than it sent (RFC 9110,
 * section 9.3.4).
 */
export function done<Result extends Outcome>(request: Request, outcome: Result): Response<204 | StatusOf<Result>> {
  if (typeof outcome === 'object') return NO_CONTENT;
  return refused(request, (outcome ?? 'absent') as RefusalIn<Result>);
}

/**
 * Answers a request that has patched an item, by what became of it: 204 with the new entity tag (RFC 5789, section
 * 2.1), or the problem that kept the item as it was.
 */
export function patched<Result extends Outcome>(request: Request, outcome: Result): Response<204 | StatusOf<Result>> {
  if (typeof outcome !== 'object') return done(request, outcome);
  return { status: 204, headers: { ETag: entityTag(outcome.version), ...API_HEADERS } };
}

/** Why a request is refused, most of them outcomes of a store: the status, and what the caller can do. */
const REFUSALS = {
  invalid: [400, 'The body is not a valid item; see errors.'],
  absent: [404, 'No item has this key. Listing the items shows the keys there are.'],
  'precondition failed': [
    412,
    'The item has changed since you fetched it. Get it, and send the request with its new ETag.',
  ],
  'too large': [413, 'The item is larger than one may be. Send a smaller one.'],
  unavailable: [503, 'The collection cannot be reached just now. Try again, but look first whether a change was made.'],
  'no room': [507, 'The list has no room left for the item. Send a smaller one, or delete others first.'],
} as const;

type Refusal = keyof typeof REFUSALS;

/** What becomes of a request for one item: the item, or why not; undefined where there is no such item. */
type Outcome = Representation | Refusal | undefined;

type RefusalIn<Result> = Result extends Refusal ? Result : Result extends undefined ? 'absent' : never;

type StatusOf<Result> = (typeof REFUSALS)[RefusalIn<Result>][0];

/**
 * Refuses a request with the problem that says why. More there may be: the members of the body at fault, and header
 * fields.
 */
export function refused<Why extends Refusal>(
  request: Request,
  why: Why,
  more?: { readonly errors?: readonly MemberError[]; readonly headers?: Headers },
): Response<StatusOf<Why>> {
  const [status, detail] = REFUSALS[why];
  return problem(request, status, detail, more);
}

/** The header fields of a response with items. They are remembered, because callers send the same few values of `Accept`. */
function contentHeaders(request: Request): Headers {
  const accept = request.header('accept') ?? '*/*';
  const known = remembered.get(accept);
  if (known) return known;
  const type = chooseType(accept, MEDIA_TYPES, 'application/json');
  const headers = Object.freeze({ 'Content-Type': `${type}; charset=utf-8`, Vary: 'Accept', ...API_HEADERS });
  if (remembered.size >= MOST) remembered.clear();
  if (accept.length <= LONGEST) remembered.set(accept, headers);
  return headers;
}

const remembered = new Map<string, Headers>();
const MOST = 100;
const LONGEST = 200;
