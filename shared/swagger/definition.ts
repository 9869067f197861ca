import { check } from '../schema/check.js';
import type { ObjectSchema, PropertySchema } from '../schema/schema.js';
import type { Comment } from './comments.js';
import type { Schema } from './openapi.js';
import { summaryOf } from './words.js';

/**
 * Describes the schema of a resource's items: as clients send them, as merge patches, and as the service answers them.
 *
 * @param schema - The schema.
 * @param constant - The name of the constant that it is declared as.
 * @param comments - The comments in the file of its declaration, by `CONSTANT` and `CONSTANT.properties.NAME`.
 * @returns The definitions by name: `TITLE`, `TITLEPatch` and `StoredTITLE`.
 * @throws Error with file and line when a member has no comment, or a default or an example that is not valid.
 */
export function definitionsOf(
  { title, properties }: ObjectSchema,
  constant: string,
  comments: ReadonlyMap<string, Comment>,
): Readonly<Record<string, Schema>> {
  const commentOn = (path: string) => comments.get(path) ?? { place: path, summary: '', tags: new Map() };
  const description = summaryOf(commentOn(constant), title);
  const members = Object.entries<PropertySchema>(properties).map(([name, facts]): Member => {
    const comment = commentOn(`${constant}.properties.${name}`);
    const subject = `the member ${name}`;
    return [name, { description: summaryOf(comment, subject), ...schemaOf(facts, subject, comment.place) }];
  });
  const sent = members.filter(([, { readOnly }]) => !readOnly);
  const required = sent.filter(([, schema]) => schema.default === undefined);
  const reset = 'Members that are left out stay as they are, and null puts a default back.';
  return {
    // The service assigns some members, but `readOnly` would keep clients from sending the key that PUT needs.
    [title]: object(description, members.map(without('readOnly')), required),
    [`${title}Patch`]: object(
      `The members of a ${title} to change, as a JSON Merge Patch (RFC 7396). ${reset}`,
      sent.map(([name, { default: omitted, ...schema }]) => [name, omitted === undefined ? schema : orNull(schema)]),
    ),
    // Nothing is ever left out, so no default applies.
    [`Stored${title}`]: object(
      `A ${title} as the service answers it: every member is there.`,
      members.map(without('default')),
      members,
    ),
  };
}

/**
 * Puts the facts of a member or parameter into the words of JSON Schema.
 *
 * @param facts - Its schema.
 * @param subject - What it is, for messages.
 * @param place - Where it is declared, for messages: file and line.
 * @returns The schema as the document has it.
 * @throws Error with file and line for a default or an example that the schema itself does not allow, and for a pattern
 * that no document could have.
 */
export function schemaOf(facts: PropertySchema, subject: string, place: string): Schema {
  for (const keyword of ['default', 'example'] as const) {
    const error = facts[keyword] === undefined ? undefined : check(facts, facts[keyword], '');
    if (error) throw new Error(`${place}: the ${keyword} of ${subject} is not valid: ${error.detail}`);
  }
  const { nullable, example, ...others } = facts;
  const schema: Schema = {
    ...others,
    ...(example !== undefined && { examples: [example] }),
    ...keywordsOf(facts, subject, place),
  };
  return nullable ? orNull(schema) : schema;
}

/** Gives what JSON Schema says of a type in another way. */
function keywordsOf(facts: PropertySchema, subject: string, place: string): object {
  switch (facts.type) {
    case 'string': {
      const { source, flags } = facts.pattern?.expression ?? {};
      if (flags) throw new Error(`${place}: the pattern of ${subject} has flags, which JSON Schema does not know`);
      return source === undefined ? {} : { pattern: source };
    }
    case 'array':
      return { items: schemaOf(facts.items, subject, place) };
    case 'integer':
    case 'number':
    case 'boolean':
      return {};
  }
}

type Member = [name: string, schema: Schema];

function without(keyword: 'default' | 'readOnly'): (member: Member) => Member {
  return ([name, { [keyword]: _omitted, ...schema }]) => [name, schema];
}

function object(description: string, members: readonly Member[], required: readonly Member[] = []): Schema {
  return {
    type: 'object',
    description,
    ...(required.length > 0 && { required: required.map(([name]) => name) }),
    properties: Object.fromEntries(members),
  };
}

function orNull(schema: Schema): Schema {
  const { type, enum: values, ...keywords } = schema;
  if (Array.isArray(type)) return schema;
  return { type: [type as string, 'null'], ...(values && { enum: [...values, null] }), ...keywords };
}
