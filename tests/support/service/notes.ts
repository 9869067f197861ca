// A second resource, as it would be declared in functions/. Its texts may have any length, so tests of capacity use it, too.
// The names of its schema and path are ones that no service has.
import * as answer from '../../../shared/http/answer.js';
import { route } from '../../../shared/routing/route.js';
import { resource } from '../../../shared/schema/resource.js';
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

const notes = resource({ name: 'test-note', schema: note, first: { text: 'Note1' } });

/** The path of the list. */
export const NOTES = '/api/testnote';
const ITEM = `${NOTES}/{id}`;

/**
 * Lists notes in the order of their creation.
 *
 * @param limit - The most notes to answer with.
 * @param after - A key: only notes behind it are listed.
 */
export const listNotes = route({
  method: 'GET',
  template: NOTES,
  resource: notes,
  query: { limit: { type: 'integer', minimum: 1, maximum: 1_000 }, after: { type: 'string', format: 'uuid' } },
  answers: { 200: { content: [note], headers: ['Link'] } },
  run: async ({ request, query, items }) => answer.listed(request, NOTES, await items.list(query), query),
});

/**
 * Creates a note under a new key.
 *
 * @param item - The note to create.
 */
export const createNote = route({
  method: 'POST',
  template: NOTES,
  resource: notes,
  body: { schema: note },
  answers: { 201: { content: note, headers: ['ETag', 'Location'] }, 413: {}, 507: {} },
  run: async ({ request, members, items }) => answer.created(request, NOTES, await items.create(members)),
});

/**
 * Finds one note.
 *
 * @param id - Its key.
 */
export const findNote = route({
  method: 'GET',
  template: ITEM,
  resource: notes,
  conditional: true,
  answers: { 200: { content: note, headers: ['ETag'] }, 304: { headers: ['ETag'] }, 404: {}, 412: {} },
  run: async ({ request, parameters, precondition, items }) =>
    answer.found(request, await items.find(parameters.id), precondition),
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
  resource: notes,
  conditional: true,
  body: { schema: note },
  answers: { 204: {}, 404: {}, 412: {}, 413: {}, 507: {} },
  run: async ({ request, parameters, precondition, members, items }) =>
    answer.replaced(request, await items.update(parameters.id, members, precondition)),
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
  resource: notes,
  conditional: true,
  body: { schema: note, patch: true },
  answers: { 204: { headers: ['ETag'] }, 404: {}, 412: {}, 413: {}, 507: {} },
  run: async ({ request, parameters, precondition, members, items }) =>
    answer.patched(request, await items.update(parameters.id, members, precondition)),
});

/**
 * Deletes a note.
 *
 * @param id - Its key.
 */
export const deleteNote = route({
  method: 'DELETE',
  template: ITEM,
  resource: notes,
  conditional: true,
  answers: { 204: {}, 404: {}, 412: {} },
  run: async ({ request, parameters, precondition, items }) =>
    answer.removed(request, await items.remove(parameters.id, precondition)),
});
