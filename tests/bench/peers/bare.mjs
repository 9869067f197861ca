import { randomUUID } from 'node:crypto';

// What one would write by hand: a switch, a Map, and trust in what comes in.

const items = new Map();
const headers = { 'Content-Type': 'application/json' };

create({ name: 'Item1', isComplete: false });

export async function handler(event) {
  const { method, path } = event.httpMethod
    ? { method: event.httpMethod, path: event.path }
    : event.requestContext.http;
  if (path === '/api/todo') {
    switch (method) {
      case 'GET':
        return { statusCode: 200, headers, body: JSON.stringify([...items.values()]) };
      case 'POST': {
        const item = create(JSON.parse(event.body));
        const Location = `/api/todo/${item.key}`;
        return { statusCode: 201, headers: { ...headers, Location }, body: JSON.stringify(item) };
      }
    }
  }
  if (path.startsWith('/api/todo/')) {
    const key = path.slice('/api/todo/'.length);
    const item = items.get(key);
    if (!item) return { statusCode: 404, headers, body: '{"message":"Not Found"}' };
    switch (method) {
      case 'GET':
        return { statusCode: 200, headers, body: JSON.stringify(item) };
      case 'PUT':
        items.set(key, JSON.parse(event.body));
        return { statusCode: 204, headers: {}, body: '' };
      case 'PATCH':
        items.set(key, { ...item, ...JSON.parse(event.body), key });
        return { statusCode: 204, headers: {}, body: '' };
      case 'DELETE':
        items.delete(key);
        return { statusCode: 204, headers: {}, body: '' };
    }
  }
  if (path === '/swagger/v1/swagger.json') return { statusCode: 200, headers, body: DOCUMENT };
  return { statusCode: 404, headers, body: '{"message":"Not Found"}' };
}

function create({ name, isComplete }) {
  const item = { key: randomUUID(), name, isComplete };
  items.set(item.key, item);
  return item;
}
