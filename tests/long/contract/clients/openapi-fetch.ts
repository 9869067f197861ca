import { deepEqual, equal } from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { components, paths } from '../generated/openapi-fetch/paths.js';

// @ts-expect-error: PUT needs the key.
export const withoutKey: components['schemas']['TodoItemPut'] = { name: 'Walk the cat' };

/** Calls all six operations of the service at a URL. It throws when an answer is not as expected. */
export async function callAll(url: string): Promise<void> {
  const api = createClient<paths>({ baseUrl: url });
  const item = '/api/todo/{id}';
  const created = await api.POST('/api/todo', { body: { name: 'Walk the dog' } });
  const key: string = created.data?.key ?? '';
  const path = { id: key };
  const { data: items } = await api.GET('/api/todo', { params: { query: { limit: 1_000 } } });
  deepEqual(items?.at(-1), { key, name: 'Walk the dog', isComplete: false });
  const params = { path, header: { 'If-Match': created.response.headers.get('etag') as string } };
  equal((await api.PATCH(item, { params, body: { isComplete: true } })).response.status, 204);
  equal((await api.PATCH(item, { params, body: { isComplete: null } })).error?.status, 412);
  equal((await api.PUT(item, { params: { path }, body: { key, name: 'Walk the cat' } })).response.status, 204);
  deepEqual((await api.GET(item, { params: { path } })).data, { key, name: 'Walk the cat', isComplete: false });
  equal((await api.DELETE(item, { params: { path } })).response.status, 204);
  equal((await api.GET(item, { params: { path } })).error?.title, 'Not Found');
}
