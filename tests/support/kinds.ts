import offline from './events/offline.json';
import offlineStage from './events/offline-stage.json';
import restConsole from './events/rest-console.json';
import restCustomDomain from './events/rest-custom-domain.json';
import restStage from './events/rest-stage.json';

/** A request as a test describes it: the path without a prefix, as it stands in the URL. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** A kind of event: how the gateway in question hands a request to the function. */
export interface Kind {
  readonly name: string;
  /** What callers have in front of the path. */
  readonly prefix: string;
  event(sent: Sent): unknown;
}

/** Every kind of event that the function takes, each made from a recorded one. */
export const kinds: readonly Kind[] = [
  {
    name: 'a REST API under its stage',
    prefix: '/live',
    event: (sent) => rest(restStage, sent, { path: sent.path, fullPath: `/live${sent.path}` }),
  },
  {
    name: 'a REST API that takes all media types for binary',
    prefix: '/live',
    event: (sent) => inBase64(rest(restStage, sent, { path: sent.path, fullPath: `/live${sent.path}` })),
  },
  {
    name: 'a REST API under a base path of a custom domain',
    prefix: '/tasks/v2',
    event: (sent) => rest(restCustomDomain, sent, { path: `/tasks/v2${sent.path}`, fullPath: `/tasks/v2${sent.path}` }),
  },
  {
    name: 'a REST API at the root of a custom domain',
    prefix: '',
    event: (sent) => rest(restCustomDomain, sent, { path: sent.path, fullPath: sent.path }),
  },
  {
    name: "API Gateway's test console",
    prefix: '',
    event: (sent) => rest(restConsole, sent, { path: sent.path, fullPath: '/{proxy+}' }),
  },
  {
    name: 'serverless-offline',
    prefix: '',
    event: (sent) => emulated(rest(offline, sent, { path: sent.path, fullPath: sent.path })),
  },
  {
    name: 'serverless-offline with the stage in the URL',
    prefix: '/dev',
    event: (sent) => emulated(rest(offlineStage, sent, { path: sent.path, fullPath: sent.path }), '/dev'),
  },
];

type RestEvent = ReturnType<typeof rest>;

/** A recorded event, with the request in place of its own, and of its header fields those that say who called. */
function rest(
  recorded: { readonly headers: object | null; readonly requestContext: object },
  { method, path, headers, body }: Sent,
  paths: { readonly path: string; readonly fullPath: string },
) {
  const resource = path === '/' ? '/' : '/{proxy+}';
  const callers = Object.entries(recorded.headers ?? {}).filter(
    ([name]) => !/^(accept|content-.*|cookie)$/i.test(name),
  );
  const fields: [string, string][] = [...callers, ...Object.entries(headers)];
  return {
    ...recorded,
    resource,
    path: paths.path,
    httpMethod: method,
    headers: fields.length > 0 ? Object.fromEntries(fields) : null,
    multiValueHeaders: fields.length > 0 ? Object.fromEntries(fields.map(([name, value]) => [name, [value]])) : null,
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: path === '/' ? null : { proxy: path.slice(1).replace(/\/$/, '') },
    requestContext: { ...recorded.requestContext, httpMethod: method, path: paths.fullPath, resourcePath: resource },
    body: body ?? null,
    isBase64Encoded: false,
  };
}

function inBase64(event: RestEvent) {
  if (event.body === null) return event;
  return { ...event, body: Buffer.from(event.body).toString('base64'), isBase64Encoded: true };
}

/** The emulator drops a slash at the end, decodes the proxy parameter, and has prefixes in resource paths alone. */
function emulated(event: RestEvent, prefix = '') {
  const path = event.path.replace(/\/$/, '');
  const proxy = event.pathParameters && { proxy: decodeURIComponent(path.slice(1)) };
  const resource = proxy || !prefix ? event.resource : '';
  const resourcePath = `${prefix}${resource.replace('+', '*')}`;
  const context = { ...event.requestContext, path, resourcePath };
  return { ...event, path: path || (prefix ? '' : '/'), resource, pathParameters: proxy, requestContext: context };
}
