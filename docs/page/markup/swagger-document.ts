/** The parts of a Swagger 2.0 document that the page is made from. */
export interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly definitions: Definitions;
  readonly securityDefinitions?: Readonly<Record<string, SecurityScheme>>;
}

export interface SecurityScheme {
  readonly type?: string;
  readonly in?: string;
  readonly name?: string;
  readonly description?: string;
}

export type Definitions = Readonly<Record<string, Definition>>;

export interface DocumentedOperation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly operationId: string;
  readonly consumes?: readonly string[];
  readonly produces?: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

export interface DocumentedResponse {
  readonly description?: string;
  readonly schema?: Definition;
  readonly headers?: Readonly<Record<string, Definition>>;
  readonly examples?: Readonly<Record<string, unknown>>;
}

/** The parameter for a body has a schema. */
export interface Parameter extends Definition {
  readonly name: string;
  readonly in: string;
  readonly schema?: Definition;
  readonly 'x-example'?: unknown;
}

/** A definition, a member of one, a header field, or the keywords of a parameter. */
export interface Definition {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly example?: unknown;
  readonly items?: Definition;
  readonly required?: boolean | readonly string[];
  readonly properties?: Definitions;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly 'x-nullable'?: boolean;
}

/** The scheme by which an operation asks for a token in Authorization. */
export function tokenScheme(
  { security = [] }: DocumentedOperation,
  { securityDefinitions = {} }: Document,
): SecurityScheme | undefined {
  const schemes = security.flatMap(Object.keys).map((name) => securityDefinitions[name] ?? {});
  return schemes.find(
    ({ type, in: part, name = '' }) => type === 'apiKey' && part === 'header' && name.toLowerCase() === 'authorization',
  );
}

/** The name of the definition that a value refers to. */
export function nameOf({ $ref }: Definition): string | undefined {
  return $ref?.replace('#/definitions/', '');
}

/** The definition that a value refers to, or the value itself. */
export function resolve(value: Definition, definitions: Definitions): Definition {
  const name = nameOf(value);
  return name === undefined ? value : (definitions[name] ?? {});
}
