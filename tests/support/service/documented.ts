// What the description document says of the service that is deployed: tests read from it what to call, so they
// don't depend on the resource.
import openApi from '../../../docs/openapi.json';

interface Operation {
  readonly requestBody: { readonly content: Record<string, { readonly example: Readonly<Record<string, unknown>> }> };
}

type Methods = Readonly<Record<string, object>>;
type Operations = readonly (readonly [method: string, path: string])[];

const paths: Readonly<Record<string, Methods>> = openApi.paths;

/** The path of the list of the first resource that has a POST. */
export const COLLECTION = Object.keys(paths).find((path) => 'post' in (paths[path] as Methods)) as string;

/** The methods and paths of the whole service. */
export const ALL_OPERATIONS: Operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
);

/** A body that creates an item there, and the methods and paths that every resource may have on its list and its items. */
export const { EXAMPLE, OPERATIONS } = documentedAt(COLLECTION);

/**
 * Finds what the document has of a resource.
 *
 * @param list - The path of its list, which has a POST.
 * @returns A body that creates an item, and the methods and paths of those operations on the list and its items whose effect is
 * the same for every resource. Other operations are left out.
 */
export function documentedAt(list: string) {
  const { post } = paths[list] as { readonly post: Operation };
  const item = `${list}/{id}`;
  const usual = [
    `GET ${list}`,
    `POST ${list}`,
    ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} ${item}`),
  ];
  return {
    EXAMPLE: post.requestBody.content['application/json']?.example as Readonly<Record<string, unknown>>,
    OPERATIONS: ALL_OPERATIONS.filter(([method, path]) => usual.includes(`${method} ${path}`)),
  };
}
