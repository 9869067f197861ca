import { check } from '../schema/check.js';
import type { ObjectSchema, PropertySchema, ScalarSchema } from '../schema/schema.js';
import type { Comment } from './comments.js';
import type { Definition, Schema } from './description.js';
import { Words } from './words.js';

/**
 * Describes the schema of a resource's items: as clients send them, as merge patches, and as the service answers them.
 *
 * @param schema - The schema.
 * @param constant - The name of the constant that it is declared as.
 * @param comments - The comments in the file of its declaration, by `CONSTANT` and `CONSTANT.properties.NAME`.
 * @returns The definitions.
 * @throws Error with file and line when a member has no comment, or a default or an example that is not valid.
 */
export function definitionsOf(
  schema: ObjectSchema,
  constant: string,
  comments: ReadonlyMap<string, Comment>,
): Definition[] {
  const { title } = schema;
  const commentOn = (path: string) => comments.get(path) ?? { place: path, summary: '', tags: new Map() };
  const description = new Words(commentOn(constant), title).summary();
  const properties = Object.entries<PropertySchema>(schema.properties).map(([name, facts]): Property => {
    const comment = commentOn(`${constant}.properties.${name}`);
    refuseInvalid(facts, `the member ${name}`, comment.place);
    return [name, { description: new Words(comment, `the member ${name}`).summary(), ...facts }];
  });
  return [
    { title, schema: whole(description, properties) },
    { title, form: 'patch', schema: patch(title, properties) },
    { title, form: 'stored', schema: stored(title, properties) },
  ];
}

/**
 * Refuses a default or an example that its own schema does not allow, and a pattern that no document could have.
 *
 * @param facts - The schema.
 * @param subject - What has it, for the message.
 * @param place - Where it is declared: file and line.
 * @throws Error that says why it is not valid.
 */
export function refuseInvalid(facts: PropertySchema, subject: string, place: string): void {
  for (const keyword of ['default', 'example'] as const) {
    const error = facts[keyword] === undefined ? undefined : check(facts, facts[keyword], '');
    if (error) throw new Error(`${place}: the ${keyword} of ${subject} is not valid: ${error.detail}`);
  }
  if (facts.type !== 'string' || !facts.pattern?.expression.flags) return;
  throw new Error(`${place}: the pattern of ${subject} has flags, which JSON Schema does not know`);
}

/**
 * Puts the facts of a member or parameter into the words of JSON Schema.
 *
 * @param facts - Its schema.
 * @returns The schema as the documents have it.
 */
export function schemaOf(facts: PropertySchema | ScalarSchema): Schema {
  switch (facts.type) {
    case 'string':
      return { ...facts, ...(facts.pattern && { pattern: facts.pattern.expression.source }) };
    case 'array':
      return { ...facts, items: schemaOf(facts.items) };
    case 'integer':
    case 'number':
    case 'boolean':
      return { ...facts };
  }
}

type Property = [name: string, facts: PropertySchema & { readonly description: string }];

/** The service assigns some members, but `readOnly` would keep clients from sending the key that PUT needs. */
function whole(description: string, properties: readonly Property[]): Schema {
  const required = properties.filter(([, facts]) => !facts.readOnly && facts.default === undefined);
  const writable = properties.map(([name, { readOnly: _readOnly, ...facts }]): Property => [name, facts]);
  return object(description, required, writable);
}

function patch(title: string, properties: readonly Property[]): Schema {
  const changeable = properties.filter(([, { readOnly }]) => !readOnly);
  const nullable = changeable.map(([name, { default: omitted, ...facts }]): Property => {
    return [name, omitted === undefined ? facts : { ...facts, nullable: true }];
  });
  const words = 'Members that are left out stay as they are, and null puts a default back.';
  return object(`The members of a ${title} to change, as a JSON Merge Patch (RFC 7396). ${words}`, [], nullable);
}

/** Nothing is ever left out, so no default applies. */
function stored(title: string, properties: readonly Property[]): Schema {
  const present = properties.map(([name, { default: _default, ...facts }]): Property => [name, facts]);
  return object(`A ${title} as the service answers it: every member is there.`, present, present);
}

function object(description: string, required: readonly Property[], properties: readonly Property[]): Schema {
  return {
    type: 'object',
    description,
    ...(required.length > 0 && { required: required.map(([name]) => name) }),
    properties: Object.fromEntries(properties.map(([name, facts]) => [name, schemaOf(facts)])),
  };
}
