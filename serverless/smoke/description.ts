import type { MemberSchema } from './member-value.js';
import { expectThat, Fault } from './outcome.js';
import { shown } from './shown.js';

/** The members of an item. */
export type Members = Readonly<Record<string, unknown>>;

/** What the document says of the first resource that has a POST. */
export interface Described {
  /** The path of its list. */
  readonly list: string;
  /** A body that creates an item. */
  readonly example: Members;
  /** The members of an item as it is returned. */
  readonly schemas: Readonly<Record<string, MemberSchema>>;
  /** The ids of all operations of the service. */
  readonly operationIds: readonly string[];
  /** Whether an operation of the list or of an item is there, and has a parameter of that name. */
  has(method: string, parameter?: string): boolean;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly example?: Members; readonly schema?: Schema } | undefined>>;
}

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: Content;
  readonly responses?: Readonly<Record<string, Content | undefined>>;
}

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, MemberSchema>>;
}

type Methods = Readonly<Record<string, Operation | undefined>>;

export interface Document {
  readonly paths?: Readonly<Record<string, Methods>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/**
 * Finds the resource that is tried.
 *
 * @param document - In the format of OpenAPI 3.1.
 * @throws Fault if it has no POST, or says too little of it.
 */
export function describedIn(document: Document): Described {
  const paths = Object.entries(document.paths ?? {});
  const [list, collection] = paths.find(([path, methods]) => methods.post && !path.includes('{')) ?? [];
  if (!list || !collection?.post) throw new Fault('The document has no POST, so there is nothing to try.');
  const [, item = {}] =
    paths.find(([path]) => path.startsWith(`${list}/{`) && !path.slice(list.length + 1).includes('/')) ?? [];
  const { requestBody, responses } = collection.post;
  const example = requestBody?.content?.['application/json']?.example;
  const schema = responses?.['201']?.content?.['application/json']?.schema;
  const schemas = schema?.$ref ? document.components?.schemas?.[schema.$ref.split('/').at(-1) as string] : schema;
  expectThat(
    example !== undefined && schemas?.properties !== undefined,
    `The document has no example or no schema of an item for POST ${shown(list)}: docs/rules.md#prefix-cors-documents-and-page.`,
  );
  return {
    list,
    example,
    schemas: schemas.properties,
    operationIds: operationIdsIn(document),
    has(method, parameter) {
      const operation = method === 'list' ? collection.get : method === 'post' ? collection.post : item[method];
      const names = operation?.parameters?.map(({ name }) => name) ?? [];
      return operation !== undefined && (parameter === undefined || names.includes(parameter));
    },
  };
}

/** The ids of all operations of a document in either format. */
export function operationIdsIn({ paths = {} }: Document): readonly string[] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return operations.map((operation) => String(operation?.operationId));
}
