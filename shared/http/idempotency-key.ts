import type { Parsed, Request } from './message.js';
import { type ProblemCode, problemResponse } from './problem.js';

export const IDEMPOTENCY_PROBLEMS: readonly ProblemCode[] = ['malformed-idempotency-key', 'idempotency-key-reused'];

/**
 * Parses `Idempotency-Key` (IETF draft "The Idempotency-Key HTTP Header Field"): 1 to 64 visible characters, as a
 * string in quotes (RFC 9651, section 3.3.3) or a token (RFC 9110, section 5.6.2).
 *
 * @returns The key without quotes, undefined if none was sent; a 400 for any other value.
 */
export function parseIdempotencyKey(request: Request): Parsed<{ idempotencyKey?: string }> {
  const sent = request.header('idempotency-key');
  if (sent === undefined) return { value: {} };
  const [, quoted, token] = /^(?:"((?:[!#-[\]-~]|\\["\\])+)"|([!#$%&'*+.^`|~\w-]+))$/.exec(sent) ?? [];
  const idempotencyKey = token ?? quoted?.replace(/\\(.)/g, '$1');
  if (idempotencyKey === undefined || idempotencyKey.length > 64)
    return { rejected: problemResponse(request, 'malformed-idempotency-key') };
  return { value: { idempotencyKey } };
}
