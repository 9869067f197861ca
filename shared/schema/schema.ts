/**
 * The schema of a resource's items. Their TypeScript types, the parsing of bodies, the rows in a table and the
 * definitions in the description documents follow from it. Answers have the members in the order of this schema.
 */
export interface ObjectSchema {
  /** The name of the definition in the documents. */
  readonly title: string;
  readonly properties: { readonly key: KeySchema } & Readonly<Record<string, PropertySchema>>;
}

/** The member that names an item: the service assigns it. It comes first. */
export type KeySchema = StringSchema & { readonly format: 'uuid'; readonly readOnly: true };

/** The schema of one member. A member without a default that is not `readOnly` is required. */
export type PropertySchema = ScalarSchema | ArraySchema;

/** The schema of a member that is not an array, or of an array's elements. */
export type ScalarSchema = StringSchema | NumberSchema | BooleanSchema;

/** A string; with `enum`, one of those that it lists. */
export interface StringSchema extends Common<string> {
  readonly type: 'string';
  readonly enum?: readonly string[];
  readonly format?: Format;
  readonly pattern?: Pattern;
  /** In Unicode code points, as JSON Schema counts them. */
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** The formats that are checked: RFC 3339 for `date` and `date-time`, without leap seconds; RFC 9562 for `uuid`. */
export type Format = 'date' | 'date-time' | 'uuid';

/** A regular expression, and a description of what it asks for: "a string that contains …". */
export interface Pattern {
  readonly expression: RegExp;
  readonly description: string;
}

/** A number, or an integer, with at most one lower limit. */
export type NumberSchema = Common<number> & {
  readonly type: 'integer' | 'number';
  readonly maximum?: number;
} & (
    | { readonly minimum?: number; readonly exclusiveMinimum?: never }
    | {
        readonly minimum?: never;
        /** The number must be above this one. */
        readonly exclusiveMinimum?: number;
      }
  );

/** True or false. */
export interface BooleanSchema extends Common<boolean> {
  readonly type: 'boolean';
}

/** An array of scalars. */
export interface ArraySchema extends Common<readonly (string | number | boolean | null)[]> {
  readonly type: 'array';
  readonly items: ScalarSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
}

interface Common<Value> {
  /** Whether null is a value, too. */
  readonly nullable?: true;
  /** Whether the service assigns the value; what a client sends is ignored. */
  readonly readOnly?: true;
  /** The value if a client leaves the member or query parameter out. */
  readonly default?: Value | null;
  readonly example?: Value;
  /** The former name of the member: a row in a table that has only this name still gives its value. */
  readonly formerly?: string;
  /** The value in rows that were written before the member was declared. Left out: the default, or null without one. */
  readonly backfill?: Value | null;
}

/** The items that a schema describes: all members, always there. */
export type ItemOf<Schema extends ObjectSchema> = {
  readonly [Name in keyof Schema['properties']]: ValueOf<Schema['properties'][Name]>;
};

/** The members that a client sets. */
export type WritableOf<Schema extends ObjectSchema> = {
  readonly [Name in keyof Schema['properties'] as Schema['properties'][Name] extends { readonly readOnly: true }
    ? never
    : Name]: ValueOf<Schema['properties'][Name]>;
};

/** Any of the members that a client sets, as a merge patch has them. */
export type PatchOf<Schema extends ObjectSchema> = Partial<WritableOf<Schema>>;

/** The values that a schema admits. */
export type ValueOf<Property> =
  | (Property extends { readonly enum: readonly (infer Value)[] }
      ? Value
      : Property extends { readonly items: infer Items }
        ? readonly ValueOf<Items>[]
        : Property extends { readonly type: ScalarSchema['type'] }
          ? { string: string; boolean: boolean; integer: number; number: number }[Property['type']]
          : never)
  | ('nullable' extends keyof Property ? null : never);
