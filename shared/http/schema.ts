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

/**
 * Reads the members that a client may set, in whole: omitted ones take their default.
 *
 * @param schema - What the object should look like. Members without a rule are the service's to assign and are skipped.
 * @param object - The parsed body. Unknown members are ignored.
 * @returns All members that have a rule, or an error for each one that is wrong or missing.
 */
export function readWhole<Members>(schema: ObjectSchema, object: JsonObject): Reading<Members> {
  return read(schema, object, (name, property) => {
    if (property.default !== undefined) return property.default;
    return schema.required.includes(name) ? MISSING : undefined;
  });
}

/**
 * Reads the members that a client changes, as a JSON Merge Patch (RFC 7396): omitted ones stay as they are, and null
 * puts the default back.
 *
 * @param schema - As for {@link readWhole}.
 * @param patch - The parsed body.
 * @returns The members to change, or an error for each one that is wrong or can't be taken away.
 */
export function readPatch<Members>(schema: ObjectSchema, patch: JsonObject): Reading<Partial<Members>> {
  return read(schema, patch, () => undefined, true);
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
  const match = Object.keys(object).findLast((key) => key.length === name.length && key.toLowerCase() === wanted);
  return match === undefined ? undefined : object[match];
}

const MISSING = Symbol('missing');

function read<Members>(
  schema: ObjectSchema,
  object: JsonObject,
  omitted: (name: string, property: PropertySchema) => unknown,
  nullMeansDefault = false,
): Reading<Members> {
  const members: Record<string, unknown> = {};
  const errors: MemberError[] = [];
  for (const [name, property] of Object.entries(schema.properties)) {
    if (property.rule === undefined) continue;
    let value = memberOf(object, name);
    if (value === undefined) value = omitted(name, property);
    if (value === null && nullMeansDefault && property.default !== undefined) value = property.default;
    if (value === undefined) continue;
    if (satisfies(property, value)) members[name] = value;
    else errors.push({ pointer: `#/${name}`, detail: `Must be ${property.rule}, ${found(property, value)}.` });
  }
  return errors.length > 0 ? { errors } : { members: members as Members };
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
