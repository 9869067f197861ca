import * as v from 'valibot';
import { detailOf } from './detail.js';

export type JsonObject = Readonly<Record<string, unknown>>;

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
  /** The path of the list, without a prefix. That of an item has a slash and the key behind it. */
  readonly path: `/${string}`;
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

export interface MemberError {
  /** The name of the member, and behind a slash the index of an element. */
  readonly path: string;
  readonly detail: string;
}

/**
 * Parses each member by its schema.
 *
 * @param values - By the names of the schemas.
 * @param isPatch - Whether it is a JSON Merge Patch (RFC 7396), in which null is the default.
 * @returns The members in the order of the schemas, undefined where an optional one is left out; and an error for each
 * wrong one: only its first, because an array of 1 MiB may have half a million.
 */
export function parseMembers(entries: v.ObjectEntries, values: JsonObject, isPatch = false) {
  const members: Record<string, unknown> = {};
  const errors: MemberError[] = [];
  for (const [name, schema] of Object.entries(entries)) {
    const value = values[name];
    if (isPatch && value === undefined) continue;
    const isReset = isPatch && value === null && schema.type === 'optional';
    const { output, issues } = v.safeParse(schema, isReset ? undefined : value, { abortEarly: true, message: '' });
    if (!issues) members[name] = output;
    else {
      const path = issues[0].path ?? [];
      errors.push({ path: [name, ...path.map(({ key }) => key)].join('/'), detail: detailOf(issues[0]) });
    }
  }
  return { members: members as JsonObject, errors };
}

/**
 * Finds members by their names in any letter case. An exact match wins, otherwise the last one. One search finds all, because a
 * body may have a hundred thousand members.
 */
export function membersIn(object: JsonObject, names: readonly string[]): JsonObject {
  const found = Object.create(null);
  const lowered = new Map(names.map((name) => [name.toLowerCase(), name]));
  for (const key of Object.keys(object)) {
    const name = lowered.get(key.toLowerCase());
    if (name !== undefined && (key === name || !Object.hasOwn(object, name))) found[name] = object[key];
  }
  return found;
}
