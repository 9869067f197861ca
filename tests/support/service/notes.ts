// A second resource, as it would be declared in functions/. Its texts may have any length, so tests of capacity use it, too.
// The names of its schema and path are ones that no service has.
import { openStore } from '../../../functions/stores.js';
import * as answer from '../../../shared/http/answer.js';
import { route } from '../../../shared/routing/route.js';
import type { ObjectSchema } from '../../../shared/schema/schema.js';

/** A note, as it goes over the wire. */
export const note = {
  title: 'TestNote',
  properties: {
    /** Names the note. */
    key: { type: 'string', format: 'uuid', readOnly: true, example: '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47' },
    /** What it says. */
    text: { type: 'string', minLength: 1, example: 'Milk is on the left' },
    /** Whether it stays on top. */
    isPinned: { type: 'boolean', default: false },
    /** When it is of no use any more. */
    due: { type: 'string', format: 'date-time', nullable: true, default: null },
    /** How much it matters. */
    priority: { type: 'integer', minimum: 1, maximum: 5, default: 3 },
    /** What to find it by. */
    labels: { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: 10, uniqueItems: true, default: [] },
  },
} as const satisfies ObjectSchema;

/** The path of the list. */
export const NOTES = '/api/testnote';
const ITEM = `${NOTES}/{id}`;

const store = openStore({ name: 'test-note', schema: note, first: { text: 'Note1' } });

/**
 * Lists notes in the order of their creation.
 *
 * @param limit - The most notes to answer with.
 * @param after - A key: only notes behind it are listed.
 */
export const listNotes = route({
  method: 'GET',
  template: NOTES,
  query: { limit: { type: 'integer', minimum: 1, maximum: 1_000 }, after: { type: 'string', format: 'uuid' } },
  answers: { 200: { content: [note], headers: ['Link'] } },
  run: async ({ request, query }) => answer.listed(request, NOTES, await store.list(query, request.id), query),
});

/**
 * Creates a note under a new key.
 *
 * @param item - The note to create.
 */
export const createNote = route({
  method: 'POST',
  template: NOTES,
  body: { schema: note },
  answers: { 201: { content: note, headers: ['ETag', 'Location'] }, 413: {}, 507: {} },
  run: async ({ request, members }) => answer.created(request, NOTES, await store.create(members, request.id)),
});

/**
 * Finds one note.
 *
 * @param id - Its key.
 */
export const findNote = route({
  method: 'GET',
  template: ITEM,
  conditional: true,
  answers: { 200: { content: note, headers: ['ETag'] }, 304: { headers: ['ETag'] }, 404: {}, 412: {} },
  run: async ({ request, parameters, precondition }) =>
    answer.found(request, await store.find(parameters.id, request.id), precondition),
});

/**
 * Replaces a note whole.
 *
 * @param id - Its key.
 * @param item - The whole note.
 */
export const replaceNote = route({
  method: 'PUT',
  template: ITEM,
  conditional: true,
  body: { schema: note },
  answers: { 204: {}, 404: {}, 412: {}, 413: {}, 507: {} },
  run: async ({ request, parameters, precondition, members }) =>
    answer.replaced(request, await store.update(parameters.id, members, precondition, request.id)),
});

/**
 * Changes some members of a note.
 *
 * @param id - Its key.
 * @param item - The members to change.
 */
export const patchNote = route({
  method: 'PATCH',
  template: ITEM,
  conditional: true,
  body: { schema: note, patch: true },
  answers: { 204: { headers: ['ETag'] }, 404: {}, 412: {}, 413: {}, 507: {} },
  run: async ({ request, parameters, precondition, members }) =>
    answer.patched(request, await store.update(parameters.id, members, precondition, request.id)),
});

/**
 * Deletes a note.
 *
 * @param id - Its key.
 */
export const deleteNote = route({
  method: 'DELETE',
  template: ITEM,
  conditional: true,
  answers: { 204: {}, 404: {}, 412: {} },
  run: async ({ request, parameters, precondition }) =>
    answer.removed(request, await store.remove(parameters.id, precondition, request.id)),
});
