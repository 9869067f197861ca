import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { isJson, NOT_FOUND, operations } from './todo.mjs';

const app = new Hono();
const send = (c, { status, content = null, headers }) =>
  isJson(content) ? c.json(content, status, headers) : c.body(content, status, headers);
for (const { method, path, hasBody, run } of operations) {
  if (hasBody) app[method](path, async (c) => send(c, run(c.req.param('id'), await c.req.json())));
  else app[method](path, (c) => send(c, run(c.req.param('id'))));
}
app.notFound((c) => send(c, NOT_FOUND));

export const handler = handle(app);
