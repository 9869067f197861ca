import { contextOf, EventRequest, type GatewayEvent, textOf } from './event.js';
import { routeStart, safePrefix } from './prefix.js';

/**
 * A request through an HTTP API: an event of version 2.0. The gateway has already decoded the path, so an encoded slash
 * looks like a real one. A remaining `%` is encoded again here.
 */
export class HttpApiRequest extends EventRequest {
  /** What the path has in front of the route: a named stage, or the base path of a custom domain. */
  readonly prefix: string;
  readonly gatewayCompresses = false;

  constructor(event: GatewayEvent, method: string, path: string, awsRequestId?: string) {
    const start = routeStart(event, textOf(event.routeKey), path) ?? prefixLength(event, path);
    const route = path.slice(start);
    super(event, method, route.includes('%') ? route.replaceAll('%', '%25') : route, awsRequestId);
    this.prefix = safePrefix(path.slice(0, start));
  }
}

/** A request through a function URL: an event of version 2.0 whose path, unlike an HTTP API's, is still encoded. */
export class FunctionUrlRequest extends EventRequest {
  readonly prefix = '';
  readonly gatewayCompresses = false;
}

/** For routes without a proxy parameter: the root's, and `$default`. The stage `$default` is in no path. */
function prefixLength(event: GatewayEvent, path: string): number {
  if (textOf(event.routeKey).endsWith(' /')) return path.length;
  const name = textOf(contextOf(event).stage);
  if (name === '$default') return 0;
  const stage = `/${name}`;
  return path === stage || path.startsWith(`${stage}/`) ? stage.length : 0;
}
