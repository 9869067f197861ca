import assert from 'node:assert/strict';
import { call } from './events.mjs';

/**
 * Checks that an implementation is the API it stands for, before it is timed.
 *
 * @param {string} name - The bare handler is spared the bad requests.
 * @param {(event: object, context: object) => Promise<object>} handler - Freshly loaded.
 * @throws AssertionError where an answer is wrong.
 */
export async function check(name, handler) {
  const expect = async (status, method, path, body) => {
    const answer = await call(handler, method, path, body);
    assert.equal(answer.status, status, `${name}: ${method} ${path} answers ${answer.status}, not ${status}`);
    return answer;
  };
  const list = await expect(200, 'GET', '/api/todo');
  assert.deepEqual(list.content, [{ key: list.content[0].key, name: 'Item1', isComplete: false }], name);

  const { content: created, headers } = await expect(201, 'POST', '/api/todo', { name: 'a', isComplete: false });
  const path = `/api/todo/${created.key}`;
  assert.deepEqual(created, { key: created.key, name: 'a', isComplete: false }, name);
  assert.ok(headers.location.endsWith(path), `${name}: Location is ${headers.location}`);
  assert.deepEqual((await expect(200, 'GET', path)).content, created, name);

  await expect(204, 'PUT', path, { ...created, name: 'b' });
  await expect(204, 'PATCH', path, { isComplete: true });
  const changed = { key: created.key, name: 'b', isComplete: true };
  assert.deepEqual((await expect(200, 'GET', path)).content, changed, name);
  assert.deepEqual((await expect(200, 'GET', '/api/todo')).content, [...list.content, changed], name);

  await expect(204, 'DELETE', path);
  for (const method of ['GET', 'DELETE']) await expect(404, method, path);
  await expect(404, 'PUT', path, changed);
  await expect(404, 'PATCH', path, changed);
  await expect(404, 'GET', '/nowhere');
  assert.deepEqual((await expect(200, 'GET', '/api/todo')).content, list.content, name);
  if (name === 'bare') return;

  const kept = `/api/todo/${list.content[0].key}`;
  await expect(400, 'POST', '/api/todo', { name: ' ' });
  await expect(400, 'PUT', kept, changed);
  await expect(400, 'PATCH', kept, { isComplete: 'yes' });
}
