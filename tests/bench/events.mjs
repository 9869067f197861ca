import { readFileSync } from 'node:fs';

const recorded = JSON.parse(readFileSync(new URL('../support/events/rest-stage.json', import.meta.url), 'utf8'));

/** What the runtime hands over beside the event, as far as anybody reads it. */
export const context = {
  awsRequestId: recorded.requestContext.requestId,
  functionName: 'bench',
  getRemainingTimeInMillis: () => 10_000,
};

/**
 * Makes an event as JSON, as the runtime gets it: a recorded one of a REST API, with this request in place of its own.
 *
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {string}
 */
export function eventText(method, path, body) {
  const { 'content-type': type, ...callers } = recorded.headers;
  const headers = body ? { ...callers, 'content-type': type } : callers;
  return JSON.stringify({
    ...recorded,
    path,
    httpMethod: method,
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: { proxy: path.slice(1) },
    requestContext: { ...recorded.requestContext, httpMethod: method, path: `/live${path}` },
    body: body ? JSON.stringify(body) : null,
  });
}

/** Calls a handler once with an event of its own, and parses what it answers. */
export async function call(handler, method, path, body) {
  const result = await handler(JSON.parse(eventText(method, path, body)), context);
  const fields = [...Object.entries(result.multiValueHeaders ?? {}), ...Object.entries(result.headers ?? {})];
  const headers = Object.fromEntries(fields.map(([name, value]) => [name.toLowerCase(), String(value)]));
  const text = result.isBase64Encoded ? Buffer.from(result.body, 'base64').toString() : result.body;
  const isJson = headers['content-type']?.includes('json');
  return { status: result.statusCode, headers, content: isJson ? JSON.parse(text) : text };
}
