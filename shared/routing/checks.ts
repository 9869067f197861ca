import { BODY_PROBLEMS, createBodyParser } from '../http/body.js';
import { IDEMPOTENCY_PROBLEMS, parseIdempotencyKey } from '../http/idempotency-key.js';
import type { Parsed, Request } from '../http/message.js';
import { parsePrecondition, preconditionProblems } from '../http/precondition.js';
import type { ProblemCode } from '../http/problem.js';
import { createQueryParser, QUERY_PROBLEMS } from '../http/query.js';
import type { AnyRoute, Call } from './route.js';

export interface Check {
  /** The codes of its answers, and of those that an operation gives because of what it has parsed. */
  readonly problems: readonly ProblemCode[];
  /** Gives the operation what it has parsed. */
  readonly parse: (request: Request) => Parsed<Partial<Call>>;
}

/** The checks that a route declares, in their order. Who calls is found out before them. */
export function checksOf({ method, query, conditional, idempotent, body }: AnyRoute): readonly Check[] {
  const checks: Check[] = [];
  if (query) checks.push({ problems: QUERY_PROBLEMS, parse: createQueryParser(query) });
  if (conditional) checks.push({ problems: preconditionProblems(method), parse: parsePrecondition });
  if (idempotent) checks.push({ problems: IDEMPOTENCY_PROBLEMS, parse: parseIdempotencyKey });
  if (body) checks.push({ problems: BODY_PROBLEMS, parse: createBodyParser(body) });
  return checks;
}
