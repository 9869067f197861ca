import { randomUUID } from 'node:crypto';

// What the frameworks' handlers answer, whichever framework it is: validation, 400 and 404, and none of the other duties.

const items = new Map();
const LIST = '/api/todo';
const ITEM = '/api/todo/:id';

export const NOT_FOUND = { status: 404, content: { message: 'Not Found' } };

/** The operations. `run` takes the key in the path and the body, which is parsed if `hasBody` says so. */
export const operations = [
  { method: 'get', path: LIST, run: () => ({ status: 200, content: [...items.values()] }) },
  { method: 'post', path: LIST, hasBody: true, run: (_key, body) => create(body) },
  { method: 'get', path: ITEM, run: (key) => (items.has(key) ? { status: 200, content: items.get(key) } : NOT_FOUND) },
  { method: 'put', path: ITEM, hasBody: true, run: replace },
  {
    method: 'patch',
    path: ITEM,
    hasBody: true,
    run: (key, body) => (items.has(key) ? replace(key, { ...items.get(key), ...body, key }) : NOT_FOUND),
  },
  { method: 'delete', path: ITEM, run: (key) => (items.delete(key) ? { status: 204 } : NOT_FOUND) },
];

create({ name: 'Item1' });

function create(body) {
  const message = errorIn(body);
  if (message) return { status: 400, content: { message } };
  const item = { key: randomUUID(), name: body.name, isComplete: body.isComplete ?? false };
  items.set(item.key, item);
  return { status: 201, content: item, headers: { Location: `${LIST}/${item.key}` } };
}

function replace(key, body) {
  const message = errorIn(body, key);
  if (message) return { status: 400, content: { message } };
  if (!items.has(key)) return NOT_FOUND;
  items.set(key, { key, name: body.name, isComplete: body.isComplete ?? false });
  return { status: 204 };
}

/** Says what is wrong with an item to create, or with one that replaces the item of this key. */
export function errorIn(item, key = item?.key) {
  if (typeof item?.name !== 'string' || item.name.trim() === '') return 'name must be a string that is not blank';
  if (typeof (item.isComplete ?? false) !== 'boolean') return 'isComplete must be true or false';
  return item.key === key ? undefined : 'key must be the one in the path';
}
