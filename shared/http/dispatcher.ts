import { readBody } from './body.js';
import type { Guard } from './cross-site.js';
import { problem } from './problem.js';
import { createQueryReader, type ReadQuery } from './query.js';
import type { Request } from './request.js';
import { API_HEADERS, type MaybePromise, type Response } from './response.js';
import type { AnyRoute } from './route.js';
import { type Parameters, TemplateTree } from './tree.js';

/** What a request led to: which route's template, undefined where none matches, and the answer. */
export interface Dispatched {
  readonly template: string | undefined;
  readonly response: MaybePromise<Response>;
}

/**
 * Builds the dispatcher, which finds the route for a request and runs it. HEAD is served wherever GET is, without the
 * content; OPTIONS is answered on every known path; what matches no route falls through to 404.
 *
 * @param routes - In any order: what is more specific goes first.
 * @param guard - Asked before an operation that is not a GET.
 * @returns The function that answers a request. What an operation throws, its response's promise is rejected with.
 * @throws Error when a template is wrong or stands twice.
 */
export function createDispatcher(routes: readonly AnyRoute[], guard: Guard): (request: Request) => Dispatched {
  const tree = new TemplateTree<Target>();
  for (const route of routes) {
    tree.add(route.template, route.method, { route, readQuery: createQueryReader(route.query) });
  }

  return (request) => {
    const match = tree.find(request.method === 'HEAD' ? 'GET' : request.method, request.path);
    if (!('value' in match)) return { template: undefined, response: fallThrough(request, match) };
    const { value: target, parameters } = match;
    const { route } = target;
    const refusal = route.method === 'GET' ? undefined : guard(request);
    const response = refusal ?? attempt(target, parameters, request);
    return { template: route.template, response: request.method === 'HEAD' ? withoutContent(response) : response };
  };
}

const NO_BODY = Object.freeze({});

/** A route, and what was made ready for its requests. */
interface Target {
  readonly route: AnyRoute;
  readonly readQuery: (request: Request) => ReadQuery;
}

function attempt(target: Target, parameters: Parameters, request: Request): MaybePromise<Response> {
  try {
    return run(target, parameters, request);
  } catch (error) {
    return Promise.reject(error);
  }
}

function run({ route, readQuery }: Target, parameters: Parameters, request: Request): MaybePromise<Response> {
  const read = readQuery(request);
  if ('refusal' in read) return read.refusal;
  const query = read.values;
  if (!route.body) return route.run({ request, parameters, query, body: NO_BODY });
  const body = readBody(request);
  return 'refusal' in body ? body.refusal : route.run({ request, parameters, query, body: body.object });
}

async function withoutContent(response: MaybePromise<Response>): Promise<Response> {
  const { status, headers } = await response;
  return { status, headers };
}

/** A route restricted to some methods does not match others: the answer is 404 then, too (specification, rules 6 and 7). */
function fallThrough(request: Request, routed: readonly string[]): Response {
  if (routed.length === 0) return problem(request, 404, 'No route matches this path.');
  const methods = [...routed, 'OPTIONS', ...(routed.includes('GET') ? ['HEAD'] : [])].sort();
  const headers = { Allow: methods.join(', ') };
  if (request.method === 'OPTIONS') return { status: 204, headers: { ...API_HEADERS, ...headers } };
  return problem(request, 404, `No route for ${request.method} on this path; it has ${methods.join(', ')}.`, {
    headers,
  });
}
