import { problemSchema } from '../http/problem.js';
import type { AnyRoute } from '../http/route.js';
import type { ObjectSchema } from '../http/schema.js';
import type { Comment } from './comments.js';
import { definition, patchDefinition } from './definition.js';
import { describeOperation } from './operation.js';

/** Something declared, and the comment above it. */
export interface Commented<Declaration> {
  readonly declaration: Declaration;
  readonly comment: Comment;
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
 * @param routes - The operations, in the order in which the document has them.
 * @param schema - The schema of the item that they take and return.
 * @param members - The comments on the schema's members, by `properties.NAME`.
 * @returns The document.
 * @throws Error with file and line where a comment lacks words, or has some for what isn't there.
 */
export function describeService(
  info: Info,
  routes: readonly Commented<AnyRoute>[],
  schema: ObjectSchema,
  members: ReadonlyMap<string, Comment>,
): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { declaration, comment } of routes) {
    const { path, method, operation } = describeOperation(declaration, comment);
    paths[path] = { ...paths[path], [method]: operation };
  }
  const definitions = {
    [schema.title]: definition(schema, members),
    [`${schema.title}Patch`]: patchDefinition(schema, members),
    Problem: problemSchema,
  };
  return { swagger: '2.0', info, basePath: '/', paths, definitions, securityDefinitions: {} };
}
