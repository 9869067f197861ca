import { readFileSync } from 'node:fs';

/** The context of an invocation, as far as any implementation reads it. */
export const context = {
  awsRequestId: '7c2af7db-31f3-42b5-8a6d-9ffc74e3b9e0',
  functionName: 'bench',
  xRayTraceId: 'Root=1-6a5145a8-536f3e792f6be9b44c1f46fa;Parent=1a2b3c4d5e6f7a8b;Sampled=0',
  getRemainingTimeInMillis: () => 10_000,
};

/** The members of each new item. */
const MEMBERS = { name: 'Walk the dog, and do not forget the bags', isComplete: false };

/** The event of a browser's request to a REST API. The gateway repeats the header fields in `multiValueHeaders`. */
const browser = JSON.parse(readFileSync(new URL('events/browser.json', import.meta.url), 'utf8'));

/**
 * Makes an event, as JSON.
 *
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {Record<string, string>} [more] - Header fields besides the browser's own.
 * @returns {string}
 */
export function eventText(method, path, body, more) {
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
  return { ...result, status: result.statusCode, headers, content: isJson ? JSON.parse(result.body) : result.body };
}

/** Creates items until there are `count`. */
export async function fill(handler, count) {
  const { length } = (await call(handler, 'GET', '/api/todo')).content;
  await create(handler, count - length);
}

/**
 * The operations that are timed, by name: functions that make the events of a number of calls, as JSON. The number of items
 * stays the same: `undo` deletes what `post` has created, and `delete` creates what it deletes.
 */
export async function operationsOn(handler) {
  const keys = (await call(handler, 'GET', '/api/todo')).content.map((item) => item.key);
  let turn = 0;
  const nextPath = () => {
    turn += 7919;
    return `/api/todo/${keys[turn % keys.length]}`;
  };
  const each = (make) => (count) => Array.from({ length: count }, () => make(nextPath()));
  return {
    list: each(() => eventText('GET', '/api/todo')),
    get: each((path) => eventText('GET', path)),
    post: each(() => eventText('POST', '/api/todo', MEMBERS)),
    put: each((path) => eventText('PUT', path, { key: path.slice(-36), ...MEMBERS, isComplete: true })),
    patch: each((path) => eventText('PATCH', path, { isComplete: false })),
    delete: async (count) => (await create(handler, count)).map((key) => eventText('DELETE', `/api/todo/${key}`)),
    'unknown route': each(() => eventText('GET', '/api/nowhere/to/be/found')),
    document: each(() => eventText('GET', '/swagger/v1/swagger.json')),
    page: each(() => eventText('GET', '/swagger/ui')),
  };
}

/** Deletes what `post` has created, given its results. */
export async function undo(handler, results) {
  for (const result of results) {
    const { key } = JSON.parse(JSON.parse(result).body);
    await call(handler, 'DELETE', `/api/todo/${key}`);
  }
}

async function create(handler, count) {
  const keys = [];
  while (keys.length < count) {
    const { status, content } = await call(handler, 'POST', '/api/todo', MEMBERS);
    if (status !== 201) throw new Error(`POST answers ${status}`);
    keys.push(content.key);
  }
  return keys;
}
