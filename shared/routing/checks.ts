import { BODY_PROBLEMS, parseBody } from '../http/body.js';
import { IDEMPOTENCY_PROBLEMS, parseIdempotencyKey } from '../http/idempotency-key.js';
import type { Parsed, Request } from '../http/message.js';
import { parsePrecondition, preconditionProblems } from '../http/precondition.js';
import type { ProblemCode } from '../http/problem.js';
import { parseQuery, QUERY_PROBLEMS } from '../http/query.js';
import type { AnyRoute, Call } from './route.js';

export interface Check {
  /** The codes of its answers, and of those that an operation gives because of what it has parsed. */
  readonly problems: readonly ProblemCode[];
  /** Gives the operation its part of the call. */
  readonly parse: (request: Request) => Parsed<Partial<Call>>;
}

/** The checks that a route declares, in their order. Who calls is found out before them. */
export function checksOf({ method, query, conditional, idempotent, body }: AnyRoute): readonly Check[] {
  const checks: Check[] = [];
  if (query) checks.push({ problems: QUERY_PROBLEMS, parse: (request) => parseQuery(request, query) });
  if (conditional) checks.push({ problems: preconditionProblems(method), parse: parsePrecondition });
  if (idempotent) checks.push({ problems: IDEMPOTENCY_PROBLEMS, parse: parseIdempotencyKey });
  if (body) checks.push({ problems: BODY_PROBLEMS, parse: (request) => parseBody(request, body) });
  return checks;
}
