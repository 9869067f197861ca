import { EventRequest, type GatewayEvent, textOf } from './event.js';
import { routeStart, safePrefix } from './prefix.js';

/**
 * A request through an HTTP API: an event of version 2.0. The gateway has decoded its path already, so that an encoded
 * slash can't be told from a real one; what is left of `%` is encoded here again.
 */
export class HttpApiRequest extends EventRequest {
  readonly path: string;
  readonly #whole: string;
  readonly #start: number;

  /**
   * @param event - The event.
   * @param method - The event's method.
   * @param path - The event's path.
   */
  constructor(event: GatewayEvent, method: string, path: string) {
    super(event, method);
    this.#whole = path;
    this.#start = routeStart(event, path) ?? this.#prefixLength();
    const route = path.slice(this.#start);
    this.path = route.includes('%') ? route.replaceAll('%', '%25') : route;
  }

  /** What is in front of the route is the caller's own: a named stage, or the base path of a custom domain. */
  get prefix(): string {
    return safePrefix(this.#whole.slice(0, this.#start));
  }

  /** The root's route and the one that takes all have no proxy parameter. The stage `$default` is in no path. */
  #prefixLength(): number {
    if (textOf(this.event.routeKey).endsWith(' /')) return this.#whole.length;
    const stage = `/${textOf(this.context.stage)}`;
    return this.#whole === stage || this.#whole.startsWith(`${stage}/`) ? stage.length : 0;
  }
}
