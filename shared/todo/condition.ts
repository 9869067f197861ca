import { readTags } from '../http/etag.js';
import type { Request } from '../http/request.js';

/** Which versions of an item a request may find; members that are undefined ask for nothing. */
export interface Condition {
  /** `If-Match`: one of these. */
  readonly among?: readonly number[];
  /** `If-None-Match`: none of these, or no version at all where it is `*`. */
  readonly except?: readonly number[] | '*';
}

/**
 * Reads what a request demands of the item it is about (RFC 9110, sections 13.1.1 and 13.1.2).
 *
 * @param request - `If-Match` compares strongly, so that a weak tag there matches nothing; `If-None-Match` weakly.
 * @returns The condition; a tag that is none of ours matches no version.
 */
export function readCondition(request: Request): Condition {
  const match = request.headers['if-match']?.trim();
  const noneMatch = request.headers['if-none-match']?.trim();
  if (match === undefined && noneMatch === undefined) return UNCONDITIONAL;
  return {
    ...(match !== undefined && match !== '*' && { among: versions(readTags(match, 'strong')) }),
    ...(noneMatch !== undefined && { except: noneMatch === '*' ? '*' : versions(readTags(noneMatch, 'weak')) }),
  };
}

const UNCONDITIONAL: Condition = Object.freeze({});

/**
 * Checks an item against a condition.
 *
 * @param version - The version that the item has.
 * @param condition - What the request demands.
 * @returns The header field that is not met, the first in the order of RFC 9110, section 13.2.2; undefined when all are.
 */
export function unmet(version: number, { among, except }: Condition): 'If-Match' | 'If-None-Match' | undefined {
  if (among && !among.includes(version)) return 'If-Match';
  return except === '*' || except?.includes(version) ? 'If-None-Match' : undefined;
}

function versions(tags: readonly string[]): number[] {
  return tags.filter((tag) => /^[1-9]\d{0,14}$/.test(tag)).map(Number);
}
