import type { ObjectSchema, PropertySchema, ScalarSchema } from '../schema/schema.js';
import type { Comment } from './comments.js';
import { Words } from './words.js';

/**
 * Describes a schema as a definition of the document.
 *
 * @param schema - The schema.
 * @param constant - The name of the constant that it is declared as.
 * @param comments - The comments in the file of its declaration, by `CONSTANT.properties.NAME`.
 * @returns The definition: type, the members that are required, and all members.
 * @throws Error with file and line when a member has no comment.
 */
export function definition(schema: ObjectSchema, constant: string, comments: Comments): object {
  const properties = Object.entries<PropertySchema>(schema.properties);
  const required = properties.filter(([, facts]) => !facts.readOnly && facts.default === undefined);
  return {
    type: 'object',
    required: required.map(([name]) => name),
    properties: Object.fromEntries(
      properties.map(([name, facts]) => [name, describe(name, facts, constant, comments)]),
    ),
  };
}

/**
 * Describes a merge patch of a schema: no member is required, null puts a default back, and those that the service
 * assigns are left out.
 *
 * @param schema - The schema.
 * @param constant - As for {@link definition}, like the comments.
 * @param comments - As for {@link definition}.
 * @returns The definition.
 */
export function patchDefinition(schema: ObjectSchema, constant: string, comments: Comments): object {
  const properties = Object.entries<PropertySchema>(schema.properties).filter(([, { readOnly }]) => !readOnly);
  const described = properties.map(([name, { default: omitted, ...facts }]) => {
    const nullable = omitted !== undefined || facts.nullable;
    const patch = { ...facts, ...(nullable && { nullable: true }) } as PropertySchema;
    return [name, describe(name, patch, constant, comments)];
  });
  return { type: 'object', properties: Object.fromEntries(described) };
}

type Comments = ReadonlyMap<string, Comment>;

function describe(name: string, facts: PropertySchema, constant: string, comments: Comments): object {
  const comment = comments.get(`${constant}.properties.${name}`) ?? { place: constant, summary: '', tags: new Map() };
  return { description: new Words(comment, `the member ${name}`).summary(), ...facetsOf(facts) };
}

/** The facts in the words of JSON Schema; `x-nullable` is what generators of clients read in Swagger 2.0. */
function facetsOf(facts: PropertySchema | ScalarSchema): object {
  const { nullable, ...facets } = facts;
  return {
    ...facets,
    ...(facets.type === 'string' && facets.pattern && { pattern: facets.pattern.expression.source }),
    ...(facets.type === 'array' && { items: facetsOf(facets.items) }),
    ...(nullable && { 'x-nullable': true }),
  };
}
