// Calls all six operations with each generated client. A copy beside what the generators make is compiled strictly with it.
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { client } from './hey-api/client.gen.js';
import * as hey from './hey-api/sdk.gen.js';
import type { StoredTodoItem, TodoItemPut } from './hey-api/types.gen.js';
import { Api } from './swagger-typescript-api/api.js';

const dog = { name: 'Walk the dog' };
const cat = { name: 'Walk the cat' };
const tagOf = (headers: Headers) => ({ 'If-Match': headers.get('etag') as string });

// @ts-expect-error: PUT needs the key.
export const withoutKey: TodoItemPut = cat;

/** Functions that call the service at a URL with a token, by the client's name. They throw if an answer is not as expected. */
export const clients: Record<string, (url: string, token: string) => Promise<void>> = {
  'hey-api': async (baseUrl, token) => {
    client.setConfig({ baseUrl, auth: token });
    const created = await hey.apiTodoPost({ body: dog, throwOnError: true });
    const { key }: StoredTodoItem = created.data;
    const path = { id: key };
    const { data: items } = await hey.apiTodoGet({ query: { limit: 1_000 }, throwOnError: true });
    deepEqual(items.at(-1), { key, ...dog, isComplete: false });
    const headers = tagOf(created.response.headers);
    await hey.apiTodoByIdPatch({ path, headers, body: { isComplete: true }, throwOnError: true });
    equal((await hey.apiTodoByIdPatch({ path, headers, body: { isComplete: null } })).error?.status, 412);
    await hey.apiTodoByIdPut({ path, body: { key, ...cat }, throwOnError: true });
    deepEqual((await hey.apiTodoByIdGet({ path, throwOnError: true })).data, { key, ...cat, isComplete: false });
    await hey.apiTodoByIdDelete({ path, throwOnError: true });
    equal((await hey.apiTodoByIdGet({ path })).error?.title, 'Not Found');
  },

  'swagger-typescript-api': async (baseUrl, token) => {
    const securityWorker = () => ({ headers: { Authorization: `Bearer ${token}` } });
    const { api } = new Api({ baseUrl, securityWorker, baseApiParams: { format: 'json' } });
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
