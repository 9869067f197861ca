// The header fields that make a request depend on earlier ones: If-Match, If-None-Match and Idempotency-Key.
import { Problem } from '../problem.js';
import type { Items, StoredItem } from '../store/store.js';
import type { Request, Response } from './message.js';

/**
 * Compares `If-Match` and `If-None-Match` with an entity tag.
 *
 * @returns The code of the first field that fails (RFC 9110, section 13.2.2); undefined if both hold.
 */
export type Precondition = (tag: string) => 'if-match-failed' | 'if-none-match-failed' | undefined;

/**
 * Parses `If-Match` and `If-None-Match` (RFC 9110, section 13.1). `If-Match` is compared strongly, so a weak tag matches
 * nothing; `If-None-Match` weakly. Without either, the precondition holds for any tag.
 *
 * @throws Problem if a field is neither `*` nor a list of entity tags.
 */
export function parsePrecondition(request: Request): Precondition {
  const matching = tagsIn(request, 'If-Match') ?? '*';
  const excluded = tagsIn(request, 'If-None-Match') ?? [];

  return (tag) => {
    if (matching !== '*' && !matching.includes(tag)) return 'if-match-failed';
    const isExcluded = excluded === '*' || excluded.includes(tag) || excluded.includes(`W/${tag}`);
    return isExcluded ? 'if-none-match-failed' : undefined;
  };
}

/** @returns Items that change only if the precondition holds for their version. Otherwise the change throws a Problem. */
export function conditionalItems(items: Items, precondition: Precondition): Items {
  const check = ({ version }: StoredItem) => {
    const failed = precondition(entityTag(version));
    if (failed) throw new Problem(failed);
  };
  return {
    ...items,
    update: (key, change) =>
      items.update(key, (current) => {
        check(current);
        return change(current);
      }),
    remove: (key, checkMore) =>
      items.remove(key, (current) => {
        check(current);
        checkMore?.(current);
      }),
  };
}

/**
 * Compares the precondition with the `ETag` of GET's response.
 *
 * @returns The response, or 304 if `If-None-Match` fails.
 * @throws Problem if `If-Match` fails.
 */
export function conditionalResponse(response: Response, precondition: Precondition): Response {
  const { headers, key } = response;
  const failed = headers.ETag === undefined ? undefined : precondition(headers.ETag);
  if (failed === undefined) return response;
  if (failed === 'if-match-failed') throw new Problem(failed);
  const { 'Content-Type': _type, 'Content-Encoding': _coding, Link: _link, ...kept } = headers;
  return { status: 304, headers: kept, ...(key !== undefined && { key }) };
}

/** Makes a strong tag (RFC 9110, section 8.8.3): within a release, a version of an item or page never changes. */
export function entityTag(version: number | string): string {
  return `"${version}"`;
}

/**
 * Parses a list of entity tags (RFC 9110, sections 5.6.1 and 8.8.3).
 *
 * @returns The tags with their quotes, and `W/` if weak; `*` for any; undefined if the field was not sent.
 * @throws Problem if the field is malformed.
 */
function tagsIn(request: Request, field: string): readonly string[] | '*' | undefined {
  const value = request.header(field.toLowerCase());
  if (value === undefined) return undefined;
  if (value.trim() === '*') return '*';
  const tags: string[] = [];
  const next = /[ \t,]*(?:((?:W\/)?"[!#-~\x80-\uffff]*")[ \t]*(?=,|$)|$)/y;
  while (next.lastIndex < value.length) {
    const found = next.exec(value);
    if (!found) throw malformed(field, value);
    if (found[1]) tags.push(found[1]);
  }
  return tags;
}

function malformed(field: string, value: string): Problem {
  const [tag = '1'] = /^[\w.-]{1,40}$/.exec(value) ?? [];
  const reason = `${field} is malformed: entity tags must be in quotes, as in "${tag}".`;
  return new Problem('malformed-condition', { reason });
}

/**
 * Parses `Idempotency-Key` (IETF draft "The Idempotency-Key HTTP Header Field"): 1 to 64 visible characters, as a
 * string in quotes (RFC 9651, section 3.3.3) or a token (RFC 9110, section 5.6.2).
 *
 * @returns The key without quotes; undefined if none was sent.
 * @throws Problem if it is malformed.
 */
export function parseIdempotencyKey(request: Request): string | undefined {
  const sent = request.header('idempotency-key');
  if (sent === undefined) return undefined;
  const [, quoted, token] = /^(?:"((?:[!#-[\]-~]|\\["\\])+)"|([!#$%&'*+.^`|~\w-]+))$/.exec(sent) ?? [];
  const idempotencyKey = token ?? quoted?.replace(/\\(.)/g, '$1');
  if (idempotencyKey === undefined || idempotencyKey.length > 64) throw new Problem('malformed-idempotency-key');
  return idempotencyKey;
}
