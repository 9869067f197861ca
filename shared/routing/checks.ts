import { BODY_PROBLEMS, createBodyParser } from '../http/body.js';
import { IDEMPOTENCY_PROBLEMS, parseIdempotencyKey } from '../http/idempotency-key.js';
import type { Parsed, Request } from '../http/message.js';
import { parsePrecondition, preconditionProblems } from '../http/precondition.js';
import type { ProblemCode } from '../http/problem.js';
import { createQueryParser, QUERY_PROBLEMS } from '../http/query.js';
import type { AnyRoute } from './route.js';

export interface Check {
  /** What it parses. */
  readonly part: 'query' | 'precondition' | 'idempotencyKey' | 'body';
  /** The codes of its answers, and of those that an operation gives because of what it has parsed. */
  readonly problems: readonly ProblemCode[];
  readonly parse: (request: Request) => Parsed<unknown>;
}

/** The checks that a route declares, in their order. Who calls is found out before them. */
export function checksOf({ method, query, conditional, idempotent, body }: AnyRoute): readonly Check[] {
  const checks: Check[] = [];
  if (query) checks.push({ part: 'query', problems: QUERY_PROBLEMS, parse: createQueryParser(query) });
  if (conditional)
    checks.push({ part: 'precondition', problems: preconditionProblems(method), parse: parsePrecondition });
  if (idempotent) checks.push({ part: 'idempotencyKey', problems: IDEMPOTENCY_PROBLEMS, parse: parseIdempotencyKey });
  if (body) checks.push({ part: 'body', problems: BODY_PROBLEMS, parse: createBodyParser(body) });
  return checks;
}
