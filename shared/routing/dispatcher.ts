import { ACCEPT_PATCH } from '../http/body.js';
import { API_HEADERS, type Authenticate, type Request, type Response } from '../http/message.js';
import { createCsrfProtection } from '../http/origins.js';
import { problemResponse } from '../http/problem.js';
import { quoted } from '../schema/detail.js';
import type { Resource } from '../schema/schema.js';
import type { OpenStore, Store } from '../store/store.js';
import { checksOf } from './checks.js';
import type { AnyRoute } from './route.js';
import { createRouter } from './router.js';

/** Rejects with what the operation throws. The trace is filled in as soon as something is known. */
export type Dispatch = (request: Request, trace: Trace) => Promise<Response>;

export interface Trace {
  /** Left out if no route matches. */
  template?: string;
  /** Whether the route asks for a token, so that the answer depends on it. */
  signIn?: boolean;
  /** Stands for the caller in the log, also if the request is then rejected; left out without sign-in. */
  caller?: string | undefined;
}

export interface DispatcherOptions {
  /** In any order, because the most specific match wins. */
  readonly routes: readonly AnyRoute[];
  /** Called once for each resource, when the dispatcher is built. A list must fit into one result. */
  readonly openStore: OpenStore;
  /** The origins of pages that may call, or `*` for all. */
  readonly corsOrigins: readonly string[];
  /** Left out, all callers share the items. */
  readonly authenticate?: Authenticate | undefined;
}

/**
 * HEAD is served wherever GET is, and OPTIONS on every known path.
 *
 * @throws Error if a template is invalid or a duplicate, if two resources have the same name, or if a route with a
 * resource is open.
 */
export function createDispatcher({ routes, openStore, corsOrigins, authenticate }: DispatcherOptions): Dispatch {
  const protect = createCsrfProtection(corsOrigins);
  const stores = openStores(routes, openStore);
  const find = createRouter(routes);

  return async (request, trace) => {
    const match = find(request.method === 'HEAD' ? 'GET' : request.method, request.path);
    if (!('route' in match)) return notFound(request, match);
    const { route, parameters } = match;
    const admit = route.open ? undefined : authenticate;
    trace.template = route.template;
    trace.signIn = admit !== undefined;
    const forbidden = protect(request);
    if (forbidden) return forbidden;
    // The time spent waiting for the provider's keys counts towards the time-out of the table.
    const since = admit && process.uptime() * 1_000;
    const sender = admit ? await admit(request) : WITHOUT_SIGN_IN;
    trace.caller = sender.caller;
    if ('rejected' in sender) return sender.rejected;
    const call = { request, parameters, ...NOTHING_SENT };
    for (const { parse } of checksOf(route)) {
      const parsed = parse(request);
      if ('rejected' in parsed) return parsed.rejected;
      Object.assign(call, parsed.value);
    }
    const store = route.resource && (await stores.get(route.resource));
    const items = store?.({ requestId: request.id, owner: sender.owner, since });
    // Awaited, so that the stack of what it throws leads through here.
    return await route.run({ ...call, items });
  };
}

function openStores(routes: readonly AnyRoute[], openStore: OpenStore): ReadonlyMap<Resource, Promise<Store>> {
  const stores = new Map<Resource, Promise<Store>>();
  for (const route of routes) {
    const { resource } = route;
    if (resource && route.open) throw new Error(OPEN_ITEMS(route));
    if (!resource || stores.has(resource)) continue;
    for (const { name } of stores.keys()) {
      if (name === resource.name) throw new Error(`Two resources are named "${name}"`);
    }
    stores.set(resource, openStore(resource));
  }
  return stores;
}

/** Without a token, their items would be in the list that all share. */
const OPEN_ITEMS = ({ method, template }: AnyRoute) =>
  `${method} ${template} has a resource, so it can't be open: whose items would it be about? Leave out one of the two`;

const WITHOUT_SIGN_IN = { caller: undefined, owner: undefined };

const NOTHING_SENT = { query: {}, precondition: undefined, idempotencyKey: undefined, members: undefined, sent: {} };

/** An unsupported method returns 404, not 405. */
function notFound(request: Request, allowed: readonly string[]): Response {
  if (allowed.length === 0) return problemResponse(request, 'no-route');
  const methods = [...allowed, 'OPTIONS', ...(allowed.includes('GET') ? ['HEAD'] : [])].sort();
  const Allow = methods.join(', ');
  const patches = allowed.includes('PATCH') && ACCEPT_PATCH;
  if (request.method === 'OPTIONS') return { status: 204, headers: { ...API_HEADERS, Allow, ...patches } };
  const reason = `This path does not support ${quoted(request.method)}. It supports ${Allow}.`;
  return problemResponse(request, 'method-not-supported', { reason, headers: { Allow } });
}
