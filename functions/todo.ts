import * as answer from '../shared/http/answer.js';
import { route } from '../shared/routing/route.js';
import { resource } from '../shared/schema/resource.js';
import type { ObjectSchema } from '../shared/schema/schema.js';

/** An item of the to-do list. */
export const todoItem = {
  title: 'TodoItem',
  properties: {
    /** The key of the item, which the service assigns. POST and PATCH ignore it; PUT requires it to equal the key in the path. */
    key: { type: 'string', format: 'uuid', readOnly: true, example: '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47' },
    /** What there is to do. It must contain a character that is not white space. */
    name: {
      type: 'string',
      pattern: {
        // Unicode's White_Space, spelled out because \s means different characters in different regular expression engines.
        expression: /[^\t-\r \x85\xA0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]/,
        description: 'a character that is not white space',
      },
      example: 'Walk the dog',
    },
    /** True when the item is done. */
    isComplete: { type: 'boolean', default: false, example: false },
  },
} as const satisfies ObjectSchema;

const todos = resource({ name: 'todo', schema: todoItem, first: { name: 'Item1' } });

const COLLECTION = '/api/todo';
const ITEM = `${COLLECTION}/{id}`;

/**
 * Lists to-do items in the order of their creation.
 *
 * @param limit - The maximum number of items. Without it, as many as fit into one response. A page may have fewer items, or
 * none, although the list goes on: only the last page has no Link header field.
 * @param after - The key of an item: the page starts after it. The Link header field leads to the next page.
 */
export const listItems = route({
  method: 'GET',
  template: COLLECTION,
  resource: todos,
  query: {
    limit: { type: 'integer', minimum: 1, maximum: 1_000, example: 10 },
    after: { type: 'string', format: 'uuid', example: todoItem.properties.key.example },
  },
  answers: { 200: { content: [todoItem], headers: ['Link'] } },
  run: async ({ request, query, items }) => answer.listed(request, COLLECTION, await items.list(query), query),
});

/**
 * Creates a to-do item under a new key.
 *
 * @param item - The item to create. A key in it is ignored.
 * @response 503 - With the same Idempotency-Key, it is safe to send the request again: it does not create a second item.
 */
export const createItem = route({
  method: 'POST',
  template: COLLECTION,
  resource: todos,
  body: { schema: todoItem },
  idempotent: true,
  answers: { 201: { content: todoItem, headers: ['ETag', 'Location'] }, 413: {}, 422: {}, 507: {} },
  run: async ({ request, members, idempotencyKey, items }) =>
    answer.created(request, COLLECTION, await items.create(members, idempotencyKey)),
});

/**
 * Finds one to-do item.
 *
 * @param id - The key of the item.
 */
export const findItem = route({
  method: 'GET',
  template: ITEM,
  resource: todos,
  conditional: true,
  answers: { 200: { content: todoItem, headers: ['ETag'] }, 304: { headers: ['ETag'] }, 404: {}, 412: {} },
  run: async ({ request, parameters, precondition, items }) =>
    answer.found(request, await items.find(parameters.id), precondition),
});

/**
 * Replaces a whole to-do item.
 *
 * @param id - The key of the item.
 * @param item - The whole item. Its key is required here and must equal the key in the path. Other members that are
 * left out take their defaults.
 * @response 400 - Or the key in the body is missing or differs from the key in the path.
 */
export const replaceItem = route({
  method: 'PUT',
  template: ITEM,
  resource: todos,
  conditional: true,
  body: { schema: todoItem },
  answers: { 204: {}, 400: {}, 404: {}, 412: {}, 413: {}, 507: {} },
  run: async ({ request, parameters, precondition, members, body, items }) =>
    answer.rejectOtherKey(request, body, parameters.id) ??
    answer.noContent(request, await items.update(parameters.id, members, precondition)),
});

/**
 * Changes some members of a to-do item with a JSON Merge Patch.
 *
 * @param id - The key of the item.
 * @param item - The members to change. Those left out stay as they are, null resets a member to its default, and a key is ignored.
 */
export const patchItem = route({
  method: 'PATCH',
  template: ITEM,
  resource: todos,
  conditional: true,
  body: { schema: todoItem, patch: true },
  answers: { 204: { headers: ['ETag'] }, 404: {}, 412: {}, 413: {}, 507: {} },
  run: async ({ request, parameters, precondition, members, items }) =>
    answer.patched(request, await items.update(parameters.id, members, precondition)),
});

/**
 * Deletes a to-do item.
 *
 * @param id - The key of the item.
 */
export const deleteItem = route({
  method: 'DELETE',
  template: ITEM,
  resource: todos,
  conditional: true,
  answers: { 204: {}, 404: {}, 412: {} },
  run: async ({ request, parameters, precondition, items }) =>
    answer.noContent(request, await items.remove(parameters.id, precondition)),
});
