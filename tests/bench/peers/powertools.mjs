import { BadRequestError, NotFoundError, Router } from '@aws-lambda-powertools/event-handler/http';
import { create, flaw, items, replace } from './items.mjs';

const quiet = () => {};
const app = new Router({ logger: { debug: quiet, info: quiet, warn: quiet, error: quiet } });

app.get('/api/todo', () => [...items.values()]);

app.post('/api/todo', async ({ req }) => {
  const body = await req.json();
  check(flaw(body));
  const item = create(body);
  const headers = { 'Content-Type': 'application/json', Location: `/api/todo/${item.key}` };
  return { statusCode: 201, headers, body: JSON.stringify(item) };
});

app.get('/api/todo/:id', ({ params }) => find(params.id));

app.put('/api/todo/:id', async ({ req, params }) => {
  const body = await req.json();
  find(params.id);
  check(flaw(body, params.id));
  replace(params.id, body);
  return new Response(null, { status: 204 });
});

app.patch('/api/todo/:id', async ({ req, params }) => {
  const item = { ...find(params.id), ...(await req.json()), key: params.id };
  check(flaw(item));
  replace(params.id, item);
  return new Response(null, { status: 204 });
});

app.delete('/api/todo/:id', ({ params }) => {
  find(params.id);
  items.delete(params.id);
  return new Response(null, { status: 204 });
});

app.get('/swagger/v1/swagger.json', () => ({
  statusCode: 200,
  headers: { 'Content-Type': 'application/json' },
  body: DOCUMENT,
}));

export const handler = async (event, context) => app.resolve(event, context);

function find(key) {
  const item = items.get(key);
  if (!item) throw new NotFoundError('Not Found');
  return item;
}

function check(message) {
  if (message) throw new BadRequestError(message);
}
