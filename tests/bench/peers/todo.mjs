import { randomUUID } from 'node:crypto';
import { asset } from './assets.mjs';

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
  { method: 'patch', path: ITEM, hasBody: true, run: (key, body) => replace(key, { ...items.get(key), ...body, key }) },
  { method: 'delete', path: ITEM, run: (key) => (items.delete(key) ? { status: 204 } : NOT_FOUND) },
  { method: 'get', path: '/swagger/v1/swagger.json', run: () => serve('document') },
  { method: 'get', path: '/swagger/ui', run: () => serve('page.gzip') },
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
  if (!items.has(key)) return NOT_FOUND;
  const message = errorIn(body, key);
  if (message) return { status: 400, content: { message } };
  items.set(key, { key, name: body.name, isComplete: body.isComplete ?? false });
  return { status: 204 };
}

function serve(name) {
  const { headers, body, isBase64Encoded } = asset(name);
  return { status: 200, headers, content: isBase64Encoded ? Buffer.from(body, 'base64') : body };
}

/** Says what is wrong with an item to create, or with one that replaces the item of this key. */
export function errorIn(item, key = item?.key) {
  if (typeof item?.name !== 'string' || item.name.trim() === '') return 'name must be a string that is not blank';
  if (typeof (item.isComplete ?? false) !== 'boolean') return 'isComplete must be true or false';
  return item.key === key ? undefined : 'key must be the one in the path';
}

/** Whether a framework has to write content as JSON: texts and bytes are sent as they are. */
export function isJson(content) {
  return typeof content === 'object' && content !== null && !Buffer.isBuffer(content);
}

/** The result for the gateway, where a framework leaves that to its handlers. */
export function resultOf({ status, content, headers }) {
  if (Buffer.isBuffer(content))
    return { statusCode: status, headers, body: content.toString('base64'), isBase64Encoded: true };
  const body = isJson(content) ? JSON.stringify(content) : content;
  return { statusCode: status, ...(content && { headers: { 'Content-Type': 'application/json', ...headers }, body }) };
}
