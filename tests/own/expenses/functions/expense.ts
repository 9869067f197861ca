import * as answer from '../shared/http/answer.js';
import { route } from '../shared/routing/route.js';
import { resource } from '../shared/schema/resource.js';
import type { ObjectSchema } from '../shared/schema/schema.js';

/** What somebody has paid. */
export const expense = {
  title: 'Expense',
  properties: {
    /** The key of the expense, which the service assigns. */
    key: { type: 'string', format: 'uuid', readOnly: true, example: '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47' },
    /** How much it was, in the currency. */
    amount: { type: 'number', exclusiveMinimum: 0, maximum: 1_000_000, example: 12.5 },
    /** The currency, by its code in ISO 4217. */
    currency: { type: 'string', enum: ['EUR', 'GBP', 'USD'], example: 'EUR' },
    /** What it was for, if somebody says so. */
    category: { type: 'string', minLength: 1, maxLength: 50, nullable: true, default: null, example: 'Travel' },
    /** The day of the payment. */
    paidOn: { type: 'string', format: 'date', example: '2026-11-20' },
    /** Words to find it by. */
    tags: { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: 10, default: [], example: ['train'] },
    /** True when somebody has paid it back. */
    isReimbursed: { type: 'boolean', default: false, example: false },
  },
} as const satisfies ObjectSchema;

const expenses = resource({ name: 'expense', schema: expense });

const COLLECTION = '/api/expense';
const ITEM = `${COLLECTION}/{id}`;

/**
 * Lists expenses in the order of their creation.
 *
 * @param limit - The maximum number of items. Only the last page has no Link header field.
 * @param after - The key of an item: the page starts after it.
 */
export const listItems = route({
  method: 'GET',
  template: COLLECTION,
  resource: expenses,
  query: {
    limit: { type: 'integer', minimum: 1, maximum: 1_000, example: 10 },
    after: { type: 'string', format: 'uuid', example: expense.properties.key.example },
  },
  answers: { 200: { content: [expense], headers: ['Link'] } },
  run: async ({ request, query, items }) => answer.listed(request, COLLECTION, await items.list(query), query),
});

/**
 * Creates an expense under a new key.
 *
 * @param item - The item to create. A key in it is ignored.
 */
export const createItem = route({
  method: 'POST',
  template: COLLECTION,
  resource: expenses,
  body: { schema: expense },
  idempotent: true,
  answers: { 201: { content: expense, headers: ['ETag', 'Location'] }, 413: {}, 422: {}, 507: {} },
  run: async ({ request, members, idempotencyKey, items }) =>
    answer.created(request, COLLECTION, await items.create(members, idempotencyKey)),
});

/**
 * Finds one expense.
 *
 * @param id - The key of the item.
 */
export const findItem = route({
  method: 'GET',
  template: ITEM,
  resource: expenses,
  conditional: true,
  answers: { 200: { content: expense, headers: ['ETag'] }, 304: { headers: ['ETag'] }, 404: {}, 412: {} },
  run: async ({ request, parameters, precondition, items }) =>
    answer.found(request, await items.find(parameters.id), precondition),
});

/**
 * Replaces a whole expense.
 *
 * @param id - The key of the item.
 * @param item - The whole item, with its key. Other members that are left out take their defaults.
 */
export const replaceItem = route({
  method: 'PUT',
  template: ITEM,
  resource: expenses,
  conditional: true,
  body: { schema: expense },
  answers: { 204: {}, 400: {}, 404: {}, 412: {}, 413: {}, 507: {} },
  run: async ({ request, parameters, precondition, members, body, items }) =>
    answer.keyDiffers(request, body, parameters.id) ??
    answer.noContent(request, await items.update(parameters.id, members, precondition)),
});

/**
 * Changes some members of an expense with a JSON Merge Patch.
 *
 * @param id - The key of the item.
 * @param item - The members to change. Null resets a member to its default, and a key is ignored.
 */
export const patchItem = route({
  method: 'PATCH',
  template: ITEM,
  resource: expenses,
  conditional: true,
  body: { schema: expense, patch: true },
  answers: { 204: { headers: ['ETag'] }, 404: {}, 412: {}, 413: {}, 507: {} },
  run: async ({ request, parameters, precondition, members, items }) =>
    answer.patched(request, await items.update(parameters.id, members, precondition)),
});

/**
 * Deletes an expense.
 *
 * @param id - The key of the item.
 */
export const deleteItem = route({
  method: 'DELETE',
  template: ITEM,
  resource: expenses,
  conditional: true,
  answers: { 204: {}, 404: {}, 412: {} },
  run: async ({ request, parameters, precondition, items }) =>
    answer.noContent(request, await items.remove(parameters.id, precondition)),
});
