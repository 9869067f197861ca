import { createBodyParser } from '../http/body.js';
import { parseIdempotencyKey } from '../http/idempotency.js';
import { API_HEADERS, NOT_SENT, type Request, type Response } from '../http/message.js';
import { parsePrecondition } from '../http/precondition.js';
import { problemResponse } from '../http/problem.js';
import { createQueryParser } from '../http/query.js';
import { quoted } from '../schema/message.js';
import type { AnyRoute } from './route.js';
import { type Match, Router } from './router.js';

/** What a request led to: the route's template, undefined if none matches, and the answer. */
export interface Dispatched {
  readonly template: string | undefined;
  /** It rejects with what the operation throws. */
  readonly response: Promise<Response>;
}

/** Returns the answer to a request that may not be served; undefined for one that may. It may be asynchronous. */
export type Check = (request: Request, route: AnyRoute) => Response | undefined | Promise<Response | undefined>;

/**
 * Builds the dispatcher, which finds the route for a request and runs it. HEAD is served wherever GET is, with
 * the same response; OPTIONS on every known path; a request that matches no route returns 404.
 *
 * @param routes - In any order: the most specific match wins (rule 2).
 * @param check - Runs before each operation, when its route is found and nothing else of the request has been parsed.
 * @returns The function that answers a request.
 * @throws Error if a template is invalid or a duplicate.
 */
export function createDispatcher(routes: readonly AnyRoute[], check: Check): (request: Request) => Dispatched {
  const router = new Router<Target>();
  for (const route of routes) router.add(route.template, route.method, { route, run: createRun(route, check) });

  return (request) => {
    const match = router.find(request.method === 'HEAD' ? 'GET' : request.method, request.path);
    if (!('value' in match)) return { template: undefined, response: notFound(request, match) };
    const { value, parameters } = match;
    return { template: value.route.template, response: value.run(request, parameters) };
  };
}

/** A route, and the function that answers its requests. */
interface Target {
  readonly route: AnyRoute;
  readonly run: (request: Request, parameters: Match<unknown>['parameters']) => Promise<Response>;
}

/**
 * Checks come in the order of rule 5: whether the request may be served, the query, conditional header fields,
 * `Idempotency-Key`, the body.
 */
function createRun(route: AnyRoute, check: Check): Target['run'] {
  const parseQuery = createQueryParser(route.query ?? {});
  const parseBody = route.body && createBodyParser(route.body);

  return async (request, parameters) => {
    // Waiting for an answer that is there already would take a percent of a request.
    const checked = check(request, route);
    const forbidden = checked && (await checked);
    if (forbidden) return forbidden;
    const query = parseQuery(request);
    if ('rejected' in query) return query.rejected;
    const precondition = route.conditional ? parsePrecondition(request) : NOT_SENT;
    if ('rejected' in precondition) return precondition.rejected;
    const idempotencyKey = route.idempotent ? parseIdempotencyKey(request) : NOT_SENT;
    if ('rejected' in idempotencyKey) return idempotencyKey.rejected;
    const body = parseBody?.(request) ?? NO_BODY;
    if ('rejected' in body) return body.rejected;
    const { members, object } = body.value;
    // Awaited, so that the stack of what it throws leads through here.
    return await route.run({
      request,
      parameters,
      query: query.value,
      precondition: precondition.value,
      idempotencyKey: idempotencyKey.value,
      members,
      body: object,
    });
  };
}

const NO_BODY = Object.freeze({ value: Object.freeze({ members: undefined, object: Object.freeze({}) }) });

/** A route matches its own method only, so an unsupported method returns 404, not 405 (rule 3). */
async function notFound(request: Request, allowed: readonly string[]): Promise<Response> {
  if (allowed.length === 0) return problemResponse(request, 'no route');
  const methods = [...allowed, 'OPTIONS', ...(allowed.includes('GET') ? ['HEAD'] : [])].sort();
  const Allow = methods.join(', ');
  if (request.method === 'OPTIONS') return { status: 204, headers: { ...API_HEADERS, Allow } };
  const reason = `This path does not support ${quoted(request.method)}. It supports ${Allow}.`;
  return problemResponse(request, 'method not supported', { reason, headers: { Allow } });
}
