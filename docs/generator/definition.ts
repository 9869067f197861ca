import { check } from '../../shared/schema/check.js';
import type { ObjectSchema, Pattern, PropertySchema } from '../../shared/schema/schema.js';
import { type Comment, summaryOf } from './comments.js';
import { definitionName, type Form, whyNoTitle } from './definition-name.js';
import type { Definition, Schema } from './openapi-document.js';

/**
 * Describes a resource's items in a definition for each form. The descriptions are the comments on the constant and on
 * the members of its `properties`.
 *
 * @throws Error with file and line if the schema can't have its title, or if a member has no comment, or an invalid
 * default or example.
 */
export function definitionsOf(
  { title, properties }: ObjectSchema,
  constant: string,
  comments: ReadonlyMap<string, Comment>,
): Readonly<Record<string, Definition>> {
  const commentOn = (path: string) => comments.get(path) ?? { location: path, summary: '', tags: new Map() };
  const reason = whyNoTitle(title);
  if (reason) throw new Error(`${commentOn(constant).location}: a schema can't have the title ${title}: ${reason}`);
  const description = summaryOf(commentOn(constant), title);
  const members = Object.entries<PropertySchema>(properties).map(([name, property]): Member => {
    const comment = commentOn(`${constant}.properties.${name}`);
    const member = `the member ${name}`;
    return [name, { description: summaryOf(comment, member), ...schemaOf(property, member, comment.location) }];
  });
  const sent = members.filter(([, { readOnly }]) => !readOnly);
  const required = sent.filter(([, schema]) => schema.default === undefined);
  const [key, ...others] = members as [Member, ...Member[]];
  const reset = 'Members that are left out stay as they are, and null resets a member to its default.';
  const forms: Readonly<Record<Form, Definition>> = {
    posted: object(description, members.map(sendable), required),
    put: object(
      `${description} PUT takes the whole item, with its key.`,
      // `readOnly` would keep clients from sending the key.
      [without('readOnly')(key), ...others.map(sendable)],
      [key, ...required],
    ),
    patched: object(
      `The members of ${title} to change, as a JSON Merge Patch (RFC 7396). ${reset}`,
      sent.map(([name, { default: omitted, ...schema }]) => [name, omitted === undefined ? schema : orNull(schema)]),
    ),
    // No member is ever left out, so no default applies.
    stored: object(
      `${title} as the service returns it: every member is present.`,
      members.map(without('default')),
      members,
    ),
  };
  return Object.fromEntries(
    Object.entries(forms).map(([form, definition]) => [definitionName(title, form as Form), definition]),
  );
}

/**
 * Describes a member or parameter in JSON Schema.
 *
 * @param location - File and line, for messages.
 * @throws Error with file and line if the schema does not allow its own default, example or backfill, or if JSON Schema
 * can't express its pattern.
 */
export function schemaOf(property: PropertySchema, name: string, location: string): Schema {
  for (const keyword of ['default', 'example', 'backfill'] as const) {
    const error = property[keyword] === undefined ? undefined : check(property, property[keyword], '');
    if (error) throw new Error(`${location}: the ${keyword} of ${name} is not valid: ${error.detail}`);
  }
  const schema: Record<string, unknown> = Object.fromEntries(
    KEYWORDS.map((keyword) => [keyword, property[keyword as keyof PropertySchema]]),
  );
  if (property.type === 'string') schema.pattern = sourceOf(property.pattern, name, location);
  if (property.type === 'array') schema.items = schemaOf(property.items, name, location);
  if (property.example !== undefined) schema.examples = [property.example];
  return property.nullable ? orNull(schema) : schema;
}

/** The same in JSON Schema, which writes `pattern`, `items`, `examples` and null in another way. */
const KEYWORDS = [
  ...['type', 'enum', 'format', 'pattern', 'minLength', 'maxLength', 'minimum', 'exclusiveMinimum'],
  ...['maximum', 'minItems', 'maxItems', 'uniqueItems', 'readOnly', 'default'],
];

function sourceOf(pattern: Pattern | undefined, name: string, location: string): string | undefined {
  const { source, flags } = pattern?.expression ?? {};
  if (flags) throw new Error(`${location}: the pattern of ${name} has flags, which JSON Schema does not know`);
  return source && withoutSeparators(source);
}

/**
 * Leaves U+2028 and U+2029 out of negated classes, because some generators write them unescaped into a literal, which
 * does not compile. The documented pattern then accepts a little more than the service does. Inside a negative
 * lookaround it would accept less.
 */
function withoutSeparators(source: string): string {
  if (/\(\?<?!/.test(source)) return source;
  return source.replace(/\\.|\[\^((?:\\.|[^\]\\])*)\]/g, (text, negated?: string) => {
    const left = negated?.replace(/(?<!-)\\u2028(-?\\u2029)?(?!-)|(?<!-)\\u2029(?!-)|\\./g, (part) =>
      /^\\u202[89]/.test(part) ? '' : part,
    );
    return left ? `[^${left}]` : text;
  });
}

type Member = [name: string, schema: Schema];

/**
 * Describes a member as clients may send it. What the service assigns has no type, because any value is ignored. A
 * default stands beside the schema, because openapi-typescript would require a member with a default in its schema,
 * even of clients.
 */
function sendable([name, schema]: Member): Member {
  const { description, ...keywords } = schema;
  if (schema.readOnly) return [name, { description } as Schema];
  if (schema.default === undefined) return [name, schema];
  return [name, { description, allOf: [keywords] } as Schema];
}

function without(keyword: 'default' | 'readOnly'): (member: Member) => Member {
  return ([name, { [keyword]: _omitted, ...schema }]) => [name, schema];
}

function object(description: string, members: readonly Member[], required: readonly Member[] = []): Definition {
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
