// The same API by five frameworks, each as its users write it. A bundle has one of them.
import { Router } from '@aws-lambda-powertools/event-handler/http';
import awsLambdaFastify from '@fastify/aws-lambda';
import middyCore from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import httpRouterHandler from '@middy/http-router';
import expressCore from 'express';
import fastifyCore from 'fastify';
import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import serverless from 'serverless-http';
import { asset, page } from './assets.mjs';
import * as todo from './todo.mjs';

const DOCUMENT = '/swagger/v1/swagger.json';
const PAGE = '/swagger/ui';

export function middy() {
  const withBody = (run) =>
    middyCore()
      .use(httpJsonBodyParser())
      .handler(async (event) => resultOf(run(event)));
  const list = '/api/todo';
  const item = '/api/todo/{id}';
  const routes = [
    { method: 'GET', path: list, handler: async () => resultOf(todo.list()) },
    { method: 'POST', path: list, handler: withBody(({ body }) => todo.create(body)) },
    { method: 'GET', path: item, handler: async ({ pathParameters }) => resultOf(todo.find(pathParameters.id)) },
    {
      method: 'PUT',
      path: item,
      handler: withBody(({ body, pathParameters }) => todo.replace(pathParameters.id, body)),
    },
    {
      method: 'PATCH',
      path: item,
      handler: withBody(({ body, pathParameters }) => todo.patch(pathParameters.id, body)),
    },
    { method: 'DELETE', path: item, handler: async ({ pathParameters }) => resultOf(todo.remove(pathParameters.id)) },
    { method: 'GET', path: DOCUMENT, handler: async () => ({ statusCode: 200, ...asset('document') }) },
    { method: 'GET', path: PAGE, handler: async () => ({ statusCode: 200, ...asset('page.gzip') }) },
  ];
  return middyCore()
    .use(httpErrorHandler({ logger: false }))
    .handler(httpRouterHandler({ routes }));
}

export function powertools() {
  const quiet = () => {};
  const app = new Router({ logger: { debug: quiet, info: quiet, warn: quiet, error: quiet } });
  app.get('/api/todo', () => resultOf(todo.list()));
  app.post('/api/todo', async ({ req }) => resultOf(todo.create(await req.json())));
  app.get('/api/todo/:id', ({ params }) => resultOf(todo.find(params.id)));
  app.put('/api/todo/:id', async ({ req, params }) => resultOf(todo.replace(params.id, await req.json())));
  app.patch('/api/todo/:id', async ({ req, params }) => resultOf(todo.patch(params.id, await req.json())));
  app.delete('/api/todo/:id', ({ params }) => resultOf(todo.remove(params.id)));
  app.get(DOCUMENT, () => ({ statusCode: 200, ...asset('document') }));
  app.get(PAGE, () => new Response(page().bytes, { headers: page().headers }));
  return async (event, context) => app.resolve(event, context);
}

function resultOf({ status, content, headers }) {
  if (!content) return { statusCode: status };
  const fields = { 'Content-Type': 'application/json', ...headers };
  return { statusCode: status, headers: fields, body: JSON.stringify(content) };
}

export function hono() {
  const app = new Hono();
  const send = (c, { status, content, headers }) => (content ? c.json(content, status, headers) : c.body(null, status));
  app.get('/api/todo', (c) => send(c, todo.list()));
  app.post('/api/todo', async (c) => send(c, todo.create(await c.req.json())));
  app.get('/api/todo/:id', (c) => send(c, todo.find(c.req.param('id'))));
  app.put('/api/todo/:id', async (c) => send(c, todo.replace(c.req.param('id'), await c.req.json())));
  app.patch('/api/todo/:id', async (c) => send(c, todo.patch(c.req.param('id'), await c.req.json())));
  app.delete('/api/todo/:id', (c) => send(c, todo.remove(c.req.param('id'))));
  app.get(DOCUMENT, (c) => c.body(asset('document').body, 200, { 'Content-Type': 'application/json' }));
  app.get(PAGE, (c) => c.body(page().bytes, 200, page().headers));
  app.notFound((c) => send(c, todo.notFound()));
  return handle(app);
}

export function fastify() {
  const app = fastifyCore();
  const send = (reply, { status, content, headers = {} }) => reply.code(status).headers(headers).send(content);
  app.get('/api/todo', async (_request, reply) => send(reply, todo.list()));
  app.post('/api/todo', async ({ body }, reply) => send(reply, todo.create(body)));
  app.get('/api/todo/:id', async ({ params }, reply) => send(reply, todo.find(params.id)));
  app.put('/api/todo/:id', async ({ body, params }, reply) => send(reply, todo.replace(params.id, body)));
  app.patch('/api/todo/:id', async ({ body, params }, reply) => send(reply, todo.patch(params.id, body)));
  app.delete('/api/todo/:id', async ({ params }, reply) => send(reply, todo.remove(params.id)));
  app.get(DOCUMENT, async (_request, reply) => reply.type('application/json').send(asset('document').body));
  app.get(PAGE, async (_request, reply) => reply.headers(page().headers).send(page().bytes));
  app.setNotFoundHandler(async (_request, reply) => send(reply, todo.notFound()));
  return awsLambdaFastify(app);
}

export function express() {
  const app = expressCore();
  const send = (response, { status, content, headers = {} }) => {
    response.status(status).set(headers);
    return content ? response.json(content) : response.end();
  };
  app.disable('x-powered-by');
  app.use(expressCore.json());
  app.get('/api/todo', (_request, response) => send(response, todo.list()));
  app.post('/api/todo', ({ body }, response) => send(response, todo.create(body)));
  app.get('/api/todo/:id', ({ params }, response) => send(response, todo.find(params.id)));
  app.put('/api/todo/:id', ({ body, params }, response) => send(response, todo.replace(params.id, body)));
  app.patch('/api/todo/:id', ({ body, params }, response) => send(response, todo.patch(params.id, body)));
  app.delete('/api/todo/:id', ({ params }, response) => send(response, todo.remove(params.id)));
  app.get(DOCUMENT, (_request, response) => response.type('json').send(asset('document').body));
  app.get(PAGE, (_request, response) => response.set(page().headers).send(page().bytes));
  app.use((_request, response) => send(response, todo.notFound()));
  return serverless(app);
}
