// A second resource, as it would be in functions/.
import { openStore } from '../../../functions/stores.js';
import * as answer from '../../../shared/http/answer.js';
import { route } from '../../../shared/routing/route.js';
import type { ObjectSchema } from '../../../shared/schema/schema.js';

/** A note, as it goes over the wire. */
export const note = {
  title: 'Note',
  properties: {
    /** Names the note. */
    key: { type: 'string', format: 'uuid', readOnly: true, example: '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47' },
    /** What it says. */
    text: { type: 'string', minLength: 1, maxLength: 200, example: 'Milk is on the left' },
    /** Whether it stays on top. */
    isPinned: { type: 'boolean', default: false },
  },
} as const satisfies ObjectSchema;

const COLLECTION = '/api/note';
const ITEM = `${COLLECTION}/{id}`;

const store = openStore({ name: 'note', schema: note, first: { text: 'Note1' } });

/**
 * Lists notes in the order of their creation.
 *
 * @param limit - The most notes to answer with.
 * @param after - A key: only notes behind it are listed.
 */
export const listNotes = route({
  method: 'GET',
  template: COLLECTION,
  query: { limit: { type: 'integer', minimum: 1, maximum: 1_000 }, after: { type: 'string', format: 'uuid' } },
  answers: { 200: { content: [note], headers: ['Link'] } },
  run: async ({ request, query }) =>
    answer.listed(request, COLLECTION, await store.list(query, request.id), query.limit),
});

/**
 * Creates a note under a new key.
 *
 * @param item - The note to create.
 */
export const createNote = route({
  method: 'POST',
  template: COLLECTION,
  body: { schema: note },
  answers: { 201: { content: note, headers: ['ETag', 'Location'] }, 413: {}, 507: {} },
  run: async ({ request, members }) => answer.created(request, COLLECTION, await store.create(members, request.id)),
});

/**
 * Finds one note.
 *
 * @param id - The key that the note was given when it was created.
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
 * Deletes a note.
 *
 * @param id - The key that the note was given when it was created.
 */
export const deleteNote = route({
  method: 'DELETE',
  template: ITEM,
  conditional: true,
  answers: { 204: {}, 404: {}, 412: {} },
  run: async ({ request, parameters, precondition }) =>
    answer.removed(request, await store.remove(parameters.id, precondition, request.id)),
});
