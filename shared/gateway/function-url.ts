import { EventRequest, type GatewayEvent } from './event.js';

/** A request through a function URL: an event of version 2.0 whose path, unlike an HTTP API's, is still encoded. */
export class FunctionUrlRequest extends EventRequest {
  readonly path: string;
  /** A function URL is the root of a host of its own. */
  readonly prefix = '';

  /**
   * @param event - The event.
   * @param method - The event's method.
   * @param path - The event's path.
   */
  constructor(event: GatewayEvent, method: string, path: string) {
    super(event, method);
    this.path = path;
  }
}
