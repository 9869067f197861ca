import { type JsonObject, membersIn } from '../schema/parse.js';
import type { ObjectSchema } from '../schema/schema.js';
import type { CapacityExceeded, ListPage } from '../store/store.js';
import type { StoredItem } from '../store/stored-item.js';
import { API_HEADERS, type Headers, type Request, type Response } from './message.js';
import { chooseType } from './negotiate.js';
import { entityTag, type Precondition, type PreconditionFailure } from './precondition.js';
import { type ProblemCode, type ProblemOf, problemResponse } from './problem.js';
import { type QuerySchema, type QueryValues, writeQuery } from './query.js';

/** What an operation answers where it declares the status. */
export const OUTCOME_PROBLEMS: readonly ProblemCode[] = ['not-found', 'item-too-large', 'full'];

export const MEDIA_TYPES = ['text/plain', 'application/json', 'text/json'] as const;

/**
 * @param stored - Undefined if there is no such item.
 */
export function found(
  request: Request,
  stored: Representation | undefined,
  precondition: Precondition | undefined,
): Response<200 | 304 | 404 | 412> {
  if (!stored) return problemResponse(request, 'not-found');
  const { key, version } = stored;
  const ETag = entityTag(version);
  const failure = precondition?.(version);
  if (failure === 'if-none-match-failed')
    return { status: 304, headers: { ETag, Vary: 'Accept', ...API_HEADERS }, key };
  if (failure) return { ...problemResponse(request, failure), key };
  return { status: 200, headers: { ...contentHeaders(request), ETag }, body: stored.json, key };
}

/**
 * @param collection - The path of the list, without a prefix.
 * @returns A 201 in the media type of `Accept`, or the problem.
 */
export function created(
  request: Request,
  collection: string,
  outcome: Representation | CapacityExceeded | 'idempotency-key-reused',
): Response<201 | 413 | 422 | 507> {
  if (typeof outcome === 'string') return problemResponse(request, outcome);
  const { key, version, json } = outcome;
  const Location = `${request.prefix}${collection}/${key}`;
  const headers = { ...contentHeaders(request), ETag: entityTag(version), Location };
  return { status: 201, headers, body: json, key };
}

/**
 * Answers with a page of a list, and a link to the next one (RFC 8288). Only a private cache may keep it, and asks each
 * time whether it has changed.
 *
 * @param collection - The path of the list, without a prefix.
 * @param query - The link repeats the parameters that the caller sent, except the cursor.
 * @returns A 200, a 304 if the caller has this page already, or a 412.
 */
export function listed(
  request: Request,
  collection: string,
  page: ListPage,
  { after, ...query }: QueryValues<QuerySchema>,
  precondition: Precondition | undefined,
): Response<200 | 304 | 412> {
  const { json, next } = page;
  const sent = Object.entries(query).filter(([name]) => request.query(name) !== undefined);
  const search = sent.length === 0 ? '' : `${writeQuery(Object.fromEntries(sent))}&`;
  const Link = next === undefined ? '' : `<${request.prefix}${collection}?${search}after=${next}>; rel="next"`;
  const content = contentHeaders(request);
  const tag = page.tag(`${content['Content-Type']}?${search}${after ?? ''}`);
  const cached = { ...API_HEADERS, Vary: 'Accept', 'Cache-Control': 'private, no-cache', ETag: entityTag(tag) };
  const failure = precondition?.(tag);
  if (failure === 'if-none-match-failed') return { status: 304, headers: cached };
  if (failure) return problemResponse(request, failure);
  return { status: 200, headers: { ...content, ...cached, ...(Link && { Link }) }, body: json };
}

/**
 * Answers PUT or DELETE. Without an `ETag`, because the stored item may differ from what was sent (RFC 9110, section
 * 9.3.4).
 *
 * @param outcome - Undefined if there is no such item.
 */
export function noContent<Outcome extends Representation | PreconditionFailure | CapacityExceeded | undefined>(
  request: Request,
  outcome: Outcome,
): Response<204> | ProblemOf<Extract<Outcome, string> | 'not-found'> {
  if (typeof outcome === 'object') return { status: 204, headers: API_HEADERS, key: outcome.key };
  return problemResponse(request, (outcome as Extract<Outcome, string> | undefined) ?? 'not-found');
}

/** Rejects a PUT unless its body has the key of its path, in either letter case (RFC 9562, section 4). */
export function rejectOtherKey(request: Request, sent: JsonObject, key: string): Response<400> | undefined {
  const { key: sentKey } = membersIn(sent, ['key']);
  if (sentKey === key || (typeof sentKey === 'string' && sentKey.toLowerCase() === key.toLowerCase())) return undefined;
  const errors = [{ pointer: '#/key', detail: 'Must be the key in the path, as a string.' }];
  return problemResponse(request, 'invalid-members', { errors });
}

/** Answers PATCH, with the new entity tag (RFC 5789, section 2.1). */
export function patched(
  request: Request,
  outcome: Representation | PreconditionFailure | CapacityExceeded | undefined,
): Response<204 | 404 | 412 | 413 | 507> {
  if (typeof outcome !== 'object') return noContent(request, outcome);
  return { status: 204, headers: { ETag: entityTag(outcome.version), ...API_HEADERS }, key: outcome.key };
}

type Representation = Pick<StoredItem<ObjectSchema>, 'key' | 'version' | 'json'>;

function contentHeaders(request: Request): Headers {
  const type = chooseType(request.header('accept') ?? '*/*', MEDIA_TYPES, 'application/json');
  return { 'Content-Type': `${type}; charset=utf-8`, Vary: 'Accept', ...API_HEADERS };
}
