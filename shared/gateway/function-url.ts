import { EventRequest } from './event.js';

/** A request through a function URL: an event of version 2.0 whose path, unlike an HTTP API's, is still encoded. */
export class FunctionUrlRequest extends EventRequest {
  /** A function URL is the root of a host of its own. */
  readonly prefix = '';
}
