import { ACCEPT_PATCH, createBodyParser } from '../http/body.js';
import { parseIdempotencyKey } from '../http/idempotency-key.js';
import { API_HEADERS, type Authenticate, type Caller, NOT_SENT, type Request, type Response } from '../http/message.js';
import type { CsrfProtection } from '../http/origins.js';
import { parsePrecondition } from '../http/precondition.js';
import { problemResponse } from '../http/problem.js';
import { createQueryParser } from '../http/query.js';
import { isGuid } from '../schema/check.js';
import { quoted } from '../schema/quoted.js';
import type { Resource } from '../schema/resource.js';
import type { OpenStore, Store } from '../store/store.js';
import { begunEarly } from '../time/begun-early.js';
import { uptime } from '../time/uptime.js';
import type { AnyRoute } from './route.js';
import { createRouter, type Match } from './router.js';

/** Rejects with what the operation throws. The trace is filled in as soon as something is known, for the log. */
export type Dispatch = (request: Request, trace: Trace) => Promise<Response>;

export interface Trace {
  /** Left out if no route matches. */
  template?: string;
  /** Whether the route asks for a token, so that the answer depends on it. */
  signIn?: boolean;
  /** The item's key; left out if the path contains no GUID. */
  key?: string;
  /** Also if the request is then rejected; left out without sign-in. */
  caller?: Caller;
}

export interface DispatcherOptions {
  /** Called once for each resource, when the dispatcher is built. */
  readonly openStore: OpenStore;
  readonly protect: CsrfProtection;
  /** Left out, all callers share the items. */
  readonly authenticate?: Authenticate | undefined;
}

/**
 * HEAD is served wherever GET is, and OPTIONS on every known path.
 *
 * @param routes - In any order, because the most specific match wins.
 * @throws Error if a template is invalid or a duplicate, if two resources have the same name, or if a route with a
 * resource is open.
 */
export function createDispatcher(
  routes: readonly AnyRoute[],
  { openStore, protect, authenticate }: DispatcherOptions,
): Dispatch {
  const stores = openStores(routes, openStore);
  const endpoints = routes.map((route) => {
    if (route.open && route.resource) throw new Error(OPEN_ITEMS(route));
    const store = route.resource && stores.get(route.resource);
    return { ...route, value: withChecks(route, store, protect, authenticate) };
  });
  const find = createRouter<Endpoint>(endpoints);

  return (request, trace) => {
    const match = find(request.method === 'HEAD' ? 'GET' : request.method, request.path);
    return 'value' in match ? match.value(request, trace, match.parameters) : notFound(request, match);
  };
}

type Opening = Promise<Store>;

function openStores(routes: readonly AnyRoute[], openStore: OpenStore): ReadonlyMap<Resource, Opening> {
  const stores = new Map<Resource, Opening>();
  for (const { resource } of routes) {
    if (!resource || stores.has(resource)) continue;
    for (const { name } of stores.keys()) {
      if (name === resource.name) throw new Error(`Two resources are named "${name}"`);
    }
    stores.set(resource, begunEarly(openStore(resource)));
  }
  return stores;
}

type Endpoint = (request: Request, trace: Trace, parameters: Match<unknown>['parameters']) => Promise<Response>;

/** Checks a request before its operation, in the order of rule 5. */
function withChecks(
  route: AnyRoute,
  store: Opening | undefined,
  protect: CsrfProtection,
  authenticate: Authenticate | undefined,
): Endpoint {
  const parseQuery = route.query && createQueryParser(route.query);
  const parseBody = route.body && createBodyParser(route.body);
  const admit = route.open ? undefined : authenticate;

  const answer: Endpoint = async (request, trace, parameters) => {
    trace.template = route.template;
    trace.signIn = admit !== undefined;
    // Other text there could be anything, so it is not logged.
    if (route.resource && parameters.id && isGuid(parameters.id)) trace.key = parameters.id.toLowerCase();
    const forbidden = protect(request);
    if (forbidden) return forbidden;
    // The time spent waiting for the provider's keys counts towards the time-out of the table.
    const since = admit && uptime();
    const sender = admit ? await admit(request) : WITHOUT_SIGN_IN;
    if (sender.caller) trace.caller = sender.caller;
    if ('rejected' in sender) return sender.rejected;
    const query = parseQuery?.(request) ?? NO_QUERY;
    if ('rejected' in query) return query.rejected;
    const precondition = route.conditional ? parsePrecondition(request) : NOT_SENT;
    if ('rejected' in precondition) return precondition.rejected;
    const idempotencyKey = route.idempotent ? parseIdempotencyKey(request) : NOT_SENT;
    if ('rejected' in idempotencyKey) return idempotencyKey.rejected;
    const body = parseBody?.(request) ?? NO_BODY;
    if ('rejected' in body) return body.rejected;
    const items = store && (await store)({ requestId: request.id, owner: sender.owner, since });
    const { members, sent } = body.value;
    // Awaited, so that the stack of what it throws leads through here.
    return await route.run({
      request,
      caller: sender.caller,
      parameters,
      query: query.value,
      precondition: precondition.value,
      idempotencyKey: idempotencyKey.value,
      members,
      sent,
      items,
    });
  };
  return answer;
}

/** Without a token, their items would be in the list that all share. */
const OPEN_ITEMS = ({ method, template }: AnyRoute) =>
  `${method} ${template} has a resource, so it can't be open: whose items would it be about? Leave out one of the two`;

const WITHOUT_SIGN_IN = { caller: undefined, owner: undefined };

// Frozen, because operations get it and all requests share it.
const NO_QUERY = { value: Object.freeze({}) };

const NO_BODY = { value: { members: undefined, sent: Object.freeze({}) } };

/** An unsupported method returns 404, not 405. */
async function notFound(request: Request, allowed: readonly string[]): Promise<Response> {
  if (allowed.length === 0) return problemResponse(request, 'no-route');
  const methods = [...allowed, 'OPTIONS', ...(allowed.includes('GET') ? ['HEAD'] : [])].sort();
  const Allow = methods.join(', ');
  const patches = allowed.includes('PATCH') && ACCEPT_PATCH;
  if (request.method === 'OPTIONS') return { status: 204, headers: { ...API_HEADERS, Allow, ...patches } };
  const reason = `This path does not support ${quoted(request.method)}. It supports ${Allow}.`;
  return problemResponse(request, 'method-not-supported', { reason, headers: { Allow } });
}
