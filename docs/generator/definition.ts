import { check } from '../../shared/schema/check.js';
import type { ObjectSchema, Pattern, PropertySchema } from '../../shared/schema/schema.js';
import { type Comment, summaryOf } from './comments.js';
import { definitionName, type Form, whyNoTitle } from './definition-name.js';
import type { Definition, Schema } from './openapi-document.js';

/**
 * Describes the schema of a resource's items in a definition for each form of them. The descriptions are the comments on the
 * constant and on the members of its `properties`.
 *
 * @throws Error with file and line if the schema can't have its title, or if a member has no comment, or a default or an example
 * that is not valid.
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
 * Describes a member or parameter in JSON Schema. Its name and its location (file and line) are for messages.
 *
 * @throws Error with file and line if the schema does not allow its own default, example or backfill, or if its pattern
 * can't be written in JSON Schema.
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

/** Keywords that are the same in JSON Schema. `pattern`, `items`, `examples` and null are written in another way there. */
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
 * Leaves U+2028 and U+2029 out of negated classes, because some generators write them unescaped into a literal, which does not compile.
 * The documented pattern then accepts a little more than the service does. Inside a negative lookaround it would accept less.
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
 * Describes a member as clients may send it. What the service assigns has no type, because any value of it is ignored. A default is
 * put beside the schema: openapi-typescript would require a member whose schema has one, even of clients.
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
