// Calls all six operations. A copy beside what the generator makes of each document is compiled strictly with it.
import { deepEqual, equal } from 'node:assert/strict';
import * as orval from './orval/api.js';

const dog = { name: 'Walk the dog' };
const cat = { name: 'Walk the cat' };

/**
 * Calls the service at a URL.
 *
 * @throws Error if an answer is not as expected.
 */
export async function callAll(url: string, token: string): Promise<void> {
  // The client calls relative URLs, as that of a page does.
  Object.assign(globalThis, { [Symbol.for('undici.globalOrigin.1')]: new URL(url) });
  const headers = { Authorization: `Bearer ${token}` };
  const created = await orval.apiTodoPost(dog, { headers });
  if (created.status !== 201) throw new Error(`POST was answered ${created.status}`);
  const key = created.data.key as string;
  const list = await orval.apiTodoGet({ limit: 1_000 }, { headers });
  if (list.status !== 200) throw new Error(`GET was answered ${list.status}`);
  deepEqual(list.data.at(-1), { key, ...dog, isComplete: false });
  const conditional = { headers: { ...headers, 'If-Match': created.headers.get('etag') as string } };
  equal((await orval.apiTodoByIdPatch(key, { isComplete: true }, conditional)).status, 204);
  equal((await orval.apiTodoByIdPatch(key, { isComplete: null }, conditional)).status, 412);
  equal((await orval.apiTodoByIdPut(key, { key, ...cat }, { headers })).status, 204);
  deepEqual((await orval.apiTodoByIdGet(key, { headers })).data, { key, ...cat, isComplete: false });
  equal((await orval.apiTodoByIdDelete(key, { headers })).status, 204);
  equal((await orval.apiTodoByIdGet(key, { headers })).status, 404);
}
