import { readFileSync } from 'node:fs';

/** The context of an invocation, as far as any implementation reads it. */
const context = {
  awsRequestId: '7c2af7db-31f3-42b5-8a6d-9ffc74e3b9e0',
  functionName: 'bench',
  xRayTraceId: 'Root=1-6a5145a8-536f3e792f6be9b44c1f46fa;Parent=1a2b3c4d5e6f7a8b;Sampled=0',
  getRemainingTimeInMillis: () => 10_000,
};

/** The members of each new item. */
export const MEMBERS = { name: 'Walk the dog, and do not forget the bags', isComplete: false };

/** The event of a browser's request to a REST API. The gateway repeats the header fields in `multiValueHeaders`. */
const browser = JSON.parse(readFileSync(new URL('events/browser.json', import.meta.url), 'utf8'));

/** Makes an event, as JSON, with more header fields than the browser's own. */
function eventText(method, path, body, more) {
  const headers = {
    ...browser.headers,
    ...(method !== 'GET' && { origin: `https://${browser.headers.Host}` }),
    ...(body && { 'content-type': 'application/json' }),
    ...(process.env.TOKEN && { Authorization: `Bearer ${process.env.TOKEN}` }),
    ...more,
  };
  return JSON.stringify({
    ...browser,
    path,
    httpMethod: method,
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    pathParameters: { proxy: path.slice(1) },
    requestContext: { ...browser.requestContext, httpMethod: method, path: `/live${path}` },
    body: body ? JSON.stringify(body) : null,
  });
}

/** Makes the event of the list through an HTTP API, as JSON, for a caller who takes this content coding. */
function listEvent(coding) {
  const http = { method: 'GET', path: '/api/todo' };
  const requestContext = { requestId: 'JKJaXmPLvHcESHA=', domainName: browser.headers.Host, stage: '$default', http };
  const headers = Object.entries({ ...browser.headers, 'Accept-Encoding': coding });
  return JSON.stringify({
    ...{ version: '2.0', routeKey: '$default', rawPath: http.path, rawQueryString: '', isBase64Encoded: false },
    ...{ requestContext, headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])) },
  });
}

/** Calls a handler as Lambda does: parses the event's JSON, and writes the result as JSON. */
export async function invoke(handler, text) {
  return JSON.stringify(await handler(JSON.parse(text), context));
}

/** Calls a handler once, and parses its result. */
export async function call(handler, method, path, body, more) {
  const result = JSON.parse(await invoke(handler, eventText(method, path, body, more)));
  const fields = [...Object.entries(result.multiValueHeaders ?? {}), ...Object.entries(result.headers ?? {})];
  const headers = Object.fromEntries(fields.map(([name, value]) => [name.toLowerCase(), String(value)]));
  const isJson = headers['content-type']?.includes('json') && result.body;
  return { status: result.statusCode, headers, content: isJson ? JSON.parse(result.body) : result.body };
}

/** Creates or deletes items until there are `count`, as a table keeps those of earlier rounds, and returns all keys. */
export async function fill(handler, count) {
  const keys = (await call(handler, 'GET', '/api/todo')).content.map((item) => item.key);
  while (keys.length < count) keys.push((await call(handler, 'POST', '/api/todo', MEMBERS)).content.key);
  for (const key of keys.splice(count)) await call(handler, 'DELETE', `/api/todo/${key}`);
  return keys;
}

/**
 * The operations that are timed, by name: functions that make the events of the next time, as JSON.
 *
 * @param {string[]} keys - Of the items that are read and changed.
 * @param {string[]} created - The keys of those that were created since: they are deleted.
 */
export function operationsOn(keys, created) {
  let turn = 0;
  const nextKey = () => {
    turn += 7919;
    return keys[turn % keys.length];
  };
  const item = (method, key, body) => eventText(method, `/api/todo/${key}`, body);
  const list = () => [eventText('GET', '/api/todo')];
  const patch = () => [item('PATCH', nextKey(), { isComplete: false })];
  const put = (key) => [item('PUT', key, { key, ...MEMBERS, isComplete: true })];
  return {
    [`list of ${keys.length}`]: list,
    get: () => [item('GET', nextKey())],
    post: () => [eventText('POST', '/api/todo', MEMBERS)],
    put: () => put(nextKey()),
    patch,
    delete: () => [item('DELETE', created.pop())],
    document: () => [eventText('GET', '/swagger/v1/swagger.json')],
    page: () => [eventText('GET', '/swagger/ui')],
    'unknown route': () => [eventText('GET', '/api/nowhere/to/be/found')],
    [`patch, list of ${keys.length}`]: () => [...patch(), ...list()],
    [`list of ${keys.length}, HTTP API`]: () => [listEvent(process.env.CODING)],
  };
}
