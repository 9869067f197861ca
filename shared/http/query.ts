import { check } from '../schema/check.js';
import type { NumberSchema, StringSchema } from '../schema/schema.js';
import { type ParameterError, problemResponse } from './problem.js';
import type { Request } from './request.js';
import type { Parsed } from './response.js';

/** The schema of a query parameter, which may always be left out. */
export type QueryParameter = (NumberSchema & { readonly type: 'integer' }) | StringSchema;

/** The query parameters that a route declares, by name. Names are case-sensitive, unlike the path. */
export type QuerySchema = Readonly<Record<string, QueryParameter>>;

/** The values of the parameters that a schema declares, those left out that were not sent. */
export type QueryValues<Schema extends QuerySchema> = {
  readonly [Name in keyof Schema]?: { integer: number; string: string }[Schema[Name]['type']];
};

/**
 * Builds the parser of the query parameters that a route declares: it gives the values, or a 400 that names each
 * parameter at fault. Other parameters are ignored.
 */
export function createQueryParser(schema: QuerySchema): (request: Request) => Parsed<QueryValues<QuerySchema>> {
  const declared = Object.entries(schema);

  return (request) => {
    let values: Record<string, number | string> | undefined;
    let errors: ParameterError[] | undefined;
    for (const [parameter, property] of declared) {
      const sent = request.query(parameter);
      if (sent === undefined) continue;
      // Number would also accept an exponent, a sign, a fraction, white space and an empty text.
      const value = property.type === 'integer' && /^\d{1,15}$/.test(sent) ? Number(sent) : sent;
      const error = check(property, value, '');
      if (error) errors = [...(errors ?? []), { parameter, detail: error.detail }];
      values = { ...values, [parameter]: value };
    }
    if (errors) return { rejected: problemResponse(request, 'invalid query', { errors }) };
    return values ? { value: values } : NO_QUERY;
  };
}

const NO_QUERY = Object.freeze({ value: Object.freeze({}) });
