import { check } from '../schema/check.js';
import type { BooleanSchema, NumberSchema, StringSchema, ValueOf } from '../schema/schema.js';
import type { Parsed, Request } from './message.js';
import { type ParameterError, type ProblemCode, problemResponse } from './problem.js';

export const QUERY_PROBLEMS: readonly ProblemCode[] = ['invalid-query'];

/** Keywords for members only do not compile. */
export type QueryParameter = (StringSchema | (NumberSchema & { readonly type: 'integer' }) | BooleanSchema) & {
  readonly [Keyword in 'nullable' | 'example' | 'formerly' | 'backfill']?: never;
} & { readonly default?: string | number | boolean };

/** By name, which is case-sensitive. */
export type QuerySchema = Readonly<Record<string, QueryParameter>>;

export type QueryValues<Schema extends QuerySchema> = {
  readonly [Name in keyof Schema as HasDefault<Schema[Name], Name>]: ValueOf<Schema[Name]>;
} & {
  readonly [Name in keyof Schema as Exclude<Name, HasDefault<Schema[Name], Name>>]?: ValueOf<Schema[Name]>;
};

type HasDefault<Parameter, Name> = Parameter extends { readonly default: unknown } ? Name : never;

/**
 * Other parameters are ignored (rule 10). Booleans are `true` or `false` in any letter case, because clients that are generated
 * for Python send `True`. All parameters except `after` may have 512 characters together, percent-encoded, so that they
 * fit into a `Link`.
 *
 * @returns The parser. It returns the values, or a 400 that names each parameter at fault.
 */
export function createQueryParser(schema: QuerySchema): (request: Request) => Parsed<QueryValues<QuerySchema>> {
  const declared = Object.entries(schema);
  const defaults = Object.fromEntries(
    declared.flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]])),
  );
  // Frozen, because operations get it and all requests share it.
  const unsent = { value: Object.freeze(defaults) };

  return (request) => {
    let sent: Record<string, QueryValue> | undefined;
    let errors: ParameterError[] | undefined;
    for (const [parameter, property] of declared) {
      const text = request.query(parameter);
      if (text === undefined) continue;
      const value = parseValue(property, text);
      const error = check(property, value, '');
      if (error) errors = [...(errors ?? []), { parameter, detail: error.detail }];
      sent = { ...sent, [parameter]: value };
    }
    if (!sent) return unsent;
    errors ??= tooLong(sent);
    if (errors) return { rejected: problemResponse(request, 'invalid-query', { errors }) };
    return { value: { ...defaults, ...sent } };
  };
}

/** A space becomes %20, because not every parser decodes a plus. */
export function writeQuery(values: Readonly<Record<string, QueryValue>>): string {
  const entries = Object.entries(values).map(([name, value]) => [name, String(value)] as [string, string]);
  return new URLSearchParams(entries).toString().replaceAll('+', '%20');
}

type QueryValue = number | string | boolean;

const MAX_QUERY = 512;

function tooLong({ after: _cursor, ...values }: Readonly<Record<string, QueryValue>>): ParameterError[] | undefined {
  const { length } = writeQuery(values);
  if (length <= MAX_QUERY) return undefined;
  const sizes = Object.entries(values).map(([name, value]) => [writeQuery({ [name]: value }).length, name] as const);
  const [[, parameter]] = sizes.sort(([one], [other]) => other - one) as [(typeof sizes)[0]];
  const detail = `Must be shorter: all parameters except after may have ${MAX_QUERY} characters together, percent-encoded, but have ${length}.`;
  return [{ parameter, detail }];
}

/** Text of another type is returned as it is. */
function parseValue({ type }: QueryParameter, sent: string): QueryValue {
  // Number would also accept an exponent, a sign, a fraction, white space and an empty text.
  if (type === 'integer' && /^\d{1,15}$/.test(sent)) return Number(sent);
  return type === 'boolean' && /^(true|false)$/i.test(sent) ? sent.toLowerCase() === 'true' : sent;
}
