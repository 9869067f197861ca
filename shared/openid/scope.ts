import type { TokenPolicy } from './policy.js';

type Claims = Readonly<Record<string, unknown>>;

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
