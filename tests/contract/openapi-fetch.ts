// contract.mjs copies this file beside what openapi-typescript generates, and compiles both.
import { deepEqual, equal } from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { paths } from './paths.js';

const dog = { name: 'Walk the dog' };
const cat = { ...dog, name: 'Walk the cat' };

// @ts-expect-error: PUT needs the key.
export const withoutKey: paths['/api/todo/{id}']['put']['requestBody']['content']['application/json'] = cat;

/** @throws Error if an answer of the service is not as expected. */
export async function callAll(baseUrl: string, token: string): Promise<void> {
  const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
  const created = await api.POST('/api/todo', { body: dog });
  const key = String(created.data?.key);
  const path = { id: key };
  const { data: items } = await api.GET('/api/todo', { params: { query: { limit: 1_000 } } });
  deepEqual(items?.at(-1), { ...created.data, ...dog });
  const conditional = { params: { path, header: { 'If-Match': created.response.headers.get('etag') as string } } };
  equal((await api.PATCH('/api/todo/{id}', { ...conditional, body: { isComplete: true } })).response.status, 204);
  equal((await api.PATCH('/api/todo/{id}', { ...conditional, body: { isComplete: null } })).error?.status, 412);
  equal((await api.PUT('/api/todo/{id}', { params: { path }, body: { key, ...cat } })).response.status, 204);
  deepEqual((await api.GET('/api/todo/{id}', { params: { path } })).data, { ...created.data, ...cat });
  equal((await api.DELETE('/api/todo/{id}', { params: { path } })).response.status, 204);
  equal((await api.GET('/api/todo/{id}', { params: { path } })).error?.title, 'Not Found');
}
