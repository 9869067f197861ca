/** Whose tokens are taken, and what one may do with them. */
export interface TokenPolicy {
  /** The provider, letter by letter as `iss` in its tokens. */
  readonly issuer: string;
  /** Whom the tokens are for. */
  readonly audience: string;
  /**
   * Who shares a list: `all` callers; each has their own, if it is `sub` or left out; or those whose tokens have the same value in the claim
   * of this name, which is 1 to 255 visible characters of ASCII.
   */
  readonly listBy?: string | undefined;
  /** The scope that GET and HEAD need (RFC 6749, section 3.3); none if left out. */
  readonly readScope?: string | undefined;
  /** The scope that all other methods need; none if left out. */
  readonly writeScope?: string | undefined;
  /** The public client with which the page signs people in (RFC 6749, section 2.2). If left out, the page has no button. */
  readonly client?: string | undefined;
}

type Claims = Readonly<Record<string, unknown>>;

/**
 * Finds out whose items the bearer of a token may see.
 *
 * @param subject - Whom the token is about.
 * @param claims - What else it says.
 * @returns The owner: undefined if all callers share the items; or else a text that names it and no other owner, of whatever kind,
 * because issuers begin with `http`, and neither they nor the names of claims have spaces. `no-list` if the token lacks the claim.
 */
export function ownerOf(
  subject: string,
  claims: Claims,
  { issuer, listBy = 'sub' }: TokenPolicy,
): { readonly owner: string | undefined } | 'no-list' {
  if (listBy === 'all') return { owner: undefined };
  if (listBy === 'sub') return { owner: `${issuer} ${subject}` };
  const value = claims[listBy];
  return isIdentifier(value) ? { owner: `claim ${listBy} ${issuer} ${value}` } : 'no-list';
}

/**
 * Says whether the value of a claim can tell owners apart: text of 1 to 255 characters, as subjects have (OpenID Connect Core 1.0,
 * section 2). In UTF-8, halves of surrogate pairs become U+FFFD, and different values the same.
 */
export function isIdentifier(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 255 && /^\P{Surrogate}+$/u.test(value);
}

/**
 * Finds out whether a token is enough for a method.
 *
 * @param method - As it was sent. Only GET and HEAD read.
 * @returns The scope that the token lacks; undefined if it lacks none.
 */
export function missingScope(
  claims: Claims,
  method: string,
  { readScope, writeScope }: TokenPolicy,
): string | undefined {
  const needed = method === 'GET' || method === 'HEAD' ? readScope : writeScope;
  return needed === undefined || scopesIn(claims).includes(needed) ? undefined : needed;
}

/** Most providers write `scope` as text (RFC 9068, section 2.2.3), some `scp`, some either of them as an array. */
function scopesIn({ scope, scp }: Claims): readonly string[] {
  return [scope, scp].flat().flatMap((words) => (typeof words === 'string' ? words.split(' ') : []));
}
