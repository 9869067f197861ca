import { problemSchema } from '../http/problem.js';
import { type AnyRoute, isRoute } from '../routing/route.js';
import type { ObjectSchema } from '../schema/schema.js';
import type { Comment } from './comments.js';
import { definitionsOf } from './definition.js';
import type { Description, Info } from './description.js';
import { describeOperation } from './operation.js';

/** What a file exports under one name, and the comments in that file by the name of what they stand above. */
export interface Commented {
  readonly constant: string;
  readonly declaration: unknown;
  readonly comments: ReadonlyMap<string, Comment>;
}

/**
 * Describes the service from its declarations and the comments above them.
 *
 * @param info - Of the whole service.
 * @param exported - What the files of the resources export: routes, and the schemas of their items.
 * @returns The description, for either format to be written from.
 * @throws Error with file and line where a comment lacks words or has some for what isn't there, or where a default or
 * an example is not valid.
 */
export function describeService(info: Info, exported: readonly Commented[]): Description {
  const operations = exported
    .filter(hasRoute)
    .sort((one, other) => orderOf(one.declaration) - orderOf(other.declaration))
    .map(({ constant, declaration, comments }) => describeOperation(declaration, commentOn(constant, comments)));
  const definitions = exported
    .filter(isSchema)
    .flatMap(({ constant, declaration, comments }) => definitionsOf(declaration, constant, comments));
  return { info, operations, definitions: [...definitions, { title: 'Problem', schema: problemSchema }] };
}

/** The list before the item, and each path's operations as they mostly stand in documents. */
function orderOf({ method, template }: AnyRoute): number {
  return template.split('/').length * 10 + ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].indexOf(method);
}

function hasRoute(exported: Commented): exported is Commented & { readonly declaration: AnyRoute } {
  return isRoute(exported.declaration);
}

function isSchema(exported: Commented): exported is Commented & { readonly declaration: ObjectSchema } {
  return Object(exported.declaration) === exported.declaration && 'properties' in (exported.declaration as object);
}

function commentOn(constant: string, comments: Commented['comments']): Comment {
  const comment = comments.get(constant);
  if (!comment) throw new Error(`${constant} is not declared as a constant`);
  return comment;
}
