import { deepEqual, equal } from 'node:assert/strict';
import * as api from '../generated/orval/api.js';

/** Calls all six operations of the service that the client was generated for. It throws when an answer is not as expected. */
export async function callAll(): Promise<void> {
  const created = await api.apiTodoPost({ name: 'Walk the dog' });
  if (created.status !== 201) throw new Error(created.data.title);
  const { key } = created.data;
  const items = await api.apiTodoGet({ limit: 1_000 });
  if (items.status !== 200) throw new Error(items.data.title);
  deepEqual(items.data.at(-1), { key, name: 'Walk the dog', isComplete: false });
  const headers = { 'If-Match': created.headers.get('etag') as string };
  equal((await api.apiTodoByIdPatch(key, { isComplete: true }, { headers })).status, 204);
  equal((await api.apiTodoByIdPatch(key, { isComplete: null }, { headers })).status, 412);
  equal((await api.apiTodoByIdPut(key, { key, name: 'Walk the cat' })).status, 204);
  deepEqual((await api.apiTodoByIdGet(key)).data, { key, name: 'Walk the cat', isComplete: false });
  equal((await api.apiTodoByIdDelete(key)).status, 204);
  equal((await api.apiTodoByIdGet(key)).status, 404);
}
