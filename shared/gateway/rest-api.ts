import { EventRequest, type GatewayEvent, isObject, textOf } from './event.js';
import { routeStart, safePrefix } from './prefix.js';

/** A REST API, its test console, serverless-offline, or an HTTP API with payload 1.0. The path is still encoded. */
export class RestRequest extends EventRequest {
  constructor(event: GatewayEvent, method: string, path: string, awsRequestId?: string) {
    // Under a base path, the path of the root is only that base path.
    const start = routeStart(event, textOf(event.resource), path) ?? (event.resource === '/' ? path.length : 0);
    // Only `multiValueHeaders` contains all values. In the test console, both may be null.
    super(event, method, path.slice(start), awsRequestId, event.multiValueHeaders ?? event.headers);
  }

  /**
   * `requestContext.path` is the caller's own path, with stage or base path. In the test console it is the resource's
   * template. In serverless-offline it has no prefix, but `resourcePath` does.
   */
  get prefix(): string {
    const path = textOf(this.context.path);
    const resource = textOf(this.event.resource);
    const resourcePath = textOf(this.context.resourcePath);
    const emulated = resourcePath.slice(0, Math.max(0, resourcePath.length - resource.length));
    return safePrefix(path.endsWith(this.path) ? emulated + path.slice(0, path.length - this.path.length) : emulated);
  }

  /** Only an HTTP API with payload 1.0 sends a version, and it doesn't compress. */
  get gatewayCompresses(): boolean {
    return this.event.version === undefined;
  }

  override query(name: string): string | undefined {
    const { queryStringParameters, multiValueQueryStringParameters } = this.event;
    return lastOf(queryStringParameters, name) ?? lastOf(multiValueQueryStringParameters, name);
  }
}

function lastOf(parameters: unknown, name: string): string | undefined {
  if (!isObject(parameters) || !Object.hasOwn(parameters, name)) return undefined;
  const value = parameters[name];
  const last = Array.isArray(value) ? value.at(-1) : value;
  return typeof last === 'string' ? last : undefined;
}
