import type * as v from 'valibot';
import type { JsonObject } from './parse.js';

/**
 * A `v.object`, with a `v.title` that names its definitions in the documents. TypeScript types, parsers, rows and the
 * documents follow from it, and answers contain the members in its order. The service assigns the key, ignores what a
 * client sends for it, and writes it first. A member is required unless it is `v.optional`.
 */
export interface ObjectSchema extends v.GenericSchema<unknown, { readonly key: string }> {
  readonly type: 'object';
  readonly entries: { readonly key: v.GenericSchema<string> } & Readonly<Record<string, v.GenericSchema>>;
}

export type ItemOf<Schema extends ObjectSchema> = Readonly<v.InferOutput<Schema>>;

/** The members that a client sets. */
export type WritableOf<Schema extends ObjectSchema> = Omit<ItemOf<Schema>, 'key'>;

export type PatchOf<Schema extends ObjectSchema> = Partial<WritableOf<Schema>>;

export interface Resource<Schema extends ObjectSchema = ObjectSchema> {
  /** Separates its items in a table from those of other resources, so no two have the same. */
  readonly name: string;
  readonly schema: Schema;
  /** The item in a new collection, its members in the order of the schema; left out, it starts empty. */
  readonly initial?: WritableOf<Schema>;
  /** Makes an item of today's schema of any that a release has stored, for example if a member has another name. */
  readonly upgrade?: (stored: JsonObject) => JsonObject;
}

/** The schemas of the members that a client sets. */
export function writable({ entries: { key: _, ...others } }: ObjectSchema): v.ObjectEntries {
  return others;
}
