import { Router } from '@aws-lambda-powertools/event-handler/http';
import { asset, page } from './assets.mjs';
import * as todo from './todo.mjs';

const quiet = () => {};
const app = new Router({ logger: { debug: quiet, info: quiet, warn: quiet, error: quiet } });
const send = ({ status, content, headers }) => ({
  statusCode: status,
  ...(content && { headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(content) }),
});

app.get('/api/todo', () => send(todo.list()));
app.post('/api/todo', async ({ req }) => send(todo.create(await req.json())));
app.get('/api/todo/:id', ({ params }) => send(todo.find(params.id)));
app.put('/api/todo/:id', async ({ req, params }) => send(todo.replace(params.id, await req.json())));
app.patch('/api/todo/:id', async ({ req, params }) => send(todo.patch(params.id, await req.json())));
app.delete('/api/todo/:id', ({ params }) => send(todo.remove(params.id)));
app.get('/swagger/v1/swagger.json', () => ({ statusCode: 200, ...asset('document') }));
app.get('/swagger/ui', () => new Response(page().bytes, { headers: page().headers }));

export const handler = async (event, context) => app.resolve(event, context);
