import type * as v from 'valibot';
import { Problem } from '../problem.js';
import { type JsonObject, type MemberError, parseMembers } from '../schema/schema.js';
import type { Request } from './message.js';

/** Schemas by parameter. Names are case-sensitive. Each value is text, a Boolean, or an integer of at most 15 digits, from 0. */
export type QuerySchema = Readonly<Record<string, v.OptionalSchema<v.GenericSchema, unknown>>>;

export type QueryValues<Schema extends QuerySchema> = Readonly<v.InferOutput<v.ObjectSchema<Schema, undefined>>>;

/**
 * Parses the parameters that the schema names, and ignores others. Booleans are `true` or `false` in any letter case,
 * because clients generated for Python send `True`. All parameters except `after` may have 512 characters together,
 * percent-encoded, so that they fit into a `Link`.
 *
 * @throws Problem that names each wrong parameter, or the longest one if they are too long together.
 */
export function parseQuery(request: Request, schema: QuerySchema): JsonObject {
  const sent: Record<string, unknown> = {};
  for (const [name, { wrapped }] of Object.entries(schema)) {
    const text = request.query(name);
    if (text !== undefined) sent[name] = valueIn(wrapped, text);
  }
  const { members, errors: invalid } = parseMembers(schema, sent);
  const wrong = invalid.length > 0 ? invalid : tooLong(sent);
  if (wrong.length === 0) return members;
  const errors = wrong.map(({ path, detail }) => ({ parameter: path, detail }));
  throw new Problem('invalid-query', { errors });
}

/** Reads a number or a Boolean. What is neither stays text, which the schema may reject. */
function valueIn({ type }: v.GenericSchema, sent: string): unknown {
  // Number would also accept an exponent, a sign, a fraction, white space and an empty text.
  if (type === 'number' && /^\d{1,15}$/.test(sent)) return Number(sent);
  return type === 'boolean' && /^(true|false)$/i.test(sent) ? sent.toLowerCase() === 'true' : sent;
}

/** Writes a query. A space becomes %20, because not every parser decodes a plus. */
export function writeQuery(values: JsonObject): string {
  return new URLSearchParams(values as Record<string, string>).toString().replaceAll('+', '%20');
}

function tooLong({ after: _cursor, ...values }: JsonObject): readonly MemberError[] {
  const { length } = writeQuery(values);
  if (length <= 512) return [];
  const lengthOf = (name: string) => writeQuery({ [name]: values[name] }).length;
  const [path = ''] = Object.keys(values).sort((one, other) => lengthOf(other) - lengthOf(one));
  const detail = `Must be shorter: all parameters except after may have 512 characters together, percent-encoded; got ${length}.`;
  return [{ path, detail }];
}
