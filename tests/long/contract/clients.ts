// Calls all six operations with each generated client. It is compiled strictly with what the generators make.
import { deepEqual, equal, rejects } from 'node:assert/strict';
import createClient from 'openapi-fetch';
import { client } from './generated/hey-api/client.gen.js';
import * as hey from './generated/hey-api/sdk.gen.js';
import type { StoredTodoItem } from './generated/hey-api/types.gen.js';
import type { components, paths } from './generated/openapi-fetch/paths.js';
import * as orval from './generated/orval/api.js';
import { Api } from './generated/swagger-typescript-api/api.js';

const dog = { name: 'Walk the dog' };
const cat = { name: 'Walk the cat' };
const tagOf = (headers: Headers) => ({ 'If-Match': headers.get('etag') as string });

// @ts-expect-error: PUT needs the key.
export const withoutKey: components['schemas']['TodoItemPut'] = cat;

/** Functions that call the service at a URL, by the client's name. They throw if an answer is not as expected. */
export const clients: Record<string, (url: string) => Promise<void>> = {
  'hey-api': async (baseUrl) => {
    client.setConfig({ baseUrl });
    const created = await hey.apiTodoPost({ body: dog, throwOnError: true });
    const { key }: StoredTodoItem = created.data;
    const path = { id: key };
    const { data: items } = await hey.apiTodoGet({ query: { limit: 1_000 }, throwOnError: true });
    deepEqual(items.at(-1), { key, ...dog, isComplete: false });
    const headers = tagOf(created.response.headers);
    await hey.apiTodoByIdPatch({ path, headers, body: { isComplete: true }, throwOnError: true });
    equal((await hey.apiTodoByIdPatch({ path, headers, body: { isComplete: null } })).error?.status, 412);
    await hey.apiTodoByIdPut({ path, body: { key, ...cat }, throwOnError: true });
    deepEqual((await hey.apiTodoByIdGet({ path })).data, { key, ...cat, isComplete: false });
    await hey.apiTodoByIdDelete({ path, throwOnError: true });
    equal((await hey.apiTodoByIdGet({ path })).error?.title, 'Not Found');
  },

  'openapi-fetch': async (baseUrl) => {
    const api = createClient<paths>({ baseUrl });
    const item = '/api/todo/{id}';
    const created = await api.POST('/api/todo', { body: dog });
    const key: string = created.data?.key ?? '';
    const path = { id: key };
    const { data: items } = await api.GET('/api/todo', { params: { query: { limit: 1_000 } } });
    deepEqual(items?.at(-1), { key, ...dog, isComplete: false });
    const params = { path, header: tagOf(created.response.headers) };
    equal((await api.PATCH(item, { params, body: { isComplete: true } })).response.status, 204);
    equal((await api.PATCH(item, { params, body: { isComplete: null } })).error?.status, 412);
    equal((await api.PUT(item, { params: { path }, body: { key, ...cat } })).response.status, 204);
    deepEqual((await api.GET(item, { params: { path } })).data, { key, ...cat, isComplete: false });
    equal((await api.DELETE(item, { params: { path } })).response.status, 204);
    equal((await api.GET(item, { params: { path } })).error?.title, 'Not Found');
  },

  // It has the URL from its generator.
  orval: async () => {
    const created = await orval.apiTodoPost(dog);
    if (created.status !== 201) throw new Error(created.data.title);
    const { key } = created.data;
    const items = await orval.apiTodoGet({ limit: 1_000 });
    if (items.status !== 200) throw new Error(items.data.title);
    deepEqual(items.data.at(-1), { key, ...dog, isComplete: false });
    const headers = tagOf(created.headers);
    equal((await orval.apiTodoByIdPatch(key, { isComplete: true }, { headers })).status, 204);
    equal((await orval.apiTodoByIdPatch(key, { isComplete: null }, { headers })).status, 412);
    equal((await orval.apiTodoByIdPut(key, { key, ...cat })).status, 204);
    deepEqual((await orval.apiTodoByIdGet(key)).data, { key, ...cat, isComplete: false });
    equal((await orval.apiTodoByIdDelete(key)).status, 204);
    equal((await orval.apiTodoByIdGet(key)).status, 404);
  },

  'swagger-typescript-api': async (baseUrl) => {
    const { api } = new Api({ baseUrl, baseApiParams: { format: 'json' } });
    const created = await api.apiTodoPost(dog);
    const key = created.data.key as string;
    deepEqual((await api.apiTodoGet({ limit: 1_000 })).data.at(-1), { key, ...dog, isComplete: false });
    const headers = tagOf(created.headers);
    equal((await api.apiTodoByIdPatch(key, { isComplete: true }, { headers, format: undefined })).status, 204);
    await rejects(api.apiTodoByIdPatch(key, { isComplete: null }, { headers }), { status: 412 });
    equal((await api.apiTodoByIdPut(key, { key, ...cat }, { format: undefined })).status, 204);
    deepEqual((await api.apiTodoByIdGet(key)).data, { key, ...cat, isComplete: false });
    equal((await api.apiTodoByIdDelete(key, { format: undefined })).status, 204);
    await rejects(api.apiTodoByIdGet(key), { status: 404 });
  },
};
