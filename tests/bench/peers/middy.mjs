import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import httpRouterHandler from '@middy/http-router';
import { asset } from './assets.mjs';
import * as todo from './todo.mjs';

const send = ({ status, content, headers }) =>
  content
    ? { statusCode: status, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(content) }
    : { statusCode: status };
const serve = (name) => ({ statusCode: 200, ...asset(name) });
const withBody = (run) =>
  middy()
    .use(httpJsonBodyParser())
    .handler(async (event) => send(run(event)));

const collection = '/api/todo';
const item = '/api/todo/{id}';
const routes = [
  { method: 'GET', path: collection, handler: async () => send(todo.list()) },
  { method: 'POST', path: collection, handler: withBody(({ body }) => todo.create(body)) },
  { method: 'GET', path: item, handler: async ({ pathParameters }) => send(todo.find(pathParameters.id)) },
  { method: 'PUT', path: item, handler: withBody(({ body, pathParameters }) => todo.replace(pathParameters.id, body)) },
  { method: 'PATCH', path: item, handler: withBody(({ body, pathParameters }) => todo.patch(pathParameters.id, body)) },
  { method: 'DELETE', path: item, handler: async ({ pathParameters }) => send(todo.remove(pathParameters.id)) },
  { method: 'GET', path: '/swagger/v1/swagger.json', handler: async () => serve('document') },
  { method: 'GET', path: '/swagger/ui', handler: async () => serve('page.gzip') },
];

export const handler = middy()
  .use(httpErrorHandler({ logger: false }))
  .handler(httpRouterHandler({ routes }));
