// What the description document says of the service that is deployed: tests call it by this, whatever its resource is.
import { readFileSync } from 'node:fs';

type Methods = Readonly<Record<string, { readonly requestBody: { readonly content: Record<string, Content> } }>>;

interface Content {
  readonly example: Readonly<Record<string, unknown>>;
}

const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as { paths: Readonly<Record<string, Methods>> };
const [list, { post }] = Object.entries(paths).find(([, methods]) => 'post' in methods) as [string, Methods];

/** The path of the list of the first resource that has a POST. */
export const COLLECTION = list;

/** A body that creates an item there. */
export const EXAMPLE = post?.requestBody.content['application/json']?.example as Content['example'];

/** The methods and paths of all operations on it. */
export const OPERATIONS: readonly (readonly [method: string, path: string])[] = Object.entries(paths)
  .filter(([path]) => path.startsWith(list))
  .flatMap(([path, methods]) => Object.keys(methods).map((method) => [method.toUpperCase(), path] as const));
