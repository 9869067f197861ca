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
 * Builds the reader of the query parameters that a route declares. Others are ignored.
 *
 * @param schema - What is declared.
 * @returns The function that reads a request's: the values, or the refusal, a 400 that names each parameter at fault.
 */
export function createQueryReader(schema: QuerySchema = {}): (request: Request) => ReadQuery {
  const declarations = Object.entries(schema);

  return (request) => {
    let values: Record<string, number | string> | undefined;
    let errors: ParameterError[] | undefined;
    for (const [parameter, declared] of declarations) {
      const sent = request.query(parameter);
      if (sent === undefined) continue;
      values ??= {};
      if (declared.type === 'string') values[parameter] = sent;
      else if (isWithin(sent, declared)) values[parameter] = Number(sent);
      else {
        errors ??= [];
        errors.push({ parameter, detail: `Must be an integer from ${declared.minimum} to ${declared.maximum}.` });
      }
    }
    if (errors) return { refusal: wrongQuery(request, errors) };
    return values ? { values } : NO_QUERY;
  };
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
