import type { MemberError } from '../schema/check.js';
import type { Request } from './request.js';
import { API_HEADERS, type Headers, type Response } from './response.js';
import titles from './statuses.json';

/** A status that is answered with a problem; 429 and 504 come from the gateway alone. */
export type ProblemStatus = Exclude<NumberOf<keyof typeof titles>, 429 | 504>;

type NumberOf<Text> = Text extends `${infer Value extends number}` ? Value : never;

/** The schema of problem details, as the description document has it. */
export const problemSchema = {
  type: 'object',
  description: 'What went wrong and how to put it right, sent as application/problem+json (RFC 9457).',
  required: ['type', 'title', 'status', 'requestId'],
  properties: {
    type: { type: 'string', description: 'The type of problem: that of the status.', examples: ['about:blank'] },
    title: { type: 'string', description: 'The name of the status.' },
    status: { type: 'integer', format: 'int32', description: 'The status.' },
    detail: { type: 'string', description: 'What went wrong this time, and how to put it right.' },
    requestId: { type: 'string', description: 'The name of this request in the log of the service.' },
    errors: {
      type: 'array',
      description: 'The members of the body, or the parameters of the query, that are wrong.',
      items: {
        type: 'object',
        required: ['detail'],
        properties: {
          pointer: { type: 'string', description: 'The member, as a JSON Pointer (RFC 6901).' },
          parameter: { type: 'string', description: 'The query parameter, by its name.' },
          detail: { type: 'string', description: 'What is wrong with it, and how to put it right.' },
        },
      },
    },
  },
} as const;

/** What is wrong with one query parameter. */
export interface ParameterError {
  readonly parameter: string;
  /** What is wrong and how to put it right. */
  readonly detail: string;
}

/**
 * Answers with problem details (RFC 9457).
 *
 * @param request - The request that failed; its id goes along so that the caller can quote it.
 * @param status - The status, which also gives the title.
 * @param detail - What went wrong and how to put it right; undefined to tell nothing.
 * @param more - The members or parameters at fault, and header fields besides the usual ones.
 * @returns The response, as `application/problem+json`.
 */
export function problem<Status extends ProblemStatus>(
  request: Pick<Request, 'id'>,
  status: Status,
  detail?: string,
  more: { readonly errors?: readonly (MemberError | ParameterError)[]; readonly headers?: Headers } = {},
): Response<Status> {
  const { errors, headers } = more;
  const details = { type: 'about:blank', title: TITLES[status], status, detail, requestId: request.id, errors };
  return { status, headers: headers ? { ...HEADERS, ...headers } : HEADERS, body: JSON.stringify(details) };
}

const TITLES: Readonly<Record<number, string>> = titles;

const HEADERS: Headers = Object.freeze({ 'Content-Type': 'application/problem+json', ...API_HEADERS });
