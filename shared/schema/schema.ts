/** TypeScript types, parsers, rows and the documents follow from it. Answers contain the members in its order. */
export interface ObjectSchema {
  /** The name of the definition in the documents. */
  readonly title: string;
  readonly properties: { readonly key: KeySchema } & Readonly<Record<string, PropertySchema>>;
}

/** The service assigns the key, ignores what a client sends for it, and writes it first. */
export type KeySchema = StringSchema & { readonly format: 'uuid' };

/** A member is required unless it has a default. */
export type PropertySchema = ScalarSchema | ArraySchema;

export type ScalarSchema = StringSchema | NumberSchema | BooleanSchema;

export interface StringSchema extends Common<string> {
  readonly type: 'string';
  readonly enum?: readonly string[];
  readonly format?: Format;
  readonly pattern?: Pattern;
  /** In Unicode code points, as JSON Schema counts them. */
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** RFC 3339 for `date` and `date-time`, without leap seconds; RFC 9562 for `uuid`. */
export type Format = 'date' | 'date-time' | 'uuid';

/** `description` completes the sentence "a string that contains …". */
export interface Pattern {
  readonly expression: RegExp;
  readonly description: string;
}

/** At most one lower limit. */
export type NumberSchema = Common<number> & {
  readonly type: 'integer' | 'number';
  readonly maximum?: number;
} & (
    | { readonly minimum?: number; readonly exclusiveMinimum?: never }
    | {
        readonly minimum?: never;
        readonly exclusiveMinimum?: number;
      }
  );

export interface BooleanSchema extends Common<boolean> {
  readonly type: 'boolean';
}

export interface ArraySchema extends Common<readonly (string | number | boolean | null)[]> {
  readonly type: 'array';
  readonly items: ScalarSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
}

interface Common<Value> {
  readonly nullable?: true;
  /** The value if a client leaves the member or query parameter out. */
  readonly default?: Value | null;
  readonly example?: Value;
  /** The former name of the member. A row that has only this name still gives its value. */
  readonly formerly?: string;
  /**
   * The value in rows that were written before the member was declared; left out, the default. Such a row can't be read
   * without either, so declare this for a new required member.
   */
  readonly backfill?: Value | null;
}

export type ItemOf<Schema extends ObjectSchema> = {
  readonly [Name in keyof Schema['properties']]: ValueOf<Schema['properties'][Name]>;
};

/** The members that a client sets. */
export type WritableOf<Schema extends ObjectSchema> = Omit<ItemOf<Schema>, 'key'>;

export type PatchOf<Schema extends ObjectSchema> = Partial<WritableOf<Schema>>;

export type ValueOf<Property> =
  | (Property extends { readonly enum: readonly (infer Value)[] }
      ? Value
      : Property extends { readonly items: infer Items }
        ? readonly ValueOf<Items>[]
        : Property extends { readonly type: ScalarSchema['type'] }
          ? { string: string; boolean: boolean; integer: number; number: number }[Property['type']]
          : never)
  | ('nullable' extends keyof Property ? null : never);
