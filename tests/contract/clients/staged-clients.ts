// Calls a stage with each client that was generated from the document served there. None is told where the service is: that is in
// the document. A copy beside what the generators make is compiled strictly with it.
import { deepEqual, equal, rejects } from 'node:assert/strict';
import createClient from 'openapi-fetch';
import * as hey from './staged/hey-api/sdk.gen.js';
import * as zod from './staged/hey-api-zod/sdk.gen.js';
import type { paths } from './staged/openapi-typescript.js';
import * as orval from './staged/orval.js';
import { url } from './staged/servers.js';

const dog = { name: 'Walk the dog' };
const typed = createClient<paths>({ baseUrl: url });

/** Functions that create an item and get it, by the client's name. They throw if an answer is not as expected. */
export const stagedClients: Record<string, () => Promise<void>> = {
  'hey-api': async () => {
    const { data } = await hey.apiTodoPost({ body: dog, throwOnError: true });
    deepEqual((await hey.apiTodoByIdGet({ path: { id: data.key }, throwOnError: true })).data, data);
  },

  'hey-api with zod': async () => {
    const { data } = await zod.apiTodoPost({ body: dog, throwOnError: true });
    deepEqual((await zod.apiTodoByIdGet({ path: { id: data.key }, throwOnError: true })).data, data);
    await rejects(zod.apiTodoPost({ body: { name: ' ' }, throwOnError: true }), { name: 'ZodError' });
  },

  'openapi-typescript': async () => {
    const { data } = await typed.POST('/api/todo', { body: dog });
    const path = { id: String(data?.key) };
    deepEqual((await typed.GET('/api/todo/{id}', { params: { path } })).data, {
      ...dog,
      key: path.id,
      isComplete: false,
    });
  },

  orval: async () => {
    const created = await orval.apiTodoPost(dog);
    if (created.status !== 201) throw new Error(`POST was answered ${created.status}`);
    const found = await orval.apiTodoByIdGet(created.data.key);
    equal(found.status, 200);
    deepEqual(found.data, created.data);
  },
};
