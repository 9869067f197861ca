import { check, type MemberError } from './check.js';
import type { ObjectSchema, PatchOf, PropertySchema, WritableOf } from './schema.js';

export type JsonObject = Readonly<Record<string, unknown>>;

export type ParseResult<Members> = { readonly members: Members } | { readonly errors: readonly MemberError[] };

/** Parses the members that a client sets. All others are ignored. */
export interface Parser<Schema extends ObjectSchema> {
  /** A member that is left out takes its default. */
  whole(object: JsonObject): ParseResult<WritableOf<Schema>>;
  /** Parses a JSON Merge Patch (RFC 7396). Null takes the default. */
  patch(object: JsonObject): ParseResult<PatchOf<Schema>>;
}

/**
 * Builds the parser of a schema. It returns the members in the order of the schema, or an error for each wrong or
 * missing one.
 */
export function createParser<Schema extends ObjectSchema>(schema: Schema): Parser<Schema> {
  const writable = Object.entries<PropertySchema>(schema.properties)
    .filter(([name]) => name !== 'key')
    .map(([name, property]) => ({ name, lowered: name.toLowerCase(), property, pointer: `#/${name}` }));
  const names = new Set(writable.map(({ lowered }) => lowered));

  function parse(object: JsonObject, isPatch: boolean): ParseResult<JsonObject> {
    const replacedByDefault = isPatch ? null : undefined;
    const members: Record<string, unknown> = {};
    let errors: MemberError[] | undefined;
    let matches: ReadonlyMap<string, unknown> | undefined;
    for (const { name, lowered, property, pointer } of writable) {
      const isExact = Object.hasOwn(object, name);
      if (!isExact) matches ??= matchesIn(object, names);
      const sent = isExact ? object[name] : matches?.get(lowered);
      if (sent === undefined && isPatch) continue;
      const value = sent === replacedByDefault && property.default !== undefined ? property.default : sent;
      const error = check(property, value, pointer);
      members[name] = value;
      if (error) errors = [...(errors ?? []), error];
    }
    return errors ? { errors } : { members };
  }

  return {
    whole: (object) => parse(object, false) as ParseResult<WritableOf<Schema>>,
    patch: (object) => parse(object, true) as ParseResult<PatchOf<Schema>>,
  };
}

/** Ignores letter case. An exact match wins, otherwise the last match. */
export function memberOf(object: JsonObject, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name];
  const lowered = name.toLowerCase();
  return matchesIn(object, new Set([lowered])).get(lowered);
}

/** One search finds all names, because a body may have a hundred thousand members. */
function matchesIn(object: JsonObject, names: ReadonlySet<string>): ReadonlyMap<string, unknown> {
  const matches = new Map<string, unknown>();
  for (const key in object) {
    const lowered = key.toLowerCase();
    if (names.has(lowered) && Object.hasOwn(object, key)) matches.set(lowered, object[key]);
  }
  return matches;
}
