import { describeEvent, readEvent, writeResult } from './gateway/gateway.js';
import { ACCEPT_PATCH, parseBody } from './http/body.js';
import { conditionalItems, conditionalResponse, parseIdempotencyKey, parsePrecondition } from './http/conditions.js';
import { API_HEADERS, type Authenticate, type Caller, type Request, type Response } from './http/message.js';
import { createCors, createCsrfProtection } from './http/origins.js';
import { problemDetails } from './http/problem-details.js';
import { parseQuery } from './http/query.js';
import { describeError } from './log.js';
import { isProblem, Problem } from './problem.js';
import { PROBLEMS } from './problem-kinds.js';
import { type AnyRoute, declaresProblem } from './routing/route.js';
import { createRouter, type Match } from './routing/router.js';
import { quoted } from './schema/detail.js';
import type { Resource } from './schema/schema.js';
import type { Store } from './store/store.js';

/**
 * What Lambda calls. A third parameter would be a callback, and the runtime rejects functions that take one.
 *
 * @param event - A gateway's event, or anything else.
 * @param context - Lambda's own, for the log.
 * @returns The result for that gateway. The promise never rejects.
 */
export type Handler = (event: unknown, context?: { awsRequestId?: string; xRayTraceId?: string }) => Promise<unknown>;

export interface HandlerOptions {
  /** In any order, because the most specific match wins. */
  readonly routes: readonly AnyRoute[];
  /** Requests that need the store wait until it is loaded. Each page of its lists must fit into one result. */
  readonly store: Store | Promise<Store>;
  /** The origins of pages that may call, or `*` for all. */
  readonly corsOrigins: readonly string[];
  /** Undefined if nobody signs in: all callers share the items. */
  readonly authenticate?: Authenticate | undefined;
}

/**
 * Creates the Lambda function of a service. HEAD is served wherever GET is, and OPTIONS on every known path.
 *
 * @throws Error if a template is invalid or a duplicate, if two resources have the same name, or if a route with a
 * resource is open.
 */
export function createHandler({ routes, store, corsOrigins, authenticate }: HandlerOptions): Handler {
  checkResources(routes);
  const find = createRouter(routes);
  const checkOrigin = createCsrfProtection(corsOrigins);
  const addCors = createCors(corsOrigins, authenticate !== undefined);
  let isColdStart = true;

  return async (event, { awsRequestId = '', xRayTraceId } = {}) => {
    const request = readEvent(event, awsRequestId);
    if (!request) return writeResult(unknownEvent(event, awsRequestId));
    const match = find(request.method === 'HEAD' ? 'GET' : request.method, request.path);
    const { route } = match;
    const asksForToken = authenticate !== undefined && route !== undefined && !route.open;
    let caller: Caller | undefined;
    let response: Response;
    try {
      if (match.route) {
        checkOrigin(request);
        if (asksForToken) caller = await authenticate(request);
        const owner = caller?.authorize(request.method);
        response = await run(match, request, store, owner);
      } else {
        response = withoutRoute(request, match.allowed);
      }
    } catch (error) {
      const problem = isProblem(error) ? error : new Problem('failed');
      logFailure(problem, error, { requestId: request.id, route: route?.template, caller: caller?.pseudonym });
      response = problemDetails(request, problem);
    }
    console.info({
      event: 'request',
      requestId: request.id,
      traceId: xRayTraceId,
      method: request.method,
      route: route?.template,
      key: response.key,
      status: response.status,
      code: response.code,
      refusal: response.headers['WWW-Authenticate'],
      caller: caller?.pseudonym,
      duration: Math.round(performance.now() - request.receivedAt),
      coldStart: isColdStart,
    });
    isColdStart = false;
    if (asksForToken) response = variedByToken(response);
    if (request.method === 'HEAD') response = { status: response.status, headers: response.headers };
    return writeResult(addCors(request, response));
  };
}

/** Checks query, header fields and body, then runs the operation: steps 3 to 6 of rule 5 (docs/rules.md). */
async function run(
  { route, parameters }: Match,
  request: Request,
  store: HandlerOptions['store'],
  owner: string | undefined,
): Promise<Response> {
  const query = route.query ? parseQuery(request, route.query) : {};
  const precondition = route.conditional ? parsePrecondition(request) : () => undefined;
  const idempotencyKey = route.acceptsIdempotencyKey ? parseIdempotencyKey(request) : undefined;
  const members = route.body ? parseBody(request, route.body, parameters) : undefined;
  const items = route.resource && conditionalItems((await store)(route.resource, request, owner), precondition);
  try {
    const response = await route.run({ request, parameters, query, idempotencyKey, members, items });
    return route.method === 'GET' ? conditionalResponse(response, precondition) : response;
  } catch (error) {
    if (!isProblem(error) || declaresProblem(route, error.code)) throw error;
    // The documents promise no such problem.
    throw new Error(`the operation has thrown ${error.code}, which its route does not declare`, { cause: error });
  }
}

/** Responds to OPTIONS. Methods that no route of the path has get 404, not 405. */
function withoutRoute({ method }: Request, allowed: readonly string[]): Response {
  if (allowed.length === 0) throw new Problem('no-route');
  const methods = [...allowed, 'OPTIONS', ...(allowed.includes('GET') ? ['HEAD'] : [])].sort();
  const Allow = methods.join(', ');
  const patches = allowed.includes('PATCH') && ACCEPT_PATCH;
  if (method === 'OPTIONS') return { status: 204, headers: { ...API_HEADERS, Allow, ...patches } };
  const reason = `This path does not support ${quoted(method)}. It supports ${Allow}.`;
  throw new Problem('method-not-supported', { reason, headers: { Allow } });
}

/** Logs a 500 or 503. An error in the log wakes somebody, so what passes by itself is a warning. */
function logFailure({ code, options }: Problem, error: unknown, about: object): void {
  const { status } = PROBLEMS[code];
  if (status !== 500 && status !== 503) return;
  const event = status === 500 ? 'unhandled exception' : 'the service is unavailable';
  const level = status === 500 || options.isLasting ? 'error' : 'warn';
  console[level]({ event, ...about, error: describeError(error) });
}

/** Keeps caches from reusing a response for another token (RFC 9111, section 4.1). */
function variedByToken({ headers, ...response }: Response): Response {
  const Vary = [headers.Vary, 'Authorization'].filter(Boolean).join(', ');
  return { ...response, headers: { ...headers, Vary } };
}

function unknownEvent(event: unknown, id: string): Response {
  const received = describeEvent(event);
  console.warn({ event: 'unknown kind of event', received });
  return problemDetails({ id }, new Problem('unknown-event', { reason: `The function was invoked with ${received}.` }));
}

/** @throws Error if two resources share a name, or if an open route has a resource: with sign-in, callers without a token own nothing. */
function checkResources(routes: readonly AnyRoute[]): void {
  const resources = new Map<string, Resource>();
  for (const { method, template, resource, open } of routes) {
    if (!resource) continue;
    if (open) throw new Error(`${method} ${template} has a resource, so it can't be open. Remove "resource" or "open"`);
    if ((resources.get(resource.name) ?? resource) !== resource)
      throw new Error(`Two resources are named "${resource.name}"`);
    resources.set(resource.name, resource);
  }
}
