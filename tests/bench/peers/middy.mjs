import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import httpRouterHandler from '@middy/http-router';
import { create, flaw, items, replace } from './items.mjs';

const headers = { 'Content-Type': 'application/json' };
const NOT_FOUND = { statusCode: 404, headers, body: '{"message":"Not Found"}' };
const NO_CONTENT = { statusCode: 204 };

const json = (statusCode, content, more) => ({
  statusCode,
  headers: { ...headers, ...more },
  body: JSON.stringify(content),
});

const withBody = (handler) => middy().use(httpJsonBodyParser()).handler(handler);

const routes = [
  { method: 'GET', path: '/api/todo', handler: async () => json(200, [...items.values()]) },
  {
    method: 'POST',
    path: '/api/todo',
    handler: withBody(async ({ body }) => {
      const message = flaw(body);
      if (message) return json(400, { message });
      const item = create(body);
      return json(201, item, { Location: `/api/todo/${item.key}` });
    }),
  },
  {
    method: 'GET',
    path: '/api/todo/{id}',
    handler: async ({ pathParameters: { id } }) => (items.has(id) ? json(200, items.get(id)) : NOT_FOUND),
  },
  {
    method: 'PUT',
    path: '/api/todo/{id}',
    handler: withBody(async ({ body, pathParameters: { id } }) => {
      const message = flaw(body, id);
      if (message) return json(400, { message });
      if (!items.has(id)) return NOT_FOUND;
      replace(id, body);
      return NO_CONTENT;
    }),
  },
  {
    method: 'PATCH',
    path: '/api/todo/{id}',
    handler: withBody(async ({ body, pathParameters: { id } }) => {
      if (!items.has(id)) return NOT_FOUND;
      const item = { ...items.get(id), ...body, key: id };
      const message = flaw(item);
      if (message) return json(400, { message });
      replace(id, item);
      return NO_CONTENT;
    }),
  },
  {
    method: 'DELETE',
    path: '/api/todo/{id}',
    handler: async ({ pathParameters: { id } }) => (items.delete(id) ? NO_CONTENT : NOT_FOUND),
  },
  {
    method: 'GET',
    path: '/swagger/v1/swagger.json',
    handler: async () => ({ statusCode: 200, headers, body: DOCUMENT }),
  },
];

export const handler = middy()
  .use(httpErrorHandler({ logger: false }))
  .handler(httpRouterHandler({ routes }));
