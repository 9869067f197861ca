import { problem } from './problem.js';
import type { Request } from './request.js';
import type { Response } from './response.js';

/** Which versions of an item a request may find (RFC 9110, section 13.1). */
export interface Precondition {
  /** Says which header field forbids a version, the first in the order of section 13.2.2; undefined where none does. */
  failing(version: number): 'If-Match' | 'If-None-Match' | undefined;
  /** Says whether no header field forbids a version. */
  admits(version: number): boolean;
}

/** What a request asks for, nothing where undefined; or the answer to a request whose field can't be read. */
export type ReadPrecondition =
  | { readonly precondition: Precondition | undefined }
  | { readonly refusal: Response<400> };

/**
 * Reads what a request demands of the item that it is about.
 *
 * @param request - `If-Match` compares strongly, so that a weak tag there matches nothing; `If-None-Match` weakly.
 * @returns The precondition; a refusal where a field is neither `*` nor a list of entity tags.
 */
export function readPrecondition(request: Request): ReadPrecondition {
  const match = request.header('if-match');
  const noneMatch = request.header('if-none-match');
  if (match === undefined && noneMatch === undefined) return UNCONDITIONAL;
  const matching = match === undefined ? ANY : readTags(match);
  const excluded = noneMatch === undefined ? NONE : readTags(noneMatch);
  if (matching === undefined) return refuse(request, 'If-Match', match as string);
  if (excluded === undefined) return refuse(request, 'If-None-Match', noneMatch as string);

  const failing = (version: number) => {
    const tag = entityTag(version);
    if (matching !== '*' && !matching.includes(tag)) return 'If-Match';
    return excluded === '*' || excluded.some((weak) => weak.replace(/^W\//, '') === tag) ? 'If-None-Match' : undefined;
  };
  return { precondition: { failing, admits: (version) => failing(version) === undefined } };
}

const UNCONDITIONAL: ReadPrecondition = Object.freeze({ precondition: undefined });
const ANY = '*';
const NONE: readonly string[] = [];

/**
 * Gives the entity tag of a version (RFC 9110, section 8.8.3). It is strong: a version is never changed, and no key is
 * given twice.
 *
 * @param version - The version.
 * @returns The tag, in quotes.
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

function refuse(request: Request, field: string, value: string): { readonly refusal: Response<400> } {
  const [tag = '1'] = /^[\w.-]{1,40}$/.exec(value.trim()) ?? [];
  const detail = `${field} is malformed: entity tags are quoted: "${tag}". Separate several by commas, or send * for any.`;
  return { refusal: problem(request, 400, detail) };
}
