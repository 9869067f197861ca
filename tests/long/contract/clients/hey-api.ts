import { deepEqual, equal } from 'node:assert/strict';
import { client } from '../generated/hey-api/client.gen.js';
import {
  apiTodoByIdDelete,
  apiTodoByIdGet,
  apiTodoByIdPatch,
  apiTodoByIdPut,
  apiTodoGet,
  apiTodoPost,
} from '../generated/hey-api/sdk.gen.js';
import type { StoredTodoItem } from '../generated/hey-api/types.gen.js';

/** Calls all six operations of the service at a URL. It throws when an answer is not as expected. */
export async function callAll(url: string): Promise<void> {
  client.setConfig({ baseUrl: url });
  const created = await apiTodoPost({ body: { name: 'Walk the dog' }, throwOnError: true });
  const { key }: StoredTodoItem = created.data;
  const path = { id: key };
  const { data: items } = await apiTodoGet({ query: { limit: 1_000 }, throwOnError: true });
  deepEqual(items.at(-1), { key, name: 'Walk the dog', isComplete: false });
  const headers = { 'If-Match': created.response.headers.get('etag') as string };
  await apiTodoByIdPatch({ path, headers, body: { isComplete: true }, throwOnError: true });
  equal((await apiTodoByIdPatch({ path, headers, body: { isComplete: null } })).error?.status, 412);
  await apiTodoByIdPut({ path, body: { key, name: 'Walk the cat' }, throwOnError: true });
  deepEqual((await apiTodoByIdGet({ path })).data, { key, name: 'Walk the cat', isComplete: false });
  await apiTodoByIdDelete({ path, throwOnError: true });
  equal((await apiTodoByIdGet({ path })).error?.title, 'Not Found');
}
