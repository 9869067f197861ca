// The same API by five frameworks. Each registers the same operations in its own way, and a bundle has one framework.
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
import { asset } from './assets.mjs';
import { NOT_FOUND, operations } from './todo.mjs';

const DOCUMENT = '/swagger/v1/swagger.json';
const PAGE = '/swagger/ui';

export function middy() {
  const routes = operations.map(({ method, path, hasBody, run }) => {
    const answer = async ({ pathParameters, body }) => resultOf(run(pathParameters?.id, body));
    const handler = hasBody ? middyCore().use(httpJsonBodyParser()).handler(answer) : answer;
    return { method: method.toUpperCase(), path: path.replace(':id', '{id}'), handler };
  });
  const serve = (path, name) => ({ method: 'GET', path, handler: async () => ({ statusCode: 200, ...asset(name) }) });
  return middyCore()
    .use(httpErrorHandler({ logger: false }))
    .handler(httpRouterHandler({ routes: [...routes, serve(DOCUMENT, 'document'), serve(PAGE, 'page.gzip')] }));
}

export function powertools() {
  const quiet = () => {};
  const app = new Router({ logger: { debug: quiet, info: quiet, warn: quiet, error: quiet } });
  for (const { method, path, hasBody, run } of operations) {
    if (hasBody) app[method](path, async ({ req, params }) => resultOf(run(params.id, await req.json())));
    else app[method](path, ({ params }) => resultOf(run(params.id)));
  }
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
  for (const { method, path, hasBody, run } of operations) {
    if (hasBody) app[method](path, async (c) => send(c, run(c.req.param('id'), await c.req.json())));
    else app[method](path, (c) => send(c, run(c.req.param('id'))));
  }
  app.get(DOCUMENT, (c) => c.body(asset('document').body, 200, { 'Content-Type': 'application/json' }));
  app.get(PAGE, (c) => c.body(page().bytes, 200, page().headers));
  app.notFound((c) => send(c, NOT_FOUND));
  return handle(app);
}

export function fastify() {
  const app = fastifyCore();
  const send = (reply, { status, content, headers = {} }) => reply.code(status).headers(headers).send(content);
  for (const { method, path, run } of operations) {
    app[method](path, async ({ body, params }, reply) => send(reply, run(params.id, body)));
  }
  app.get(DOCUMENT, async (_request, reply) => reply.type('application/json').send(asset('document').body));
  app.get(PAGE, async (_request, reply) => reply.headers(page().headers).send(page().bytes));
  app.setNotFoundHandler(async (_request, reply) => send(reply, NOT_FOUND));
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
  for (const { method, path, run } of operations) {
    app[method](path, ({ body, params }, response) => send(response, run(params.id, body)));
  }
  app.get(DOCUMENT, (_request, response) => response.type('json').send(asset('document').body));
  app.get(PAGE, (_request, response) => response.set(page().headers).send(page().bytes));
  app.use((_request, response) => send(response, NOT_FOUND));
  return serverless(app);
}

let bytes;

/** The page with its body as bytes, for the frameworks that encode it themselves. */
function page() {
  const { headers, body } = asset('page.gzip');
  bytes ??= Buffer.from(body, 'base64');
  return { headers, bytes };
}
