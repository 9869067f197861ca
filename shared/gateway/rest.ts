import type { APIGatewayProxyResult } from 'aws-lambda';
import { type Request, segmentsOf } from '../http/request.js';
import { findHeader, type Gateway, isObject, safePrefix, textOf } from './gateway.js';

/** API Gateway's REST APIs, its test console and serverless-offline: proxy events of version 1.0. */
export const restGateway: Gateway = {
  read: (event) => (isRestEvent(event) ? new RestRequest(event) : undefined),
  write: ({ status, headers, body, isBase64Encoded }): APIGatewayProxyResult => ({
    statusCode: status,
    headers: headers as Record<string, string>,
    body: body ?? '',
    isBase64Encoded: isBase64Encoded ?? false,
  }),
};

type RestEvent = Readonly<Record<string, unknown>> & { readonly httpMethod: string; readonly path: string };

/** A load balancer's events look alike, but it takes other results. */
function isRestEvent(event: unknown): event is RestEvent {
  if (!isObject(event) || typeof event.httpMethod !== 'string' || typeof event.path !== 'string') return false;
  return !(isObject(event.requestContext) && 'elb' in event.requestContext);
}

class RestRequest implements Request {
  readonly method: string;
  readonly segments: readonly string[];
  readonly #event: RestEvent;
  readonly #context: Readonly<Record<string, unknown>>;
  readonly #route: string;

  constructor(event: RestEvent) {
    this.#event = event;
    this.#context = isObject(event.requestContext) ? event.requestContext : {};
    this.#route = event.path.slice(routeStart(event));
    this.method = event.httpMethod;
    this.segments = segmentsOf(this.#route, true);
  }

  get id(): string {
    return textOf(this.#context.requestId);
  }

  get body(): string | undefined {
    return typeof this.#event.body === 'string' ? this.#event.body : undefined;
  }

  get isBase64Encoded(): boolean {
    return this.#event.isBase64Encoded === true;
  }

  /**
   * The caller's own path is in `requestContext.path`: stage or base path, then the route. The test console has the
   * resource's template there, and serverless-offline no prefix, but one in front of its `resourcePath`.
   */
  get prefix(): string {
    const path = textOf(this.#context.path);
    const resource = textOf(this.#event.resource);
    const resourcePath = textOf(this.#context.resourcePath);
    const emulated = resourcePath.slice(0, Math.max(0, resourcePath.length - resource.length));
    const route = this.segments.length === 0 && !path.endsWith('/') ? '' : this.#route;
    return safePrefix(path.endsWith(route) ? emulated + path.slice(0, path.length - route.length) : emulated);
  }

  header(name: string): string | undefined {
    return findHeader(this.#event.multiValueHeaders, name) ?? findHeader(this.#event.headers, name);
  }
}

/**
 * Finds where the route begins in the event's path: behind a custom domain's base path, which the proxy parameter
 * never has. The proxy parameter alone would not do: it lacks a slash at the end, and the emulator decodes it.
 */
function routeStart({ path, pathParameters, resource }: RestEvent): number {
  const proxy = isObject(pathParameters) ? pathParameters.proxy : undefined;
  if (typeof proxy !== 'string' || proxy === '') return resource === '/' ? path.length : 0;
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  const start = end - proxy.length - 1;
  return path[start] === '/' && path.endsWith(proxy, end) ? start : 0;
}
