import type { ObjectSchema, PropertySchema } from '../http/schema.js';
import type { Comment } from './comments.js';
import { Words } from './words.js';

/**
 * Describes a schema as a definition of the document.
 *
 * @param schema - The schema.
 * @param comments - The comments on its members, by `properties.NAME`.
 * @returns The definition: type, the members that are required, and all members.
 * @throws Error with file and line when a member has no comment.
 */
export function definition(schema: ObjectSchema, comments: ReadonlyMap<string, Comment>): object {
  return { type: 'object', required: schema.required, properties: properties(schema, comments, () => true) };
}

/**
 * Describes a merge patch of a schema: no member is required, none has a default, and those that the service assigns
 * are left out.
 *
 * @param schema - The schema.
 * @param comments - As for {@link definition}.
 * @returns The definition.
 */
export function patchDefinition(schema: ObjectSchema, comments: ReadonlyMap<string, Comment>): object {
  const withoutDefaults = Object.entries(schema.properties).map(([name, { default: _, ...rest }]) => [name, rest]);
  const patch = { ...schema, properties: Object.fromEntries(withoutDefaults) };
  return { type: 'object', properties: properties(patch, comments, ({ rule }) => rule !== undefined) };
}

function properties(
  schema: ObjectSchema,
  comments: ReadonlyMap<string, Comment>,
  included: (property: PropertySchema) => boolean,
): object {
  const described = Object.entries(schema.properties)
    .filter(([, property]) => included(property))
    .map(([name, { rule: _, pattern, ...facts }]) => {
      const comment = comments.get(`properties.${name}`) ?? { place: schema.title, summary: '', tags: new Map() };
      const description = new Words(comment, `the member ${name}`).summary();
      return [name, { description, ...facts, ...(pattern && { pattern: pattern.source }) }];
    });
  return Object.fromEntries(described);
}
