import { isIdentifier } from './identifier.js';
import type { TokenPolicy } from './policy.js';

/**
 * Finds out whose items the bearer of a token may see.
 *
 * @param subject - Whom the token is about.
 * @param claims - What else it says.
 * @returns The owner: undefined if all callers share the items; or else a text that names it and no other owner, of whatever kind,
 * because issuers begin with `http`, and neither they nor the names of claims have spaces. `no list` if the token lacks the claim.
 */
export function ownerOf(
  subject: string,
  claims: Readonly<Record<string, unknown>>,
  { issuer, listBy = 'sub' }: TokenPolicy,
): { readonly owner: string | undefined } | 'no-list' {
  if (listBy === 'all') return { owner: undefined };
  if (listBy === 'sub') return { owner: `${issuer} ${subject}` };
  const value = claims[listBy];
  return isIdentifier(value) ? { owner: `claim ${listBy} ${issuer} ${value}` } : 'no-list';
}
