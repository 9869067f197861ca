/** JSON Schema. Add only keywords that mean the same in both formats. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly [type: string, orNull: 'null'];
  readonly enum?: readonly (string | null)[];
  readonly examples?: readonly unknown[];
  /** Some tools read keywords beside a schema differently from the same keywords in it. */
  readonly allOf?: readonly [Schema];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly default?: unknown;
  readonly readOnly?: boolean;
}

export interface Definition extends Schema {
  readonly properties: Readonly<Record<string, Schema>>;
}

/** By media type. Only the first has the example, because many tools read only the first. */
export type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, HeaderObject>>;
  readonly content?: Content;
}

/** Of a response, or a parameter. `required` tells whether it is always there. */
export interface HeaderObject {
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
}

export interface SecurityScheme {
  readonly type: 'http';
  readonly scheme: 'bearer';
  readonly bearerFormat: string;
  readonly description: string;
}

/** In the path, the query or a header field. */
export interface ParameterObject extends HeaderObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
}
