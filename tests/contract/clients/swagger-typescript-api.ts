// Calls all six operations. A copy beside what the generator makes of each document is compiled strictly with it.
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { Api } from './swagger-typescript-api/api.js';

const dog = { name: 'Walk the dog' };
const cat = { name: 'Walk the cat' };

/**
 * Calls the service at a URL.
 *
 * @throws Error if an answer is not as expected.
 */
export async function callAll(baseUrl: string, token: string): Promise<void> {
  const securityWorker = () => ({ headers: { Authorization: `Bearer ${token}` } });
  const { api } = new Api({ baseUrl, securityWorker, baseApiParams: { format: 'json' } });
  const created = await api.apiTodoPost(dog);
  const key = created.data.key as string;
  deepEqual((await api.apiTodoGet({ limit: 1_000 })).data.at(-1), { key, ...dog, isComplete: false });
  const headers = { 'If-Match': created.headers.get('etag') as string };
  equal((await api.apiTodoByIdPatch(key, { isComplete: true }, { headers, format: undefined })).status, 204);
  await rejects(api.apiTodoByIdPatch(key, { isComplete: null }, { headers }), { status: 412 });
  equal((await api.apiTodoByIdPut(key, { key, ...cat }, { format: undefined })).status, 204);
  deepEqual((await api.apiTodoByIdGet(key)).data, { key, ...cat, isComplete: false });
  equal((await api.apiTodoByIdDelete(key, { format: undefined })).status, 204);
  await rejects(api.apiTodoByIdGet(key), { status: 404 });
}
