import awsLambdaFastify from '@fastify/aws-lambda';
import fastify from 'fastify';
import { asset, page } from './assets.mjs';
import * as todo from './todo.mjs';

const app = fastify();
const send = (reply, { status, content, headers = {} }) => reply.code(status).headers(headers).send(content);

app.get('/api/todo', async (_request, reply) => send(reply, todo.list()));
app.post('/api/todo', async ({ body }, reply) => send(reply, todo.create(body)));
app.get('/api/todo/:id', async ({ params }, reply) => send(reply, todo.find(params.id)));
app.put('/api/todo/:id', async ({ body, params }, reply) => send(reply, todo.replace(params.id, body)));
app.patch('/api/todo/:id', async ({ body, params }, reply) => send(reply, todo.patch(params.id, body)));
app.delete('/api/todo/:id', async ({ params }, reply) => send(reply, todo.remove(params.id)));
app.get('/swagger/v1/swagger.json', async (_request, reply) =>
  reply.type('application/json').send(asset('document').body),
);
app.get('/swagger/ui', async (_request, reply) => reply.headers(page().headers).send(page().bytes));
app.setNotFoundHandler(async (_request, reply) => send(reply, todo.notFound()));

export const handler = awsLambdaFastify(app);
