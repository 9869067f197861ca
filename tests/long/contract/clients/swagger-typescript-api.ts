import { deepEqual, equal, rejects } from 'node:assert/strict';
import { Api } from '../generated/swagger-typescript-api/api.js';

/** Calls all six operations of the service at a URL. It throws when an answer is not as expected. */
export async function callAll(url: string): Promise<void> {
  const { api } = new Api({ baseUrl: url, baseApiParams: { format: 'json' } });
  const created = await api.apiTodoPost({ name: 'Walk the dog' });
  const key = created.data.key as string;
  deepEqual((await api.apiTodoGet({ limit: 1_000 })).data.at(-1), { key, name: 'Walk the dog', isComplete: false });
  const headers = { 'If-Match': created.headers.get('etag') as string };
  equal((await api.apiTodoByIdPatch(key, { isComplete: true }, { headers, format: undefined })).status, 204);
  await rejects(api.apiTodoByIdPatch(key, { isComplete: null }, { headers }), { status: 412 });
  equal((await api.apiTodoByIdPut(key, { key, name: 'Walk the cat' }, { format: undefined })).status, 204);
  deepEqual((await api.apiTodoByIdGet(key)).data, { key, name: 'Walk the cat', isComplete: false });
  equal((await api.apiTodoByIdDelete(key, { format: undefined })).status, 204);
  await rejects(api.apiTodoByIdGet(key), { status: 404 });
}
