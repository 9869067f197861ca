import express from 'express';
import serverless from 'serverless-http';
import { asset, page } from './assets.mjs';
import * as todo from './todo.mjs';

const app = express();
const send = (response, { status, content, headers = {} }) => {
  response.status(status).set(headers);
  return content ? response.json(content) : response.end();
};

app.disable('x-powered-by');
app.use(express.json());
app.get('/api/todo', (_request, response) => send(response, todo.list()));
app.post('/api/todo', ({ body }, response) => send(response, todo.create(body)));
app.get('/api/todo/:id', ({ params }, response) => send(response, todo.find(params.id)));
app.put('/api/todo/:id', ({ body, params }, response) => send(response, todo.replace(params.id, body)));
app.patch('/api/todo/:id', ({ body, params }, response) => send(response, todo.patch(params.id, body)));
app.delete('/api/todo/:id', ({ params }, response) => send(response, todo.remove(params.id)));
app.get('/swagger/v1/swagger.json', (_request, response) => response.type('json').send(asset('document').body));
app.get('/swagger/ui', (_request, response) => response.set(page().headers).send(page().bytes));
app.use((_request, response) => send(response, todo.notFound()));

export const handler = serverless(app);
