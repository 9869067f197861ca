import { type ParameterError, problem } from './problem.js';
import type { Request } from './request.js';
import type { Response } from './response.js';

/** The schema of a query parameter, which may always be left out. */
export type QueryParameter =
  | { readonly type: 'integer'; readonly format?: string; readonly minimum: number; readonly maximum: number }
  | { readonly type: 'string'; readonly format?: string };

/** The query parameters that a route declares, by name. Names are case-sensitive, unlike the path. */
export type QuerySchema = Readonly<Record<string, QueryParameter>>;

/** The values of the parameters that a schema declares, those left out that were not sent. */
export type QueryValues<Schema extends QuerySchema> = {
  readonly [Name in keyof Schema]?: { integer: number; string: string }[Schema[Name]['type']];
};

/** A query that was read, or the answer to one that can't be. */
export type ReadQuery = { readonly values: QueryValues<QuerySchema> } | { readonly refusal: Response<400> };

/**
 * Reads the query parameters that a route declares. Others are ignored.
 *
 * @param request - The request.
 * @param schema - What is declared; undefined where the route takes no parameters.
 * @returns The values, or the refusal: a 400 that names each parameter that is wrong.
 */
export function readQuery(request: Request, schema: QuerySchema | undefined): ReadQuery {
  if (!schema) return NO_QUERY;
  const values: Record<string, number | string> = {};
  const errors: ParameterError[] = [];
  for (const [parameter, declared] of Object.entries(schema)) {
    const sent = request.query(parameter);
    if (sent === undefined) continue;
    if (declared.type === 'string') values[parameter] = sent;
    else if (isWithin(sent, declared)) values[parameter] = Number(sent);
    else errors.push({ parameter, detail: `Must be an integer from ${declared.minimum} to ${declared.maximum}.` });
  }
  return errors.length > 0 ? { refusal: wrongQuery(request, errors) } : { values };
}

/**
 * Answers that query parameters are wrong.
 *
 * @param request - The request.
 * @param errors - What is wrong, one entry a parameter.
 * @returns A 400 that lists them.
 */
export function wrongQuery(request: Request, errors: readonly ParameterError[]): Response<400> {
  return problem(request, 400, 'The query is wrong: "errors" says why, parameter by parameter.', { errors });
}

const NO_QUERY = Object.freeze({ values: Object.freeze({}) });

/** Digits only: Number would take an exponent, a sign, a fraction, white space and nothing at all, too. */
function isWithin(text: string, { minimum, maximum }: { readonly minimum: number; readonly maximum: number }): boolean {
  return /^\d{1,15}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;
}
