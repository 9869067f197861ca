import { randomUUID } from 'node:crypto';
import { asset } from './assets.mjs';

// What one would write by hand: a switch, a Map, and trust in what comes in.

const items = new Map();
const headers = { 'Content-Type': 'application/json' };
const NO_CONTENT = { statusCode: 204, headers: {}, body: '' };
const NOT_FOUND = { statusCode: 404, headers, body: '{"message":"Not Found"}' };

create({ name: 'Item1', isComplete: false });

export async function handler({ httpMethod, path, body }) {
  if (path === '/api/todo' && httpMethod === 'GET') return json(200, [...items.values()]);
  if (path === '/api/todo' && httpMethod === 'POST') return create(JSON.parse(body));
  if (path === '/swagger/v1/swagger.json') return { statusCode: 200, ...asset('document') };
  if (path === '/swagger/ui') return { statusCode: 200, ...asset('page.gzip') };
  const key = path.slice('/api/todo/'.length);
  const item = items.get(key);
  if (!item) return NOT_FOUND;
  switch (httpMethod) {
    case 'GET':
      return json(200, item);
    case 'PUT':
      items.set(key, JSON.parse(body));
      return NO_CONTENT;
    case 'PATCH':
      items.set(key, { ...item, ...JSON.parse(body), key });
      return NO_CONTENT;
    case 'DELETE':
      items.delete(key);
      return NO_CONTENT;
  }
  return NOT_FOUND;
}

function create({ name, isComplete }) {
  const item = { key: randomUUID(), name, isComplete };
  items.set(item.key, item);
  return json(201, item, { Location: `/api/todo/${item.key}` });
}

function json(statusCode, content, more) {
  return { statusCode, headers: { ...headers, ...more }, body: JSON.stringify(content) };
}
