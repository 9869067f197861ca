import { readFileSync } from 'node:fs';

/** The clients that there are: the event of each, as one request of it led to. */
export const EVENTS = ['browser', 'curl', 'http-api'];

/** What the runtime hands over beside the event, as far as anybody reads it. */
export const context = {
  awsRequestId: '7c2af7db-31f3-42b5-8a6d-9ffc74e3b9e0',
  functionName: 'bench',
  xRayTraceId: 'Root=1-6a5145a8-536f3e792f6be9b44c1f46fa;Parent=1a2b3c4d5e6f7a8b;Sampled=0',
  getRemainingTimeInMillis: () => 10_000,
};

const kind = process.env.BENCH_EVENT ?? 'browser';
const template = JSON.parse(readFileSync(new URL(`events/${kind}.json`, import.meta.url), 'utf8'));
const make = kind === 'http-api' ? httpApiEvent : restEvent;

/**
 * Makes an event as JSON, as the runtime gets it: that of the client which the variable `BENCH_EVENT` names, with this
 * request in place of its own.
 *
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {Record<string, string>} [more] - Header fields besides the client's own.
 * @returns {string}
 */
export function eventText(method, path, body, more) {
  const isWrite = method !== 'GET';
  const headers = {
    ...template.headers,
    ...(isWrite && kind === 'browser' && { origin: `https://${template.headers.Host}` }),
    ...(body && { 'content-type': 'application/json' }),
    ...more,
  };
  return JSON.stringify(make(method, path, headers, body ? JSON.stringify(body) : null));
}

/** Calls a handler once with an event of its own, and parses what it answers. */
export async function call(handler, method, path, body, more) {
  const result = await handler(JSON.parse(eventText(method, path, body, more)), context);
  const fields = [...Object.entries(result.multiValueHeaders ?? {}), ...Object.entries(result.headers ?? {})];
  const headers = Object.fromEntries(fields.map(([name, value]) => [name.toLowerCase(), String(value)]));
  const text = result.isBase64Encoded ? Buffer.from(result.body, 'base64').toString() : result.body;
  const isJson = headers['content-type']?.includes('json');
  return { status: result.statusCode, headers, content: isJson && text ? JSON.parse(text) : text };
}

function restEvent(httpMethod, path, headers, body) {
  return {
    ...template,
    path,
    httpMethod,
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    pathParameters: { proxy: path.slice(1) },
    requestContext: { ...template.requestContext, httpMethod, path: `/live${path}` },
    body,
  };
}

/** An HTTP API leaves out the body that isn't there. */
function httpApiEvent(method, path, headers, body) {
  const { requestContext } = template;
  return {
    ...template,
    rawPath: path,
    headers: body ? { ...headers, 'content-length': String(Buffer.byteLength(body)) } : headers,
    requestContext: { ...requestContext, http: { ...requestContext.http, method, path } },
    ...(body && { body }),
  };
}
