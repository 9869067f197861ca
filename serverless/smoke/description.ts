import { Fault } from './outcome.js';

/** What the document says of the first resource that has a POST. */
export interface Described {
  /** The path of its list. */
  readonly list: string;
  /** A body that creates an item. */
  readonly example: unknown;
  /** Whether an operation of the list or of an item has a parameter of that name. */
  has(method: string, parameter?: string): boolean;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown } | undefined>> };
}

type Methods = Readonly<Record<string, Operation | undefined>>;

/**
 * Finds the resource that is tried.
 *
 * @param document - In the format of OpenAPI 3.1.
 * @throws Fault if it has no POST.
 */
export function describedIn(document: { readonly paths?: Readonly<Record<string, Methods>> }): Described {
  const paths = Object.entries(document.paths ?? {});
  const [list, collection] = paths.find(([, methods]) => methods.post) ?? [];
  if (!list || !collection) throw new Fault('The document has no POST, so there is nothing to try.');
  const [, item = {}] =
    paths.find(([path]) => path.startsWith(`${list}/{`) && !path.slice(list.length + 1).includes('/')) ?? [];
  return {
    list,
    example: collection.post?.requestBody?.content['application/json']?.example ?? {},
    has(method, parameter) {
      const operation = method === 'list' ? collection.get : method === 'post' ? collection.post : item[method];
      const names = operation?.parameters?.map(({ name }) => name) ?? [];
      return operation !== undefined && (parameter === undefined || names.includes(parameter));
    },
  };
}
