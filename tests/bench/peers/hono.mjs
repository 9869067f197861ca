import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { create, flaw, items, replace } from './items.mjs';

const app = new Hono();

app.get('/api/todo', (c) => c.json([...items.values()]));

app.post('/api/todo', async (c) => {
  const body = await c.req.json();
  const message = flaw(body);
  if (message) return c.json({ message }, 400);
  const item = create(body);
  return c.json(item, 201, { Location: `/api/todo/${item.key}` });
});

app.use('/api/todo/:id', async (c, next) => {
  if (!items.has(c.req.param('id'))) return c.notFound();
  await next();
});

app.get('/api/todo/:id', (c) => c.json(items.get(c.req.param('id'))));

app.put('/api/todo/:id', async (c) => {
  const body = await c.req.json();
  const message = flaw(body, c.req.param('id'));
  if (message) return c.json({ message }, 400);
  replace(c.req.param('id'), body);
  return c.body(null, 204);
});

app.patch('/api/todo/:id', async (c) => {
  const key = c.req.param('id');
  const item = { ...items.get(key), ...(await c.req.json()), key };
  const message = flaw(item);
  if (message) return c.json({ message }, 400);
  replace(key, item);
  return c.body(null, 204);
});

app.delete('/api/todo/:id', (c) => {
  items.delete(c.req.param('id'));
  return c.body(null, 204);
});

app.get('/swagger/v1/swagger.json', (c) => c.body(DOCUMENT, 200, { 'Content-Type': 'application/json' }));

app.notFound((c) => c.json({ message: 'Not Found' }, 404));

export const handler = handle(app);
