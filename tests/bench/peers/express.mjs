import express from 'express';
import serverless from 'serverless-http';
import { create, flaw, items, replace } from './items.mjs';

const app = express();
const notFound = (_request, response) => response.status(404).json({ message: 'Not Found' });

app.disable('x-powered-by');
app.use(express.json());

app.get('/api/todo', (_request, response) => response.json([...items.values()]));

app.post('/api/todo', ({ body }, response) => {
  const message = flaw(body);
  if (message) return response.status(400).json({ message });
  const item = create(body);
  return response.status(201).location(`/api/todo/${item.key}`).json(item);
});

app.use('/api/todo/:id', (request, response, next) =>
  items.has(request.params.id) ? next() : notFound(request, response),
);

app.get('/api/todo/:id', ({ params }, response) => response.json(items.get(params.id)));

app.put('/api/todo/:id', ({ body, params }, response) => {
  const message = flaw(body, params.id);
  if (message) return response.status(400).json({ message });
  replace(params.id, body);
  return response.status(204).end();
});

app.patch('/api/todo/:id', ({ body, params }, response) => {
  const item = { ...items.get(params.id), ...body, key: params.id };
  const message = flaw(item);
  if (message) return response.status(400).json({ message });
  replace(params.id, item);
  return response.status(204).end();
});

app.delete('/api/todo/:id', ({ params }, response) => {
  items.delete(params.id);
  return response.status(204).end();
});

app.get('/swagger/v1/swagger.json', (_request, response) => response.type('json').send(DOCUMENT));

app.use(notFound);

export const handler = serverless(app);
