import type { Parsed, Request } from './message.js';
import { type ProblemCode, problemResponse } from './problem.js';

/** Takes an item's version, or the tag of a list. Undefined if the precondition holds. */
export type Precondition = (version: number | string) => PreconditionFailure | undefined;

/** The header field that failed (RFC 9110, section 13.1), and whether the reason is a tag that was changed on the way. */
export type PreconditionFailure = 'if-match-failed' | 'if-match-altered' | 'if-none-match-failed';

/** GET answers `If-None-Match` with 304. */
export function preconditionProblems(method: string): readonly ProblemCode[] {
  const common = ['malformed-condition', 'if-match-failed', 'if-match-altered'] as const;
  return method === 'GET' ? common : [...common, 'if-none-match-failed'];
}

/**
 * RFC 9110, section 13.1. `If-Match` is compared strongly, so a weak tag matches nothing; `If-None-Match` weakly.
 *
 * @returns The precondition, which names the first field that fails (section 13.2.2), or undefined if there is none; a
 * 400 if a field is neither `*` nor a list of entity tags.
 */
export function parsePrecondition(request: Request): Parsed<{ precondition?: Precondition }> {
  const match = request.header('if-match');
  const noneMatch = request.header('if-none-match');
  if (match === undefined && noneMatch === undefined) return { value: {} };
  const matching = match === undefined ? '*' : parseTags(match);
  const excluded = noneMatch === undefined ? [] : parseTags(noneMatch);
  if (matching === undefined) return malformed(request, 'If-Match', match as string);
  if (excluded === undefined) return malformed(request, 'If-None-Match', noneMatch as string);

  const precondition: Precondition = (version) => {
    const tag = entityTag(version);
    if (matching !== '*' && !matching.includes(tag))
      return matching.every((sent) => OUR_TAGS.test(sent)) ? 'if-match-failed' : 'if-match-altered';
    const isExcluded = excluded === '*' || excluded.includes(tag) || excluded.includes(`W/${tag}`);
    return isExcluded ? 'if-none-match-failed' : undefined;
  };
  return { value: { precondition } };
}

/** What a tag of this service looks like. Proxies that compress put `W/` in front of it, or `-gzip` at its end. */
const OUR_TAGS = /^"\w+"$/;

/**
 * A strong tag (RFC 9110, section 8.8.3), because within a release a version never changes and no key is given twice.
 */
export function entityTag(version: number | string): string {
  return `"${version}"`;
}

/**
 * RFC 9110, sections 5.6.1 and 8.8.3.
 *
 * @returns The tags with their quotes, and `W/` if weak; `*` for any; undefined if malformed.
 */
export function parseTags(list: string): readonly string[] | '*' | undefined {
  if (list.trim() === '*') return '*';
  const tags: string[] = [];
  const next = /[ \t,]*(?:((?:W\/)?"[!#-~\x80-\uffff]*")[ \t]*(?=,|$)|$)/y;
  while (next.lastIndex < list.length) {
    const found = next.exec(list);
    if (!found) return undefined;
    if (found[1]) tags.push(found[1]);
  }
  return tags;
}

function malformed(request: Request, field: string, value: string): Parsed<never> {
  const [tag = '1'] = /^[\w.-]{1,40}$/.exec(value) ?? [];
  const reason = `${field} is malformed: entity tags must be in quotes, as in "${tag}".`;
  return { rejected: problemResponse(request, 'malformed-condition', { reason }) };
}
