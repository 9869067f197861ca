import type * as v from 'valibot';
import { check } from '../schema/check.js';
import type { Parsed, Request } from './message.js';
import { type ParameterError, type ProblemCode, problemResponse } from './problem.js';

export const QUERY_PROBLEMS: readonly ProblemCode[] = ['invalid-query'];

/** By name, which is case-sensitive: text, numbers or Booleans, since all else that can be described needs no text. */
export type QuerySchema = Readonly<Record<string, v.OptionalSchema<v.GenericSchema, unknown>>>;

export type QueryValues<Schema extends QuerySchema> = Readonly<v.InferOutput<v.ObjectSchema<Schema, undefined>>>;

/**
 * Other parameters are ignored. Booleans are `true` or `false` in any letter case, because clients that are generated
 * for Python send `True`. All parameters except `after` may have 512 characters together, percent-encoded, so that they
 * fit into a `Link`.
 *
 * @returns The parser. It returns the values, or a 400 that names each parameter at fault.
 */
export function createQueryParser(schema: QuerySchema): (request: Request) => Parsed<QueryValues<QuerySchema>> {
  return (request) => {
    const sent: Record<string, unknown> = {};
    const values: Record<string, unknown> = {};
    const errors: ParameterError[] = [];
    for (const [parameter, property] of Object.entries(schema)) {
      const text = request.query(parameter);
      const value = text === undefined ? undefined : valueIn(property.wrapped, text);
      const checked = check(property, value, '');
      if ('error' in checked) errors.push({ parameter, detail: checked.error.detail });
      else values[parameter] = checked.value;
      if (text !== undefined) sent[parameter] = value;
    }
    if (errors.length === 0) errors.push(...tooLong(sent));
    return errors.length > 0 ? { rejected: problemResponse(request, 'invalid-query', { errors }) } : { value: values };
  };
}

/** Text of another type stays as it is. */
function valueIn({ type }: v.GenericSchema, sent: string): unknown {
  // Number would also accept an exponent, a sign, a fraction, white space and an empty text.
  if (type === 'number' && /^\d{1,15}$/.test(sent)) return Number(sent);
  return type === 'boolean' && /^(true|false)$/i.test(sent) ? sent.toLowerCase() === 'true' : sent;
}

/** A space becomes %20, because not every parser decodes a plus. */
export function writeQuery(values: Readonly<Record<string, unknown>>): string {
  return new URLSearchParams(values as Record<string, string>).toString().replaceAll('+', '%20');
}

function tooLong({ after: _cursor, ...values }: Readonly<Record<string, unknown>>): readonly ParameterError[] {
  const { length } = writeQuery(values);
  if (length <= 512) return [];
  const lengthOf = (name: string) => writeQuery({ [name]: values[name] }).length;
  const [parameter = ''] = Object.keys(values).sort((one, other) => lengthOf(other) - lengthOf(one));
  const detail = `Must be shorter: all parameters except after may have 512 characters together, percent-encoded, but have ${length}.`;
  return [{ parameter, detail }];
}
