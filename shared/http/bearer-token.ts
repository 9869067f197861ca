import type { Parsed, Request, Response } from './message.js';
import { problemResponse } from './problem.js';

/** Gateways take 10 kB of header fields in all. */
const MAX_CHARACTERS = 8_192;

/**
 * Reads the token from `Authorization` (RFC 6750, section 2.1).
 *
 * @returns A 401 with a challenge if there is not exactly one, or it is malformed or longer than 8,192 characters.
 */
export function readBearerToken(request: Request, issuer: string): Parsed<string> {
  const sent = request.header('authorization') ?? '';
  if (!/^bearer(?![^ ,])/i.test(sent)) return { rejected: challenge(request, issuer) };
  const [, value] = /^bearer +([\w.~+/-]+=*)$/i.exec(sent) ?? [];
  if (value === undefined)
    return { rejected: challenge(request, issuer, 'Authorization does not have exactly one bearer token.') };
  if (value.length > MAX_CHARACTERS)
    return { rejected: challenge(request, issuer, `The token is longer than ${MAX_CHARACTERS} characters.`) };
  return { value };
}

/**
 * RFC 6750, section 3.
 *
 * @param reason - What is wrong with the token, as a sentence in ASCII without quotes and backslashes. The detail
 * repeats it, because REST APIs and function URLs rename `WWW-Authenticate`.
 * @param more - For the detail only.
 */
export function challenge(request: Request, issuer: string, reason?: string, more?: string): Response<401> {
  const needed = `A token of ${issuer} is needed.`;
  if (reason === undefined)
    return problemResponse(request, 'no-token', { reason: needed, headers: { 'WWW-Authenticate': SCHEME } });
  const headers = { 'WWW-Authenticate': `${SCHEME}, error="invalid_token", error_description="${reason}"` };
  const told = [reason, more, needed].filter(Boolean).join(' ');
  return { ...problemResponse(request, 'invalid-token', { reason: told, headers }), refusal: reason };
}

/**
 * RFC 6750, section 3.1.
 *
 * @param scope - In the characters of RFC 6749, section 3.3, which need no escaping in a quoted string.
 */
export function insufficientScope(request: Request, scope: string): Response<403> {
  const headers = { 'WWW-Authenticate': `${SCHEME}, error="insufficient_scope", scope="${scope}"` };
  const reason = `The token lacks the scope ${scope}, which ${request.method} needs.`;
  return problemResponse(request, 'insufficient-scope', { reason, headers });
}

const SCHEME = 'Bearer realm="items"';
