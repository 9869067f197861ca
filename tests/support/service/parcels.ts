// The resource of the tests of shared/: it has a member of each type that a schema can have. It never changes when to-dos do.
import * as answer from '../../../shared/http/answer.js';
import { route } from '../../../shared/routing/route.js';
import { type Resource, resource } from '../../../shared/schema/resource.js';
import type { ItemOf, ObjectSchema, WritableOf } from '../../../shared/schema/schema.js';

/** A parcel, as it goes over the wire. */
export const parcel = {
  title: 'Parcel',
  properties: {
    /** Names the parcel. */
    key: { type: 'string', format: 'uuid', readOnly: true, example: '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47' },
    /** What is on it. */
    label: {
      type: 'string',
      pattern: { expression: /\S/, description: 'a character that is not white space' },
      example: 'Books',
    },
    /** What the carrier has to know. */
    note: { type: 'string', minLength: 2, maxLength: 40, nullable: true, default: null },
    /** How it is sent. */
    service: { type: 'string', enum: ['letter', 'express'], default: 'letter' },
    /** When it is collected. */
    day: { type: 'string', format: 'date', nullable: true, default: null },
    /** When it has to be there. */
    due: { type: 'string', format: 'date-time', nullable: true, default: null },
    /** How many pieces it has. */
    pieces: { type: 'integer', minimum: 1, maximum: 5, default: 1 },
    /** What it weighs, in kilograms. */
    weight: { type: 'number', minimum: 0, default: 0.5 },
    /** Whether it can break. */
    fragile: { type: 'boolean', default: false },
    /** What to find it by. */
    tags: { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: 3, uniqueItems: true, default: [] },
    /** Its length, width and height. */
    sizes: { type: 'array', items: { type: 'number', nullable: true }, default: [1, 2, 3] },
  },
} as const satisfies ObjectSchema;

/** An item of this resource. */
export type Parcel = ItemOf<typeof parcel>;

type ParcelMembers = WritableOf<typeof parcel>;

/** The resource, as stores know it. */
export const parcels = resource({ name: 'parcel', schema: parcel, first: { label: 'first' } }) as Resource<
  typeof parcel
> & { readonly first: ParcelMembers };

/** Makes all members of a parcel except the key: those that the test is about, and defaults for the others. */
export function aParcel(members: Partial<ParcelMembers> = {}): ParcelMembers {
  return { ...parcels.first, label: 'a parcel', ...members };
}

/** The path of the list. */
export const PARCELS = '/api/parcel';
const list = { template: PARCELS, resource: parcels } as const;
const item = { template: `${PARCELS}/{id}`, resource: parcels, conditional: true } as const;

/**
 * Lists parcels in the order of their creation.
 *
 * @param limit - The most parcels to answer with.
 * @param after - A key: only parcels behind it are listed.
 */
export const listParcels = route({
  method: 'GET',
  ...list,
  query: { limit: { type: 'integer', minimum: 1, maximum: 1_000 }, after: { type: 'string', format: 'uuid' } },
  answers: { 200: { content: [parcel], headers: ['Link'] } },
  run: async ({ request, query, items }) => answer.listed(request, PARCELS, await items.list(query), query),
});

/**
 * Creates a parcel under a new key.
 *
 * @param item - The parcel to create.
 */
export const createParcel = route({
  method: 'POST',
  ...list,
  body: { schema: parcel },
  idempotent: true,
  answers: { 201: { content: parcel, headers: ['ETag', 'Location'] }, 413: {}, 422: {}, 507: {} },
  run: async ({ request, members, idempotencyKey, items }) =>
    answer.created(request, PARCELS, await items.create(members, idempotencyKey)),
});

/**
 * Finds one parcel.
 *
 * @param id - Its key.
 */
export const findParcel = route({
  method: 'GET',
  ...item,
  answers: { 200: { content: parcel, headers: ['ETag'] }, 304: { headers: ['ETag'] }, 404: {}, 412: {} },
  run: async ({ request, parameters, precondition, items }) =>
    answer.found(request, await items.find(parameters.id), precondition),
});

/**
 * Replaces a whole parcel.
 *
 * @param id - Its key.
 * @param item - The whole parcel, with its key.
 */
export const replaceParcel = route({
  method: 'PUT',
  ...item,
  body: { schema: parcel },
  answers: { 204: {}, 400: {}, 404: {}, 412: {}, 413: {}, 507: {} },
  run: async ({ request, parameters, precondition, members, body, items }) =>
    answer.rejectOtherKey(request, body, parameters.id) ??
    answer.noContent(request, await items.update(parameters.id, members, precondition)),
});

/**
 * Changes some members of a parcel.
 *
 * @param id - Its key.
 * @param item - The members to change.
 */
export const patchParcel = route({
  method: 'PATCH',
  ...item,
  body: { schema: parcel, patch: true },
  answers: { 204: { headers: ['ETag'] }, 404: {}, 412: {}, 413: {}, 507: {} },
  run: async ({ request, parameters, precondition, members, items }) =>
    answer.patched(request, await items.update(parameters.id, members, precondition)),
});

/**
 * Deletes a parcel.
 *
 * @param id - Its key.
 */
export const deleteParcel = route({
  method: 'DELETE',
  ...item,
  answers: { 204: {}, 404: {}, 412: {} },
  run: async ({ request, parameters, precondition, items }) =>
    answer.noContent(request, await items.remove(parameters.id, precondition)),
});
