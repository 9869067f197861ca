// What the description document says of the service that is deployed: tests call it by this, whatever its resource is.
import openApi from '../../../docs/openapi.json';

interface Operation {
  readonly requestBody: { readonly content: Record<string, { readonly example: Readonly<Record<string, unknown>> }> };
}

const paths: [path: string, methods: object][] = Object.entries(openApi.paths);
const [list, { post }] = paths.find(([, methods]) => 'post' in methods) as [string, { readonly post: Operation }];

/** The path of the list of the first resource that has a POST, and a body that creates an item there. */
export const COLLECTION = list;
export const EXAMPLE = post.requestBody.content['application/json']?.example as Readonly<Record<string, unknown>>;

type Operations = readonly (readonly [method: string, path: string])[];

const operationsOn = (some: typeof paths): Operations =>
  some.flatMap(([path, methods]) => Object.keys(methods).map((method) => [method.toUpperCase(), path] as const));

/** The methods and paths of all operations on that list and its items. Actions and other resources are not among them. */
export const OPERATIONS = operationsOn(paths.filter(([path]) => path === list || path === `${list}/{id}`));

/** Those of the whole service. */
export const ALL_OPERATIONS = operationsOn(paths);
