import { PROBLEMS } from '../../shared/problem-kinds.js';
import type { JsonSchema } from './schemas.js';

/**
 * Problem details as the service sends them. API Gateway's own errors may lack `code`, so it is not required; a few lack
 * `title` and `status`, too. `code` is no `enum`, because clients that validate would fail on a new code.
 */
export const PROBLEM: JsonSchema = {
  type: 'object',
  description: 'What went wrong and how to fix it, sent as application/problem+json (RFC 9457).',
  required: ['type', 'title', 'status', 'requestId'],
  properties: {
    type: {
      type: 'string',
      description: 'Always about:blank: code is more precise.',
      examples: ['about:blank'],
    },
    code: {
      type: 'string',
      description: 'What went wrong, for programs to decide by. There may be more codes than these.',
      'x-extensible-enum': Object.keys(PROBLEMS),
    },
    title: { type: 'string', description: 'The name of the status.' },
    status: { type: 'integer', format: 'int32', minimum: 100, maximum: 599, description: 'The HTTP status.' },
    detail: { type: 'string', description: 'What went wrong this time, and how to fix it.' },
    applied: {
      type: 'boolean',
      description:
        'With 429 and 503: false if the request certainly changed nothing. If a write gets 500 or 503 without it, the write may have been applied.',
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
};
