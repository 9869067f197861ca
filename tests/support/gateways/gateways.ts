import functionUrl from './events/function-url.json';
import httpApi from './events/http-api.json';
import httpApiPayload1 from './events/http-api-payload-1.json';
import httpApiStage from './events/http-api-stage.json';
import offline from './events/offline.json';
import offlineStage from './events/offline-stage.json';
import restConsole from './events/rest-console.json';
import restCustomDomain from './events/rest-custom-domain.json';
import restStage from './events/rest-stage.json';

/** A request as a test describes it. Path and query are as in the URL, without a prefix and without `?`. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** A gateway, and how it passes requests to the function. */
export interface Gateway {
  readonly name: string;
  /** What callers have in front of the path. */
  readonly prefix: string;
  /** Whether it decodes paths, so that an encoded slash becomes a real one. */
  readonly decodes?: true;
  event(sent: Sent): unknown;
}

/** All gateways that the function takes events of. Events are made from recorded ones. */
export const gateways: readonly Gateway[] = [
  restUnder('/live'),
  {
    ...restUnder('/live'),
    name: 'a REST API that takes all media types for binary',
    event: (sent) => inBase64(rest(restStage, sent, '', '/live')),
  },
  {
    name: 'a REST API under a base path of a custom domain',
    prefix: '/tasks/v2',
    event: (sent) => rest(restCustomDomain, sent, '/tasks/v2'),
  },
  { name: 'a REST API at the root of a custom domain', prefix: '', event: (sent) => rest(restCustomDomain, sent) },
  { name: "API Gateway's test console", prefix: '', event: (sent) => inConsole(rest(restConsole, sent)) },
  {
    name: 'an HTTP API',
    prefix: '',
    decodes: true,
    event: (sent) => payload2(httpApi, sent, { rawPath: decode(sent.path) }),
  },
  {
    name: 'an HTTP API under a named stage',
    prefix: '/beta',
    decodes: true,
    event: (sent) => payload2(httpApiStage, sent, underStage(decode(sent.path), '/beta')),
  },
  { name: 'an HTTP API with payload 1.0', prefix: '', event: (sent) => rest(httpApiPayload1, sent) },
  { name: 'a function URL', prefix: '', event: (sent) => payload2(functionUrl, sent, { rawPath: sent.path }) },
  { name: 'serverless-offline', prefix: '', event: (sent) => emulated(rest(offline, sent)) },
  {
    name: 'serverless-offline with the stage in the URL',
    prefix: '/dev',
    event: (sent) => emulated(rest(offlineStage, sent), '/dev'),
  },
];

/** Three of them that differ most, for tests that need not run behind all. */
export const typicalGateways: readonly Gateway[] = gateways.filter(({ name }) =>
  /^a REST API that takes all|HTTP API under a named|offline with the stage/.test(name),
);

/** A REST API whose callers have a prefix in front of the path, such as its stage. The event's path does not have it. */
export function restUnder(prefix: string): Gateway {
  return { name: 'a REST API under its stage', prefix, event: (sent) => rest(restStage, sent, '', prefix) };
}

type RestEvent = ReturnType<typeof rest>;

/**
 * Puts a request into a recorded event of version 1.0. Of the recorded header fields, only those about the caller stay.
 *
 * @param base - What the event's path has in front of the route.
 * @param prefix - What the caller's own path has in front of it.
 */
function rest(
  recorded: { readonly headers: object | null; readonly requestContext: object },
  { method, path, query = '', headers, body }: Sent,
  base = '',
  prefix = base,
) {
  const parameters = new URLSearchParams(query);
  const all = Array.from(parameters.keys(), (name) => [name, parameters.getAll(name)]);
  const resource = path === '/' ? '/' : '/{proxy+}';
  const fields = [...callers(recorded.headers), ...Object.entries(headers)];
  return {
    ...recorded,
    resource,
    path: base + path,
    httpMethod: method,
    headers: fields.length > 0 ? Object.fromEntries(fields) : null,
    multiValueHeaders: fields.length > 0 ? Object.fromEntries(fields.map(([name, value]) => [name, [value]])) : null,
    queryStringParameters: query ? Object.fromEntries(parameters) : null,
    multiValueQueryStringParameters: query ? Object.fromEntries(all) : null,
    pathParameters: path === '/' ? null : { proxy: path.slice(1).replace(/\/$/, '') },
    requestContext: { ...recorded.requestContext, httpMethod: method, path: prefix + path, resourcePath: resource },
    body: body ?? null,
    isBase64Encoded: false,
  };
}

/** The header fields that say who called. */
function callers(headers: object | null): [string, string][] {
  return Object.entries(headers ?? {}).filter(([name]) => !/^(accept|content-.*|cookie|origin)$/i.test(name));
}

/** The same for version 2.0. Names are in lower case, missing members are left out instead of null, and only text is not in base64. */
function payload2(
  recorded: { readonly headers: object; readonly requestContext: { readonly http: object } },
  { method, path, query = '', headers, body }: Sent,
  changes: { readonly rawPath: string },
) {
  const fields = [...callers(recorded.headers), ...Object.entries(headers)];
  const lowered = Object.fromEntries(fields.map(([name, value]) => [name.toLowerCase(), value]));
  const http = { ...recorded.requestContext.http, method, path: decode(path) };
  const parameters = new URLSearchParams(query);
  const joined = Array.from(parameters.keys(), (name) => [name, parameters.getAll(name).join(',')]);
  const isText = /^(text\/|application\/(json|xml|javascript)\b)/.test(lowered['content-type'] ?? '');
  return {
    ...recorded,
    rawQueryString: query,
    // The values of a repeated parameter are joined by commas.
    queryStringParameters: query ? Object.fromEntries(joined) : undefined,
    headers: lowered,
    requestContext: { ...recorded.requestContext, http },
    body: body && (isText ? body : Buffer.from(body).toString('base64')),
    isBase64Encoded: body !== undefined && !isText,
    ...changes,
  };
}

function underStage(path: string, stage: string) {
  const proxy = path.slice(1).replace(/\/$/, '');
  return {
    rawPath: stage + path,
    routeKey: proxy ? 'ANY /{proxy+}' : 'ANY /',
    pathParameters: proxy ? { proxy } : undefined,
  };
}

/** How the gateway decodes a malformed escape is not known, so a path with one stays as it is. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function inBase64(event: RestEvent) {
  if (event.body === null) return event;
  return { ...event, body: Buffer.from(event.body).toString('base64'), isBase64Encoded: true };
}

/** The console has the resource's template instead of the caller's path. */
function inConsole(event: RestEvent) {
  return { ...event, requestContext: { ...event.requestContext, path: '/{proxy+}' } };
}

/** The emulator drops a slash at the end, decodes the proxy parameter, and has prefixes only in resource paths. */
function emulated(event: RestEvent, prefix = '') {
  const path = event.path.replace(/\/$/, '');
  const proxy = event.pathParameters && { proxy: decodeURIComponent(path.slice(1)) };
  const resource = proxy || !prefix ? event.resource : '';
  const resourcePath = `${prefix}${resource.replace('+', '*')}`;
  const context = { ...event.requestContext, path, resourcePath };
  return { ...event, path: path || (prefix ? '' : '/'), resource, pathParameters: proxy, requestContext: context };
}
