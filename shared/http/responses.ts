import type { ListPage, StoredItem } from '../store/store.js';
import { entityTag } from './conditions.js';
import { API_HEADERS, type Headers, type Request, type Response } from './message.js';
import { chooseType } from './negotiate.js';
import { type QuerySchema, type QueryValues, writeQuery } from './query.js';

export const MEDIA_TYPES = ['text/plain', 'application/json', 'text/json'] as const;

export function found(request: Request, { key, version, json }: StoredItem): Response<200> {
  return { status: 200, headers: { ...contentHeaders(typeFor(request)), ETag: entityTag(version) }, body: json, key };
}

/** @param path - The path of the list. */
export function created(request: Request, path: string, { key, version, json }: StoredItem): Response<201> {
  const Location = `${request.prefix}${path}/${key}`;
  const headers = { ...contentHeaders(typeFor(request)), ETag: entityTag(version), Location };
  return { status: 201, headers, body: json, key };
}

/**
 * Responds with a page of a list, and a link to the next page (RFC 8288). Only private caches may keep the page, and must
 * ask each time whether it has changed.
 *
 * @param query - The parsed parameters. The link repeats those that the caller sent, except the cursor.
 */
export function listed(
  request: Request,
  path: string,
  { json, next, version }: ListPage,
  query: QueryValues<QuerySchema>,
): Response<200> {
  const type = typeFor(request);
  // The same URL returns a page in several media types.
  const ETag = entityTag(`${version}/${type}`);
  const headers = { ...contentHeaders(type), 'Cache-Control': 'private, no-cache', ETag };
  if (next === undefined) return { status: 200, headers, body: json };
  const sent = Object.entries(query).filter(([name]) => request.query(name) !== undefined);
  const url = `${request.prefix}${path}?${writeQuery({ ...Object.fromEntries(sent), after: next })}`;
  return { status: 200, headers: { ...headers, Link: `<${url}>; rel="next"` }, body: json };
}

/** Responds to PUT or DELETE. There is no `ETag`, because the stored item may differ from what was sent (RFC 9110, section 9.3.4). */
export function noContent({ key }: StoredItem): Response<204> {
  return { status: 204, headers: API_HEADERS, key };
}

/** Responds to PATCH, with the new entity tag (RFC 5789, section 2.1). */
export function patched({ key, version }: StoredItem): Response<204> {
  return { status: 204, headers: { ETag: entityTag(version), ...API_HEADERS }, key };
}

function contentHeaders(type: string): Headers {
  return { 'Content-Type': `${type}; charset=utf-8`, Vary: 'Accept', ...API_HEADERS };
}

function typeFor(request: Request): string {
  return chooseType(request.header('accept') ?? '*/*', MEDIA_TYPES, 'application/json');
}
