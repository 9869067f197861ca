import type { MemberError } from './problem.js';

/** The schema of a JSON object: read when a body comes in, and copied into the description document. */
export interface ObjectSchema {
  /** The name of its definition in the document. */
  readonly title: string;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, PropertySchema>>;
}

/** The schema of one member, with what a validation error says of it. */
export type PropertySchema = {
  readonly format?: string;
  readonly pattern?: RegExp;
  /** What a value must be, for the error's text: "Must be …". Left out where the service assigns the value. */
  readonly rule?: string;
} & (
  | { readonly type: 'string'; readonly default?: string; readonly example: string }
  | { readonly type: 'boolean'; readonly default?: boolean; readonly example: boolean }
);

/** The members that a schema describes, as TypeScript sees them. */
export type Shape<Schema extends ObjectSchema> = {
  readonly [Name in keyof Schema['properties']]: Schema['properties'][Name]['type'] extends 'string' ? string : boolean;
};

/** A parsed JSON object: any member may be there, with any value. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** What a body came to: its valid members, or what is wrong with the others. */
export type Reading<Members> = { readonly members: Members } | { readonly errors: readonly MemberError[] };

/** Reads the members that a client sets: unknown ones are ignored, and so are those that the service assigns. */
export interface Reader<Members> {
  /** Reads an object in whole: omitted members take their default. */
  whole(object: JsonObject): Reading<Members>;
  /** Reads a JSON Merge Patch (RFC 7396): omitted members stay as they are, and null puts the default back. */
  patch(object: JsonObject): Reading<Partial<Members>>;
}

/**
 * Builds the reader of a schema.
 *
 * @param schema - What an object should look like. Members without a rule are the service's to assign.
 * @returns The reader, which gives all members that are there, or an error for each one that is wrong or missing.
 */
export function createReader<Members>(schema: ObjectSchema): Reader<Members> {
  const fields = Object.entries(schema.properties)
    .filter(([, property]) => property.rule !== undefined)
    .map(([name, property]) => {
      return { name, property, omitted: property.default ?? (schema.required.includes(name) ? MISSING : undefined) };
    });

  return {
    whole: (object) => read(fields, object, (value, field) => (value === undefined ? field.omitted : value)),
    patch: (object) =>
      read(fields, object, (value, field) => (value === null ? (field.property.default ?? null) : value)),
  };
}

interface Field {
  readonly name: string;
  readonly property: PropertySchema;
  /** What a member that was left out counts as. */
  readonly omitted: unknown;
}

/**
 * Finds a member without regard to letter case: an exact match wins, otherwise the last one does.
 *
 * @param object - The parsed body; only its own members count, never inherited ones.
 * @param name - The member's name as the schema spells it.
 * @returns Its value, undefined when there is none.
 */
export function memberOf(object: JsonObject, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name];
  const wanted = name.toLowerCase();
  let match: unknown;
  for (const key of Object.keys(object)) {
    if (key.length === name.length && key.toLowerCase() === wanted) match = object[key];
  }
  return match;
}

const MISSING = Symbol('missing');

function read<Members>(
  fields: readonly Field[],
  object: JsonObject,
  complete: (value: unknown, field: Field) => unknown,
): Reading<Members> {
  const members: Record<string, unknown> = {};
  let errors: MemberError[] | undefined;
  for (const field of fields) {
    const { name, property } = field;
    const value = complete(memberOf(object, name), field);
    if (value === undefined) continue;
    if (satisfies(property, value)) {
      members[name] = value;
      continue;
    }
    errors ??= [];
    errors.push({ pointer: `#/${name}`, detail: `Must be ${property.rule}, ${found(property, value)}.` });
  }
  return errors ? { errors } : { members: members as Members };
}

function satisfies(property: PropertySchema, value: unknown): boolean {
  return typeof value === property.type && (property.pattern?.test(value as string) ?? true);
}

function found(property: PropertySchema, value: unknown): string {
  if (value === MISSING) return 'but is missing';
  if (typeof value === property.type) return value === '' ? 'not an empty one' : 'not a blank one';
  return `not ${typeName(value)}`;
}

/**
 * Names the JSON type of a value, as a sentence would.
 *
 * @param value - Any parsed JSON.
 * @returns For example `an array`, or `null`.
 */
export function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
