import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { asset, page } from './assets.mjs';
import * as todo from './todo.mjs';

const app = new Hono();
const send = (c, { status, content, headers }) => (content ? c.json(content, status, headers) : c.body(null, status));

app.get('/api/todo', (c) => send(c, todo.list()));
app.post('/api/todo', async (c) => send(c, todo.create(await c.req.json())));
app.get('/api/todo/:id', (c) => send(c, todo.find(c.req.param('id'))));
app.put('/api/todo/:id', async (c) => send(c, todo.replace(c.req.param('id'), await c.req.json())));
app.patch('/api/todo/:id', async (c) => send(c, todo.patch(c.req.param('id'), await c.req.json())));
app.delete('/api/todo/:id', (c) => send(c, todo.remove(c.req.param('id'))));
app.get('/swagger/v1/swagger.json', (c) => c.body(asset('document').body, 200, { 'Content-Type': 'application/json' }));
app.get('/swagger/ui', (c) => c.body(page().bytes, 200, page().headers));
app.notFound((c) => send(c, todo.notFound()));

export const handler = handle(app);
