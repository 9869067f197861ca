import * as answer from '../shared/http/answer.js';
import { route } from '../shared/routing/route.js';
import { resource } from '../shared/schema/resource.js';
import type { ObjectSchema } from '../shared/schema/schema.js';

/** A lamp. */
export const lamp = {
  title: 'Lamp',
  properties: {
    /** The key of the lamp, which the service assigns. */
    key: { type: 'string', format: 'uuid', readOnly: true, example: '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47' },
    /** Whether it shines. */
    isOn: { type: 'boolean', example: true },
  },
} as const satisfies ObjectSchema;

const lamps = resource({ name: 'lamp', schema: lamp, first: { isOn: false } });

const COLLECTION = '/api/lamp';
const ITEM = `${COLLECTION}/{id}`;

/**
 * Lists lamps in the order of their creation.
 *
 * @param limit - The maximum number of items. Without it, as many as fit into one response. A page may have fewer items, or
 * none, although the list goes on: only the last page has no Link header field.
 * @param after - The key of an item: the page starts after it. The Link header field leads to the next page.
 */
export const listItems = route({
  method: 'GET',
  template: COLLECTION,
  resource: lamps,
  query: {
    limit: { type: 'integer', minimum: 1, maximum: 1_000, example: 10 },
    after: { type: 'string', format: 'uuid', example: lamp.properties.key.example },
  },
  answers: { 200: { content: [lamp], headers: ['Link'] } },
  run: async ({ request, query, items }) => answer.listed(request, COLLECTION, await items.list(query), query),
});

/**
 * Creates a lamp under a new key.
 *
 * @param item - The item to create. A key in it is ignored.
 * @response 503 - With the same Idempotency-Key, it is safe to send the request again: it does not create a second item.
 */
export const createItem = route({
  method: 'POST',
  template: COLLECTION,
  resource: lamps,
  body: { schema: lamp },
  idempotent: true,
  answers: { 201: { content: lamp, headers: ['ETag', 'Location'] }, 413: {}, 422: {}, 507: {} },
  run: async ({ request, members, idempotencyKey, items }) =>
    answer.created(request, COLLECTION, await items.create(members, idempotencyKey)),
});

/**
 * Finds one lamp.
 *
 * @param id - The key of the item.
 */
export const findItem = route({
  method: 'GET',
  template: ITEM,
  resource: lamps,
  conditional: true,
  answers: { 200: { content: lamp, headers: ['ETag'] }, 304: { headers: ['ETag'] }, 404: {}, 412: {} },
  run: async ({ request, parameters, precondition, items }) =>
    answer.found(request, await items.find(parameters.id), precondition),
});

/**
 * Deletes a lamp.
 *
 * @param id - The key of the item.
 */
export const deleteItem = route({
  method: 'DELETE',
  template: ITEM,
  resource: lamps,
  conditional: true,
  answers: { 204: {}, 404: {}, 412: {} },
  run: async ({ request, parameters, precondition, items }) =>
    answer.removed(request, await items.remove(parameters.id, precondition)),
});
