import type { Problem } from '../problem.js';
import { PROBLEMS, type ProblemKind, TITLES } from '../problem-kinds.js';
import { API_HEADERS, type Request, type Response } from './message.js';

/**
 * Makes problem details (RFC 9457).
 *
 * @param request - Its id is in the response, for callers to quote.
 */
export function problemDetails(request: Pick<Request, 'id'>, { code, options }: Problem): Response {
  const kind: ProblemKind = PROBLEMS[code];
  const { reason, errors, headers } = options;
  const { status, applied, retryAfter } = kind;
  const details = {
    type: 'about:blank',
    code,
    title: TITLES[status],
    status,
    // A caller learns nothing about an exception.
    detail: status === 500 ? undefined : detailOf(kind, reason),
    applied,
    requestId: request.id,
    errors,
  };
  return {
    status,
    headers: {
      'Content-Type': 'application/problem+json',
      ...API_HEADERS,
      ...(retryAfter && { 'Retry-After': String(retryAfter) }),
      ...headers,
    },
    body: JSON.stringify(details),
    code,
  };
}

/** @param reason - What is wrong this time; by default, the meaning of the code. */
export function detailOf({ meaning = '', cure = '' }: ProblemKind, reason = sentence(meaning)): string {
  return `${reason} ${cure}`.trim();
}

/** Makes a sentence of a clause. */
export function sentence(clause: string): string {
  return clause && `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
}
