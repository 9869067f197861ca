import awsLambdaFastify from '@fastify/aws-lambda';
import fastify from 'fastify';
import { create, flaw, items, replace } from './items.mjs';

const app = fastify();

app.get('/api/todo', async () => [...items.values()]);

app.post('/api/todo', async ({ body }, reply) => {
  const message = flaw(body);
  if (message) return reply.code(400).send({ message });
  const item = create(body);
  return reply.code(201).header('Location', `/api/todo/${item.key}`).send(item);
});

app.get('/api/todo/:id', async ({ params: { id } }, reply) => items.get(id) ?? reply.callNotFound());

app.put('/api/todo/:id', async ({ body, params: { id } }, reply) => {
  const message = flaw(body, id);
  if (message) return reply.code(400).send({ message });
  if (!items.has(id)) return reply.callNotFound();
  replace(id, body);
  return reply.code(204).send();
});

app.patch('/api/todo/:id', async ({ body, params: { id } }, reply) => {
  if (!items.has(id)) return reply.callNotFound();
  const item = { ...items.get(id), ...body, key: id };
  const message = flaw(item);
  if (message) return reply.code(400).send({ message });
  replace(id, item);
  return reply.code(204).send();
});

app.delete('/api/todo/:id', async ({ params: { id } }, reply) => {
  if (!items.delete(id)) return reply.callNotFound();
  return reply.code(204).send();
});

app.get('/swagger/v1/swagger.json', async (_request, reply) => reply.type('application/json').send(DOCUMENT));

export const handler = awsLambdaFastify(app);
