// contract.mjs copies this file beside what @hey-api/openapi-ts generates, and compiles both.
import { deepEqual, equal } from 'node:assert/strict';
import { client } from './hey-api/client.gen.js';
import * as hey from './hey-api/sdk.gen.js';

const dog = { name: 'Walk the dog' };
const cat = { ...dog, name: 'Walk the cat' };

/** @throws Error if an answer of the service is not as expected. */
export async function callAll(baseUrl: string, token: string): Promise<void> {
  // Swagger 2.0 has no bearer scheme, so callers write the word in front of the token themselves.
  client.setConfig({ baseUrl, auth: ({ scheme }) => (scheme === 'bearer' ? token : `Bearer ${token}`) });
  const created = await hey.apiTodoPost({ body: dog, throwOnError: true });
  const key = created.data.key as string;
  const path = { id: key };
  const { data: items } = await hey.apiTodoGet({ query: { limit: 1_000 }, throwOnError: true });
  deepEqual(items.at(-1), { ...created.data, ...dog });
  const headers = { 'If-Match': created.response.headers.get('etag') as string };
  await hey.apiTodoByIdPatch({ path, headers, body: { isComplete: true }, throwOnError: true });
  equal((await hey.apiTodoByIdPatch({ path, headers, body: { isComplete: null } })).response?.status, 412);
  await hey.apiTodoByIdPut({ path, body: { key, ...cat }, throwOnError: true });
  deepEqual((await hey.apiTodoByIdGet({ path, throwOnError: true })).data, { ...created.data, ...cat });
  await hey.apiTodoByIdDelete({ path, throwOnError: true });
  equal((await hey.apiTodoByIdGet({ path })).error?.title, 'Not Found');
}
