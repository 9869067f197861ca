import type { MemberError } from '../schema/check.js';
import { API_HEADERS, type Headers, type Request, type Response } from './message.js';
import { PROBLEMS, TITLES } from './problems.cjs';

export type Kind = keyof typeof PROBLEMS;

export type ProblemOf<Of extends Kind> = Response<(typeof PROBLEMS)[Of]['status']>;

/** A row of the table of problems, which says what its members mean. */
export interface Problem {
  readonly status: keyof typeof TITLES;
  readonly by?: 'query' | 'body' | 'conditional' | 'conditional write' | 'idempotent' | 'write' | 'route' | 'operation';
  readonly meaning?: string;
  readonly detail?: string;
  readonly applied?: false;
}

/** The schema of problem details, as the description document has it. */
export const problemSchema = {
  type: 'object',
  description: 'What went wrong and how to fix it, sent as application/problem+json (RFC 9457).',
  required: ['type', 'title', 'status', 'requestId'],
  properties: {
    type: { type: 'string', description: 'Always about:blank: the status is the type.', examples: ['about:blank'] },
    title: { type: 'string', description: 'The name of the status.' },
    status: { type: 'integer', format: 'int32', description: 'The status.' },
    detail: { type: 'string', description: 'What went wrong this time, and how to fix it.' },
    applied: {
      type: 'boolean',
      description:
        'False if the request certainly changed nothing. If a 503 does not have it, a write may have been applied.',
    },
    requestId: { type: 'string', description: 'The id of this request in the log of the service.' },
    errors: {
      type: 'array',
      description: 'The invalid members of the body, or the invalid query parameters.',
      items: {
        type: 'object',
        required: ['detail'],
        properties: {
          pointer: { type: 'string', description: 'The member, as a JSON Pointer (RFC 6901).' },
          parameter: { type: 'string', description: 'The query parameter, by its name.' },
          detail: { type: 'string', description: 'What is wrong with it, and how to fix it.' },
        },
      },
    },
  },
} as const;

export interface ParameterError {
  readonly parameter: string;
  readonly detail: string;
}

/**
 * Answers with problem details (RFC 9457).
 *
 * @param request - The request that failed. The response has its id, so that the caller can quote it.
 * @param kind - The kind of problem. Its row has the status, and what the caller can do.
 * @param more - The reason this time, as a sentence in front of the row's detail; the members or parameters at fault; and
 * further header fields.
 * @returns The response, as `application/problem+json`.
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
  };
}

interface Special {
  readonly reason?: string;
  readonly errors?: readonly (MemberError | ParameterError)[];
  readonly headers?: Headers;
}

const HEADERS: Headers = Object.freeze({ 'Content-Type': 'application/problem+json', ...API_HEADERS });
