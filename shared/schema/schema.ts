import * as v from 'valibot';
import { describeIssue } from './detail.js';

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * A `v.object` with a `v.title`, which names its definitions in the documents. TypeScript types, parsers, rows and the
 * documents follow from it. Its first member is the key, which the service assigns and no client can change. Responses
 * contain the members in its order. A member is required unless it is `v.optional`.
 */
export interface ObjectSchema extends v.GenericSchema<unknown, { readonly key: string }> {
  readonly type: 'object';
  readonly entries: { readonly key: v.GenericSchema<string> } & Readonly<Record<string, v.GenericSchema>>;
}

export type ItemOf<Schema extends ObjectSchema> = Readonly<v.InferOutput<Schema>>;

/** The members that a client sets. */
export type WritableOf<Schema extends ObjectSchema> = Omit<ItemOf<Schema>, 'key'>;

export interface Resource<Schema extends ObjectSchema = ObjectSchema> {
  /** Separates its items in a table from those of other resources, so no two resources have the same name. */
  readonly name: string;
  /** The path of the list, without a prefix. The path of an item continues with a slash and the key. */
  readonly path: `/${string}`;
  readonly schema: Schema;
  /** The item that a new list contains, its members in the order of the schema. Without it, a new list is empty. */
  readonly initial?: WritableOf<Schema>;
  /** Converts what an earlier release has stored to today's schema, for example after a member was renamed. */
  readonly upgrade?: (stored: JsonObject) => JsonObject;
}

/** The schemas of the members that a client sets. */
export function writable({ entries: { key: _, ...others } }: ObjectSchema): v.ObjectEntries {
  return others;
}

export interface MemberError {
  /** The name of the member; if an element of an array is wrong, followed by a slash and its index. */
  readonly path: string;
  readonly detail: string;
}

/**
 * Parses each member by its schema.
 *
 * @param values - By name. Names without a schema are ignored.
 * @param isPatch - Whether they are a JSON Merge Patch (RFC 7396): null resets an optional member to its default.
 * @returns The members in the order of the schemas: all of them, with defaults, or only those that a patch changes. And the
 * first error of each wrong member, because an array of 1 MiB may contain half a million.
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
      errors.push({ path: [name, ...path.map(({ key }) => key)].join('/'), detail: describeIssue(issues[0]) });
    }
  }
  return { members: members as JsonObject, errors };
}

/**
 * Finds members by name, in any letter case. An exact match wins, otherwise the last one. It goes through the object once for
 * all names, because a body may contain a hundred thousand members.
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
