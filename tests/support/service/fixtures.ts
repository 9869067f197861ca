import type { Resource } from '../../../shared/schema/resource.js';
import type { ItemOf, ObjectSchema, WritableOf } from '../../../shared/schema/schema.js';

/** A resource that is not the service's own, with a member of each type that a schema can have. */
export const parcelSchema = {
  title: 'Parcel',
  properties: {
    key: { type: 'string', format: 'uuid', readOnly: true },
    label: { type: 'string', pattern: { expression: /\S/, description: 'a character that is not white space' } },
    note: { type: 'string', minLength: 2, maxLength: 40, nullable: true, default: null },
    service: { type: 'string', enum: ['letter', 'express'], default: 'letter' },
    day: { type: 'string', format: 'date', nullable: true, default: null },
    due: { type: 'string', format: 'date-time', nullable: true, default: null },
    pieces: { type: 'integer', minimum: 1, maximum: 5, default: 1 },
    weight: { type: 'number', minimum: 0, default: 0.5 },
    fragile: { type: 'boolean', default: false },
    tags: { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: 3, uniqueItems: true, default: [] },
    sizes: { type: 'array', items: { type: 'number', nullable: true }, default: [1, 2, 3] },
  },
} as const satisfies ObjectSchema;

/** An item of this resource. */
export type Parcel = ItemOf<typeof parcelSchema>;

/** The members of an item that a client sets. */
export type ParcelMembers = WritableOf<typeof parcelSchema>;

/** The resource, as stores know it. */
export const parcels = {
  name: 'parcel',
  schema: parcelSchema,
  first: aParcel({ label: 'first' }),
} satisfies Resource<typeof parcelSchema>;

/** Makes all members of a parcel except the key: those that the test is about, and defaults for the others. */
export function aParcel(members: Partial<ParcelMembers> = {}): ParcelMembers {
  return {
    label: 'a parcel',
    note: null,
    service: 'letter',
    day: null,
    due: null,
    pieces: 1,
    weight: 0.5,
    fragile: false,
    tags: [],
    sizes: [1, 2, 3],
    ...members,
  };
}
