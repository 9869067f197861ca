export interface TokenPolicy {
  /** Exactly as `iss` in the tokens. */
  readonly issuer: string;
  readonly audience: string;
  /**
   * `all`: all callers share one list. `sub`, the default: each has their own. Otherwise callers with the same value in
   * the claim of this name share one.
   */
  readonly listBy?: string | undefined;
  /** For GET and HEAD (RFC 6749, section 3.3). */
  readonly readScope?: string | undefined;
  /** For all other methods. */
  readonly writeScope?: string | undefined;
  /** A public client (RFC 6749, section 2.2). Without it, the page has no button to sign in. */
  readonly client?: string | undefined;
}

type Claims = Readonly<Record<string, unknown>>;

/**
 * @returns The owner, undefined if all callers share the items, or `no-list` if the token lacks the claim. No two
 * owners get the same text, because issuers begin with `http`, and neither they nor names of claims contain spaces.
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
 * Text of 1 to 255 characters, as subjects are (OpenID Connect Core 1.0, section 2). Half surrogate pairs would all
 * become U+FFFD in UTF-8, and different owners the same.
 */
export function isIdentifier(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 255 && /^\P{Surrogate}+$/u.test(value);
}

/** Undefined if the token lacks none. */
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
