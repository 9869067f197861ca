/** What the description documents say of the service, in neither's format. */
export interface Description {
  readonly info: Info;
  readonly operations: readonly Operation[];
  readonly definitions: readonly Definition[];
}

/** What they say of the service as a whole. */
export interface Info {
  readonly version: string;
  readonly title: string;
  readonly description: string;
}

/** One method of one path. */
export interface Operation {
  readonly path: string;
  readonly method: string;
  readonly tag: string;
  readonly summary: string;
  readonly id: string;
  readonly parameters: readonly Parameter[];
  /** The body that it needs, undefined where it takes none. */
  readonly body: Body | undefined;
  /** In the numerical order of their statuses. */
  readonly responses: readonly DescribedResponse[];
}

/** A parameter in the path, the query or a header field. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
}

/** The body of a request. */
export interface Body {
  readonly name: string;
  readonly description: string;
  readonly mediaTypes: readonly string[];
  readonly schema: Schema;
}

/** What is answered with one status. */
export interface DescribedResponse {
  readonly status: number;
  readonly description: string;
  readonly content: Content | undefined;
  readonly headers: readonly HeaderField[];
}

/** The content of a response. */
export interface Content {
  readonly mediaTypes: readonly string[];
  readonly schema: Schema;
  /** A content that could be real, undefined where the schema gives too little to make one. */
  readonly example: unknown;
}

/** A header field of a response. */
export interface HeaderField {
  readonly name: string;
  readonly description: string;
  readonly type: 'integer' | 'string';
  /** Whether every response of the status has it. */
  readonly always: boolean;
}

/** A schema with a name of its own. */
export interface Definition extends Reference {
  readonly schema: Schema;
}

/** Refers to the definition of a resource's items, in one of three forms. */
export interface Reference {
  readonly title: string;
  /** As clients send it where undefined; as a merge patch; or as the service answers it, with every member. */
  readonly form?: 'patch' | 'stored';
}

/** A schema in the words of JSON Schema, without those that the formats spell differently. */
export interface Schema {
  /** The definition that says it all. */
  readonly reference?: Reference;
  /** Whether null is a value, too. */
  readonly nullable?: boolean;
  readonly example?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  /** Any other keyword is the same in both formats. */
  readonly [keyword: string]: unknown;
}
