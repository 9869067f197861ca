import { PROBLEMS, type Problem, type ProblemKind, TITLES } from '../problem.js';
import { API_HEADERS, type Request, type Response } from './message.js';

/**
 * Makes problem details (RFC 9457).
 *
 * @param request - Its id is in the answer, for callers to quote.
 */
export function problemDetails(request: Pick<Request, 'id'>, { code, more }: Problem): Response {
  const { status, detail, applied, retryAfter }: ProblemKind = PROBLEMS[code];
  const { reason, errors, headers } = more;
  const details = {
    type: 'about:blank',
    code,
    title: TITLES[status],
    status,
    detail: reason && detail ? `${reason} ${detail}` : (reason ?? detail),
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
