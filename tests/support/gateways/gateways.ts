import { decodeSegment } from '../../../shared/http/percent-encoding.js';
import functionUrl from './events/function-url.json';
import httpApi from './events/http-api.json';
import httpApiPayload1 from './events/http-api-payload-1.json';
import httpApiStage from './events/http-api-stage.json';
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
  /** Whether it compresses long responses itself. */
  readonly compresses?: true;
  event(sent: Sent): unknown;
}

/** All gateways that the function takes events of. Events are made from recorded ones. */
export const gateways: readonly Gateway[] = [
  restUnder('/live'),
  {
    name: 'a REST API under a base path of a custom domain',
    prefix: '/tasks/v2',
    compresses: true,
    event: (sent) => rest(restCustomDomain, sent, '/tasks/v2'),
  },
  {
    name: "API Gateway's test console",
    prefix: '',
    compresses: true,
    event: (sent) => rest(restConsole, sent, '', '/{proxy+}'),
  },
  {
    name: 'an HTTP API',
    prefix: '',
    decodes: true,
    event: (sent) => payload2(httpApi, sent, { rawPath: decodeSegment(sent.path) }),
  },
  {
    name: 'an HTTP API under a named stage',
    prefix: '/beta',
    decodes: true,
    event(sent) {
      const path = decodeSegment(sent.path);
      const proxy = path.slice(1).replace(/\/$/, '');
      const route = { routeKey: proxy ? 'ANY /{proxy+}' : 'ANY /', pathParameters: proxy ? { proxy } : undefined };
      return payload2(httpApiStage, sent, { rawPath: `/beta${path}`, ...route });
    },
  },
  { name: 'an HTTP API with payload 1.0', prefix: '', event: (sent) => rest(httpApiPayload1, sent) },
  { name: 'a function URL', prefix: '', event: (sent) => payload2(functionUrl, sent, { rawPath: sent.path }) },
  {
    name: 'serverless-offline with the stage in the URL',
    prefix: '/dev',
    compresses: true,
    event(sent) {
      // The emulator drops a slash at the end, decodes the proxy parameter, and has the stage only in the resource's path.
      const path = sent.path.replace(/\/$/, '');
      const { requestContext, ...event } = rest(offlineStage, sent, '', path);
      return {
        ...event,
        path,
        resource: path && '/{proxy+}',
        pathParameters: path ? { proxy: decodeURIComponent(path.slice(1)) } : null,
        requestContext: { ...requestContext, resourcePath: path ? '/dev/{proxy*}' : '/dev' },
      };
    },
  },
];

/** The three of them that differ most, for tests that need not run behind all. */
export const typicalGateways: readonly Gateway[] = gateways.filter(({ name }) => name.includes('stage'));

/** The field `Vary` of lists behind a gateway. */
export const varyOfLists = ({ compresses }: Gateway) => (compresses ? 'Accept' : 'Accept, Accept-Encoding');

/** A REST API whose callers have a prefix in front of the path. As in serverless.yml, all media types count as binary. */
export function restUnder(prefix: string): Gateway {
  return {
    name: 'a REST API under its stage',
    prefix,
    compresses: true,
    event(sent) {
      const body = sent.body && Buffer.from(sent.body).toString('base64');
      return { ...rest(restStage, { ...sent, body }, '', prefix + sent.path), isBase64Encoded: body !== undefined };
    },
  };
}

/**
 * Puts a request into a recorded event of version 1.0.
 *
 * @param base - What the event's path has in front of the route.
 * @param whole - The path with what the caller has in front of it.
 */
function rest(
  recorded: { readonly requestContext: object },
  { method, path, query = '', headers, body }: Sent,
  base = '',
  whole = base + path,
) {
  const parameters = new URLSearchParams(query);
  const all = Array.from(parameters.keys(), (name) => [name, parameters.getAll(name)]);
  const resource = path === '/' ? '/' : '/{proxy+}';
  return {
    ...recorded,
    resource,
    path: base + path,
    httpMethod: method,
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    queryStringParameters: query ? Object.fromEntries(parameters) : null,
    multiValueQueryStringParameters: query ? Object.fromEntries(all) : null,
    pathParameters: path === '/' ? null : { proxy: path.slice(1).replace(/\/$/, '') },
    requestContext: { ...recorded.requestContext, path: whole, resourcePath: resource },
    body: body ?? null,
    isBase64Encoded: false,
  };
}

/** The same for version 2.0: names are in lower case, and only text is not in base64. */
function payload2(
  recorded: { readonly requestContext: { readonly http: object } },
  { method, path, query = '', headers, body }: Sent,
  changes: { readonly rawPath: string },
) {
  const lowered = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const isText = /^(text\/|application\/(json|xml|javascript)\b)/.test(lowered['content-type'] ?? '');
  return {
    ...recorded,
    rawQueryString: query,
    headers: lowered,
    requestContext: {
      ...recorded.requestContext,
      http: { ...recorded.requestContext.http, method, path: decodeSegment(path) },
    },
    body: body && (isText ? body : Buffer.from(body).toString('base64')),
    isBase64Encoded: body !== undefined && !isText,
    ...changes,
  };
}
