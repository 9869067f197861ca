import { problem } from './problem.js';
import type { Request } from './request.js';
import type { Read } from './response.js';

/**
 * Names the header field that forbids a version of an item, the first in the order of RFC 9110, section 13.2.2; undefined
 * where none does.
 */
export type Precondition = (version: number) => 'If-Match' | 'If-None-Match' | undefined;

/**
 * Reads what a request demands of the item that it is about (RFC 9110, section 13.1).
 *
 * @param request - `If-Match` compares strongly, so that a weak tag there matches nothing; `If-None-Match` weakly.
 * @returns The precondition, undefined where the request has none; a refusal where a field is neither `*` nor a list of
 * entity tags.
 */
export function readPrecondition(request: Request): Read<Precondition | undefined> {
  const match = request.header('if-match');
  const noneMatch = request.header('if-none-match');
  if (match === undefined && noneMatch === undefined) return UNCONDITIONAL;
  const matching = match === undefined ? '*' : readTags(match);
  const excluded = noneMatch === undefined ? [] : readTags(noneMatch);
  if (matching === undefined) return refuse(request, 'If-Match', match as string);
  if (excluded === undefined) return refuse(request, 'If-None-Match', noneMatch as string);

  const value = (version: number) => {
    const tag = entityTag(version);
    if (matching !== '*' && !matching.includes(tag)) return 'If-Match';
    return excluded === '*' || excluded.some((weak) => weak.replace(/^W\//, '') === tag) ? 'If-None-Match' : undefined;
  };
  return { value };
}

/** What a request demands that has no conditional header field. */
export const UNCONDITIONAL: Read<undefined> = Object.freeze({ value: undefined });

/**
 * Gives the entity tag of a version, in quotes (RFC 9110, section 8.8.3). It is strong: a version is never changed, and
 * no key is given twice.
 */
export function entityTag(version: number): string {
  return `"${version}"`;
}

/**
 * Reads the entity tags of `If-Match` or `If-None-Match` (RFC 9110, sections 5.6.1 and 8.8.3).
 *
 * @param list - The header field's value.
 * @returns The tags with their quotes, weak ones with `W/` in front; `*` for any; undefined where the value is neither.
 */
export function readTags(list: string): readonly string[] | '*' | undefined {
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

function refuse(request: Request, field: string, value: string): Read<never> {
  const [tag = '1'] = /^[\w.-]{1,40}$/.exec(value) ?? [];
  const detail = `${field} is malformed: entity tags are quoted: "${tag}". Separate several by commas, or send * for any.`;
  return { refusal: problem(request, 400, detail) };
}
