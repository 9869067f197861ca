import * as v from 'valibot';
import { detailOf } from './detail.js';

export type JsonObject = Readonly<Record<string, unknown>>;

export type ParsedMembers = { readonly members: JsonObject } | { readonly errors: readonly MemberError[] };

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
 * @returns The members in the order of the schemas, undefined where an optional one is left out; or an error for each wrong
 * one: only its first, because an array of 1 MiB may have half a million.
 */
export function parseMembers(entries: v.ObjectEntries, values: JsonObject, isPatch = false): ParsedMembers {
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
  return errors.length > 0 ? { errors } : { members };
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
