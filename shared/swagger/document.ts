import { problemSchema } from '../http/problem.js';
import type { AnyRoute } from '../routing/route.js';
import type { ObjectSchema } from '../schema/schema.js';
import type { Comment } from './comments.js';
import { definition, patchDefinition } from './definition.js';
import { describeOperation } from './operation.js';

/** What a file exports under one name, and the comments in that file by the name of what they stand above. */
export interface Commented {
  readonly constant: string;
  readonly declaration: unknown;
  readonly comments: ReadonlyMap<string, Comment>;
}

/** What the document says of the service as a whole. */
export interface Info {
  readonly version: string;
  readonly title: string;
  readonly description: string;
}

/**
 * Generates the description document, in the format of Swagger 2.0.
 *
 * @param info - Of the whole service.
 * @param exported - What the files of the resources export: routes, and the schemas of their items.
 * @returns The document.
 * @throws Error with file and line where a comment lacks words, or has some for what isn't there.
 */
export function describeService(info: Info, exported: readonly Commented[]): object {
  const operations = exported
    .filter(isRoute)
    .sort((one, other) => orderOf(one.declaration) - orderOf(other.declaration));
  const paths: Record<string, Record<string, object>> = {};
  for (const { constant, declaration, comments } of operations) {
    const { path, method, operation } = describeOperation(declaration, comments.get(constant) ?? missing(constant));
    paths[path] = { ...paths[path], [method]: operation };
  }
  const definitions = exported.filter(isSchema).flatMap(({ constant, declaration, comments }) => [
    [declaration.title, definition(declaration, constant, comments)],
    [`${declaration.title}Patch`, patchDefinition(declaration, constant, comments)],
  ]);
  return {
    swagger: '2.0',
    info,
    basePath: '/',
    paths,
    definitions: { ...Object.fromEntries(definitions), Problem: problemSchema },
    securityDefinitions: {},
  };
}

/** The list before the item, and each path's operations as they mostly stand in documents. */
function orderOf({ method, template }: AnyRoute): number {
  return template.split('/').length * 10 + ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].indexOf(method);
}

function isRoute(exported: Commented): exported is Commented & { readonly declaration: AnyRoute } {
  return Object(exported.declaration) === exported.declaration && 'template' in (exported.declaration as object);
}

function isSchema(exported: Commented): exported is Commented & { readonly declaration: ObjectSchema } {
  return Object(exported.declaration) === exported.declaration && 'properties' in (exported.declaration as object);
}

function missing(constant: string): never {
  throw new Error(`${constant} is not declared as a constant`);
}
