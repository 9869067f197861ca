import { contextOf, EventRequest, type GatewayEvent, textOf } from './event.js';
import { routeStart, safePrefix } from './prefix.js';

/**
 * An HTTP API, payload 2.0. The gateway has decoded the path already, so an encoded slash looks like a real one. A
 * remaining `%` is encoded again here.
 */
export class HttpApiRequest extends EventRequest {
  /** A named stage, or the base path of a custom domain. */
  readonly prefix: string;
  readonly gatewayCompresses = false;

  constructor(event: GatewayEvent, method: string, path: string, awsRequestId?: string) {
    const start = routeStart(event, textOf(event.routeKey), path) ?? prefixLength(event, path);
    const route = path.slice(start);
    super(event, method, route.includes('%') ? route.replaceAll('%', '%25') : route, awsRequestId);
    this.prefix = safePrefix(path.slice(0, start));
  }
}

/** A function URL, payload 2.0. Unlike an HTTP API's, its path is still encoded. */
export class FunctionUrlRequest extends EventRequest {
  readonly prefix = '';
  readonly gatewayCompresses = false;
}

/** For the routes `/` and `$default`, which have no proxy parameter. The stage `$default` is in no path. */
function prefixLength(event: GatewayEvent, path: string): number {
  if (textOf(event.routeKey).endsWith(' /')) return path.length;
  const name = textOf(contextOf(event).stage);
  if (name === '$default') return 0;
  const stage = `/${name}`;
  return path === stage || path.startsWith(`${stage}/`) ? stage.length : 0;
}
