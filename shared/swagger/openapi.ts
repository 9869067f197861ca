/** A description document in the format of OpenAPI 3.1, as much of the format as this service needs. */
export interface OpenApi {
  readonly openapi: '3.1.0';
  readonly info: { readonly version: string; readonly title: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  /** The operations by path and method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  /** Empty to say that there is no authentication, where leaving it out says nothing. */
  readonly security: readonly [];
  readonly tags: readonly { readonly name: string }[];
}

/** One method of one path. */
export interface Operation {
  readonly tags: readonly [string];
  readonly summary: string;
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  /** By status, so that they are in its numerical order. */
  readonly responses: Readonly<Record<string, Response>>;
}

/** A header field of a response. */
export interface Field {
  readonly description: string;
  /** Whether it is always there. */
  readonly required: boolean;
  readonly schema: Schema;
}

/** A parameter of a request: in the path, the query or a header field. */
export interface Parameter extends Field {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
}

/** The body of a request. */
export interface RequestBody {
  readonly [bodyName]: string;
  readonly description: string;
  readonly required: true;
  readonly content: Content;
}

/** The key of a body's name, which Swagger 2.0 has and OpenAPI has not: JSON leaves out what has a symbol for its key. */
export const bodyName = Symbol('name');

/** What is answered with one status. */
export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Field>>;
  readonly content?: Content;
}

/** Content by media type. The first has the example, if there is one: many tools take the first alone. */
export type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

/** A schema, in the words of JSON Schema. It may have more keywords, which mean the same in both formats. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly [type: string, orNull: 'null'];
  readonly enum?: readonly (string | null)[];
  readonly examples?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly readOnly?: boolean;
}
