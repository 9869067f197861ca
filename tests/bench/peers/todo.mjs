import { randomUUID } from 'node:crypto';

// What the frameworks' handlers answer, whichever framework it is: validation, 400 and 404, and none of the other duties.

const items = new Map();
const NOT_FOUND = { status: 404, content: { message: 'Not Found' } };

create({ name: 'Item1' });

export function notFound() {
  return NOT_FOUND;
}

export function list() {
  return { status: 200, content: [...items.values()] };
}

export function find(key) {
  return items.has(key) ? { status: 200, content: items.get(key) } : NOT_FOUND;
}

export function create(body) {
  const message = flaw(body);
  if (message) return { status: 400, content: { message } };
  const item = { key: randomUUID(), name: body.name, isComplete: body.isComplete ?? false };
  items.set(item.key, item);
  return { status: 201, content: item, headers: { Location: `/api/todo/${item.key}` } };
}

export function replace(key, body) {
  const message = flaw(body, key);
  if (message) return { status: 400, content: { message } };
  if (!items.has(key)) return NOT_FOUND;
  items.set(key, { key, name: body.name, isComplete: body.isComplete ?? false });
  return { status: 204 };
}

export function patch(key, body) {
  return items.has(key) ? replace(key, { ...items.get(key), ...body, key }) : NOT_FOUND;
}

export function remove(key) {
  return items.delete(key) ? { status: 204 } : NOT_FOUND;
}

/** Says what is wrong with an item to create, or one that replaces the item of this key. */
export function flaw(item, key = item?.key) {
  if (typeof item?.name !== 'string' || item.name.trim() === '') return 'name must be a string that is not blank';
  if (typeof (item.isComplete ?? false) !== 'boolean') return 'isComplete must be true or false';
  return item.key === key ? undefined : 'key must be the one in the path';
}
