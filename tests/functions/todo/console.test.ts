import { expect, it } from '@jest/globals';
import { makeDeployed } from '../../support/service/deployed.js';

/** What API Gateway's test console sends, without the members about the caller: no header fields, and the template as its path. */
const FROM_THE_TEST_CONSOLE = {
  resource: '/{proxy+}',
  path: '/api/todo',
  httpMethod: 'POST',
  headers: null,
  multiValueHeaders: null,
  queryStringParameters: null,
  multiValueQueryStringParameters: null,
  pathParameters: { proxy: 'api/todo' },
  stageVariables: null,
  requestContext: {
    resourcePath: '/{proxy+}',
    httpMethod: 'POST',
    path: '/{proxy+}',
    stage: 'test-invoke-stage',
    requestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
  },
  body: '{"name":"Walk the dog"}',
  isBase64Encoded: false,
};

const CREATED = {
  statusCode: 201,
  headers: {
    'Content-Type': 'application/json; charset=utf-8',
    Vary: 'Accept',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ETag: '"1"',
    Location: '/api/todo/019aa5f2-7c4f-7b58-8c1e-0a2b9d4f6e13',
  },
  body: '{"key":"019aa5f2-7c4f-7b58-8c1e-0a2b9d4f6e13","name":"Walk the dog","isComplete":false}',
  isBase64Encoded: false,
};

/** What Lambda's test console offers as an example. No gateway sends it. */
const SAMPLE = { key1: 'value1', key2: 'value2', key3: 'value3' };

const UNKNOWN = {
  statusCode: 400,
  headers: {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  },
  body: '{"type":"about:blank","code":"unknown-event","title":"Bad Request","status":400,"detail":"The function was invoked with an event with the members \\"key1, key2, key3\\". It takes events from REST APIs, HTTP APIs and function URLs.","requestId":""}',
  isBase64Encoded: false,
};

const withoutKeys = (value: unknown) =>
  JSON.parse(JSON.stringify(value).replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'KEY'));

it.each([
  ["API Gateway's test console creates an item", FROM_THE_TEST_CONSOLE, CREATED],
  ["the sample event of Lambda's test console returns 400, which says which events are taken", SAMPLE, UNKNOWN],
])('%s', async (_what, event, result) => {
  expect(withoutKeys(await makeDeployed()(event))).toEqual(withoutKeys(result));
});
