import type * as v from 'valibot';
import { check, type MemberError } from './check.js';
import type { ObjectSchema, PatchOf, WritableOf } from './schema.js';

export type JsonObject = Readonly<Record<string, unknown>>;

export type ParseResult<Members> = { readonly members: Members } | { readonly errors: readonly MemberError[] };

/** Parses the members that a client sets. All others are ignored. */
export interface Parser<Schema extends ObjectSchema> {
  /** A member that is left out takes its default, or is undefined. */
  whole(object: JsonObject): ParseResult<WritableOf<Schema>>;
  /** Parses a JSON Merge Patch (RFC 7396). Null takes the default; without one, an optional member becomes undefined. */
  patch(object: JsonObject): ParseResult<PatchOf<Schema>>;
}

/**
 * Builds the parser of a schema. It returns the members in the order of the schema, or an error for each wrong or
 * missing one.
 */
export function createParser<Schema extends ObjectSchema>({ entries }: Schema): Parser<Schema> {
  const { key: _, ...writable }: Readonly<Record<string, v.GenericSchema>> = entries;
  const names = new Map(Object.keys(writable).map((name) => [name.toLowerCase(), name]));

  function parse(object: JsonObject, isPatch: boolean): ParseResult<JsonObject> {
    const sent = membersIn(object, names);
    const members: Record<string, unknown> = {};
    const errors: MemberError[] = [];
    for (const [name, schema] of Object.entries(writable)) {
      if (isPatch && !(name in sent)) continue;
      const isReset = isPatch && sent[name] === null && schema.type === 'optional';
      const checked = check(schema, isReset ? undefined : sent[name], `#/${name}`);
      if ('error' in checked) errors.push(checked.error);
      else members[name] = checked.value;
    }
    return errors.length > 0 ? { errors } : { members };
  }

  return {
    whole: (object) => parse(object, false) as ParseResult<WritableOf<Schema>>,
    patch: (object) => parse(object, true) as ParseResult<PatchOf<Schema>>,
  };
}

/** Ignores letter case. An exact match wins, otherwise the last match. */
export function memberOf(object: JsonObject, name: string): unknown {
  return membersIn(object, new Map([[name.toLowerCase(), name]]))[name];
}

/** One search finds all names, because a body may have a hundred thousand members. */
function membersIn(object: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  const found: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(object)) {
    const name = names.get(key.toLowerCase());
    if (name !== undefined && (key === name || !Object.hasOwn(object, name))) found[name] = object[key];
  }
  return found;
}
