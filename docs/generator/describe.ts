import { type AnyRoute, isRoute } from '../../shared/routing/route.js';
import type { ObjectSchema } from '../../shared/schema/schema.js';
import type { Comment } from './comments.js';
import { definitionsOf } from './definition.js';
import type { Definition, SecurityScheme } from './openapi-document.js';
import { describeOperation, type Operation, pathOf } from './operation.js';
import { problemSchema } from './problem-schema.js';

/** Exports and comments, both by the name of the constant. */
export interface ResourceFile {
  readonly exported: Readonly<Record<string, unknown>>;
  readonly comments: ReadonlyMap<string, Comment>;
}

export type Info = Readonly<Record<'version' | 'title' | 'description', string>>;

/** OpenAPI 3.1. */
export type OpenApi = ReturnType<typeof describeService> & {
  readonly components: { readonly securitySchemes?: Readonly<Record<string, SecurityScheme>> };
};

/**
 * Describes the service from its declarations and the comments above them.
 *
 * @param files - The files of the resources. They export routes, and the schemas of their items.
 * @returns The document, with the operations in the order of the files.
 * @throws Error with file and line if a comment lacks a description or describes something that isn't there, if a
 * default or an example is not valid, if two schemas have the same title, or if a route has a schema that no file
 * exports.
 */
export function describeService(info: Info, files: readonly ResourceFile[]) {
  const paths: Record<string, Record<string, Operation>> = {};
  const schemas: Record<string, Definition> = {};
  const routes: [AnyRoute, Comment][] = [];
  const described = new Set<ObjectSchema>();
  for (const { exported, comments } of files) {
    const order = Array.from(comments.keys());
    const constants = Object.keys(exported).sort((one, other) => order.indexOf(one) - order.indexOf(other));
    for (const constant of constants) {
      const declaration = exported[constant];
      if (isSchema(declaration)) {
        const definitions = definitionsOf(declaration, constant, comments);
        rejectTaken(Object.keys(definitions), schemas, declaration, comments.get(constant));
        Object.assign(schemas, definitions);
        described.add(declaration);
      }
      if (!isRoute(declaration)) continue;
      const comment = comments.get(constant);
      if (!comment) throw new Error(`${constant} is not declared as a constant`);
      routes.push([declaration, comment]);
      const path = pathOf(declaration);
      const operation = describeOperation(declaration, comment);
      paths[path] = { ...paths[path], [declaration.method.toLowerCase()]: operation };
    }
  }
  for (const [route, comment] of routes) rejectUndescribed(route, comment, described);
  const tags = Object.values(paths).flatMap((operations) => Object.values(operations).map(({ tags }) => tags[0]));
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    paths,
    components: { schemas: referenced({ ...schemas, Problem: problemSchema }, paths) },
    // An empty list means that there is no authentication. A missing one would mean nothing.
    security: [],
    tags: Array.from(new Set(tags), (name) => ({ name })),
  };
}

/** With two schemas of one title, the items of both would be described with the members of the second. */
function rejectTaken(
  names: readonly string[],
  taken: Readonly<Record<string, Definition>>,
  { title }: ObjectSchema,
  comment: Comment | undefined,
): void {
  const name = names.find((name) => Object.hasOwn(taken, name));
  if (name)
    throw new Error(`${comment?.location}: the title ${title} is taken: another schema has the definition ${name}`);
}

/** A schema that is not exported would be described as another one of its title, or not at all. */
function rejectUndescribed(
  { method, template, body, answers }: AnyRoute,
  { location }: Comment,
  described: ReadonlySet<ObjectSchema>,
): void {
  const contents = Object.values(answers).flatMap(({ content }) => content ?? []) as readonly ObjectSchema[];
  const schema = [...contents, ...(body ? [body.schema] : [])].find((schema) => !described.has(schema));
  if (schema)
    throw new Error(
      `${location}: ${method} ${template} has the schema ${schema.title}, which no resource's file exports`,
    );
}

function isSchema(declaration: unknown): declaration is ObjectSchema {
  return typeof declaration === 'object' && declaration !== null && 'properties' in declaration;
}

/** Leaves out schemas that no operation refers to. Schemas do not refer to each other. */
function referenced(
  schemas: Readonly<Record<string, Definition>>,
  paths: object,
): Readonly<Record<string, Definition>> {
  const text = JSON.stringify(paths);
  const isReferenced = (name: string) => text.includes(`"#/components/schemas/${name}"`);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => isReferenced(name)));
}
