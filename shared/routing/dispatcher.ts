import { refused } from '../http/answer.js';
import { readBody } from '../http/body.js';
import type { Guard } from '../http/cross-site.js';
import { readPrecondition, UNCONDITIONAL } from '../http/precondition.js';
import { problem } from '../http/problem.js';
import { createQueryReader } from '../http/query.js';
import type { Request } from '../http/request.js';
import { API_HEADERS, type Read, type Response } from '../http/response.js';
import { type MaybePromise, whenReady } from '../maybe-promise.js';
import { quoted } from '../quoted.js';
import { createReader, type JsonObject } from '../schema/read.js';
import type { AnyRoute } from './route.js';
import { type Match, Router } from './router.js';

/** What a request led to: which route's template, undefined where none matches, and the answer. */
export interface Dispatched {
  readonly template: string | undefined;
  readonly response: MaybePromise<Response>;
}

/**
 * Builds the dispatcher, which finds the route for a request and runs it. HEAD is served wherever GET is, and has no
 * content; OPTIONS is answered on every known path; what matches no route falls through to 404.
 *
 * @param routes - In any order: what is more specific goes first.
 * @param guard - Asked before an operation that is not a GET.
 * @returns The function that answers a request. What an operation throws, its response's promise is rejected with.
 * @throws Error when a template is wrong or stands twice.
 */
export function createDispatcher(routes: readonly AnyRoute[], guard: Guard): (request: Request) => Dispatched {
  const router = new Router<Target>();
  for (const route of routes) router.add(route.template, route.method, { route, run: createRun(route, guard) });

  return (request) => {
    const isHead = request.method === 'HEAD';
    const match = router.find(isHead ? 'GET' : request.method, request.path);
    const response = 'value' in match ? attempt(match, request) : fallThrough(request, match);
    const template = 'value' in match ? match.value.route.template : undefined;
    return { template, response: isHead ? whenReady(response, withoutContent) : response };
  };
}

/** A route, and the function that answers its requests. */
interface Target {
  readonly route: AnyRoute;
  readonly run: Run;
}

type Run = (request: Request, parameters: Match<unknown>['parameters']) => MaybePromise<Response>;

/** Checks come in the contract's order: the cross-site guard, the query, conditional header fields, the body. */
function createRun(route: AnyRoute, guard: Guard): Run {
  const readQuery = createQueryReader(route.query ?? {});
  const readMembers = route.body && createReader(route.body.schema)[route.body.patch ? 'patch' : 'whole'];

  return (request, parameters) => {
    const forbidden = route.method === 'GET' ? undefined : guard(request);
    if (forbidden) return forbidden;
    const query = readQuery(request);
    if ('refusal' in query) return query.refusal;
    const precondition = route.conditional ? readPrecondition(request) : UNCONDITIONAL;
    if ('refusal' in precondition) return precondition.refusal;
    const body = readMembers ? readBody(request) : NO_BODY;
    if ('refusal' in body) return body.refusal;
    const parsed = readMembers?.(body.value);
    if (parsed && 'errors' in parsed) return refused(request, 'invalid', parsed);
    return route.run({
      request,
      parameters,
      query: query.value,
      precondition: precondition.value,
      members: parsed?.members,
      body: body.value,
    });
  };
}

const NO_BODY: Read<JsonObject> = Object.freeze({ value: Object.freeze({}) });

function attempt({ value, parameters }: Match<Target>, request: Request): MaybePromise<Response> {
  try {
    return value.run(request, parameters);
  } catch (error) {
    return Promise.reject(error);
  }
}

function withoutContent({ status, headers }: Response): Response {
  return { status, headers };
}

/** A route restricted to some methods does not match others: the answer is 404 then, too (specification, rules 6 and 7). */
function fallThrough(request: Request, routed: readonly string[]): Response {
  if (routed.length === 0) return problem(request, 404, 'No route matches this path.');
  const methods = [...routed, 'OPTIONS', ...(routed.includes('GET') ? ['HEAD'] : [])].sort();
  const Allow = methods.join(', ');
  if (request.method === 'OPTIONS') return { status: 204, headers: { ...API_HEADERS, Allow } };
  const detail = `This path does not support ${quoted(request.method)}, but ${Allow}.`;
  return problem(request, 404, detail, { headers: { Allow } });
}
