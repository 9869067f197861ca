import type { MemberError } from '../schema/check.js';
import { API_HEADERS, type Headers, type Request, type Response } from './message.js';
import { PROBLEMS, TITLES } from './problems.js';

/** The `code` of a problem. Callers decide by it, so it never changes its meaning. */
export type Kind = keyof typeof PROBLEMS;

export type ProblemOf<Of extends Kind> = Response<(typeof PROBLEMS)[Of]['status']>;

/** A row of {@link PROBLEMS}, which explains the members. */
export interface Problem {
  readonly status: keyof typeof TITLES;
  readonly by?:
    | 'query'
    | 'body'
    | 'conditional'
    | 'conditional write'
    | 'idempotent'
    | 'write'
    | 'route'
    | 'operation'
    | 'token';
  readonly meaning?: string;
  readonly detail?: string;
  readonly applied?: false;
}

export interface ParameterError {
  readonly parameter: string;
  readonly detail: string;
}

/**
 * Answers with problem details (RFC 9457).
 *
 * @param request - Its id is in the answer, for callers to quote.
 * @param more - The reason this time is a sentence before the row's detail.
 */
export function problemResponse<Of extends Kind>(
  request: Pick<Request, 'id'>,
  kind: Of,
  more: Special = {},
): ProblemOf<Of> {
  const { status, detail, applied }: Problem = PROBLEMS[kind];
  const { reason, errors, headers } = more;
  const details = {
    type: 'about:blank',
    code: kind,
    title: TITLES[status],
    status,
    detail: reason && detail ? `${reason} ${detail}` : (reason ?? detail),
    applied,
    requestId: request.id,
    errors,
  };
  return {
    status: PROBLEMS[kind].status,
    headers: headers ? { ...HEADERS, ...headers } : HEADERS,
    body: JSON.stringify(details),
    code: kind,
  };
}

interface Special {
  readonly reason?: string;
  readonly errors?: readonly (MemberError | ParameterError)[];
  readonly headers?: Headers;
}

const HEADERS: Headers = Object.freeze({ 'Content-Type': 'application/problem+json', ...API_HEADERS });
