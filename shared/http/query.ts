import type * as v from 'valibot';
import { Problem } from '../problem.js';
import { type JsonObject, type MemberError, parseMembers } from '../schema/schema.js';
import type { Request } from './message.js';

/** By name, which is case-sensitive: text, integers from 0 or Booleans. */
export type QuerySchema = Readonly<Record<string, v.OptionalSchema<v.GenericSchema, unknown>>>;

export type QueryValues<Schema extends QuerySchema> = Readonly<v.InferOutput<v.ObjectSchema<Schema, undefined>>>;

/**
 * Other parameters are ignored. Booleans are `true` or `false` in any letter case, because clients that are generated
 * for Python send `True`. All parameters except `after` may have 512 characters together, percent-encoded, so that they
 * fit into a `Link`.
 *
 * @throws Problem that names each parameter at fault.
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

/** Text of another type stays as it is. */
function valueIn({ type }: v.GenericSchema, sent: string): unknown {
  // Number would also accept an exponent, a sign, a fraction, white space and an empty text.
  if (type === 'number' && /^\d{1,15}$/.test(sent)) return Number(sent);
  return type === 'boolean' && /^(true|false)$/i.test(sent) ? sent.toLowerCase() === 'true' : sent;
}

/** A space becomes %20, because not every parser decodes a plus. */
export function writeQuery(values: JsonObject): string {
  return new URLSearchParams(values as Record<string, string>).toString().replaceAll('+', '%20');
}

function tooLong({ after: _cursor, ...values }: JsonObject): readonly MemberError[] {
  const { length } = writeQuery(values);
  if (length <= 512) return [];
  const lengthOf = (name: string) => writeQuery({ [name]: values[name] }).length;
  const [path = ''] = Object.keys(values).sort((one, other) => lengthOf(other) - lengthOf(one));
  const detail = `Must be shorter: all parameters except after may have 512 characters together, percent-encoded, but have ${length}.`;
  return [{ path, detail }];
}
