import type { QuerySchema, QueryValues } from './query.js';
import type { Request } from './request.js';
import type { MaybePromise, Response } from './response.js';
import type { JsonObject, ObjectSchema } from './schema.js';
import type { PathParameters } from './template.js';

/** The methods that a route may have. HEAD comes with GET, and every path answers OPTIONS. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What an operation answers with one of its statuses. */
export interface Answer {
  /** The schema of the content, or of each element of an array. Left out, there is none, or for an error a problem. */
  readonly content?: ObjectSchema | readonly [ObjectSchema];
  /** The header fields that come with it, of those that callers act on. */
  readonly headers?: readonly ('ETag' | 'Link' | 'Location' | 'Retry-After')[];
}

/** What a route's function is called with. */
export interface Call<
  Parameters = Readonly<Record<string, string | undefined>>,
  Query extends QuerySchema = QuerySchema,
> {
  readonly request: Request;
  /** The path parameters, decoded, in the letter case that was sent. */
  readonly parameters: Parameters;
  /** The query parameters that the route declares and the caller sent. */
  readonly query: QueryValues<Query>;
  /** The parsed body of a route that declares one, otherwise an empty object. */
  readonly body: JsonObject;
}

/** One operation, declared once: the dispatcher runs it and the description document is generated from it. */
export interface Route<
  Template extends string = string,
  Status extends number = number,
  Query extends QuerySchema = QuerySchema,
> {
  readonly method: Method;
  readonly template: Template;
  /** Every status that the operation answers, and with what; 500 is any operation's, when it throws. */
  readonly answers: Readonly<Record<Status, Answer>>;
  /** The query parameters that it takes; what is sent beyond them is ignored. */
  readonly query?: Query;
  /** The schema of the JSON object that it takes, and whether as a merge patch (RFC 7396), with any members left out. */
  readonly body?: { readonly schema: ObjectSchema; readonly patch?: true };
  /** The conditional header fields that it heeds (RFC 9110, section 13.1). */
  readonly conditions?: readonly ('If-Match' | 'If-None-Match')[];
  /** The media types that it offers its content in. */
  readonly produces?: readonly string[];
  run(call: Call<PathParameters<Template>, NoInfer<Query>>): MaybePromise<Response<NoInfer<Status>>>;
}

/** Any route, its types forgotten. */
export type AnyRoute = Omit<Route, 'run'> & { run(call: Call): MaybePromise<Response> };

/**
 * Declares a route. An operation that answers a status it doesn't declare, or reads a path or query parameter that
 * it doesn't have, doesn't compile.
 *
 * @param declaration - The route.
 * @returns The same object, its types those of its template, statuses and query parameters.
 */
export function route<
  const Template extends string,
  Status extends number,
  const Query extends QuerySchema = Record<never, never>,
>(declaration: Route<Template, Status, Query>): AnyRoute {
  return declaration as unknown as AnyRoute;
}
