/** As much of the description document as the page is made of. */
export interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly definitions: Readonly<Record<string, Schema>>;
}

/** One operation of the document. */
export interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}

/** One parameter of an operation: a value's type, but for a body, which has a schema. */
export interface Parameter extends Type {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema?: Schema;
}

/** One response of an operation. */
export interface DescribedResponse {
  readonly description: string;
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, unknown>>;
}

/** The type of a value. */
export interface Type {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly items?: Schema;
}

/** What a value looks like. */
export interface Schema extends Type {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}
