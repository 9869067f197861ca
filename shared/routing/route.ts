import type { BodyDeclaration } from '../http/body.js';
import type { Caller, Request, Response } from '../http/message.js';
import type { QuerySchema, QueryValues } from '../http/query.js';
import type { JsonObject } from '../schema/parse.js';
import type { Resource } from '../schema/resource.js';
import type { ObjectSchema, PatchOf, WritableOf } from '../schema/schema.js';
import type { Collection, Precondition } from '../store/store.js';
import type { PathParameters } from './template.js';

/** The methods that a route may have. HEAD comes with GET, and every path answers OPTIONS. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface AnswerDeclaration {
  /** The schema of the content, or of each element of an array. If left out, there is none, or for an error a problem. */
  readonly content?: ObjectSchema | readonly [ObjectSchema];
  /** The header fields that come with it, of those that callers act on. */
  readonly headers?: readonly ('ETag' | 'Link' | 'Location')[];
}

export interface Call<
  Parameters = Readonly<Record<string, string | undefined>>,
  Query extends QuerySchema = QuerySchema,
  Members = unknown,
  Items = unknown,
> {
  readonly request: Request;
  /** Who sent it; undefined without sign-in, and on an open route. */
  readonly caller: Caller | undefined;
  /** The path parameters, decoded, in the letter case that was sent. */
  readonly parameters: Parameters;
  readonly query: QueryValues<Query>;
  /** What the conditional header fields ask for, undefined if none was sent or the route ignores them. */
  readonly precondition: Precondition | undefined;
  readonly idempotencyKey: string | undefined;
  readonly members: Members;
  /** The body as it was sent; an empty object for a route that takes none. */
  readonly body: JsonObject;
  /** The items of the route's resource that the caller may see. */
  readonly items: Items;
}

/**
 * One operation, declared once: the dispatcher runs it and the description documents are generated from it. Answers from
 * before it runs, or after it throws, are not declared: `by` in the table of problems says which routes give them.
 */
export interface Route<
  Template extends string = string,
  Status extends number = number,
  Query extends QuerySchema = QuerySchema,
  Body extends BodyDeclaration | undefined = BodyDeclaration | undefined,
  Of extends Resource | undefined = Resource | undefined,
> {
  readonly method: Method;
  readonly template: Template;
  readonly resource?: Of;
  /** Whether it needs no token when people sign in. A route with a resource always needs one. */
  readonly open?: boolean;
  /** Every status that the operation itself returns, and what comes with it. */
  readonly answers: Readonly<Record<Status, AnswerDeclaration>>;
  readonly query?: Query;
  readonly body?: Body;
  /** Whether it checks `If-Match` and `If-None-Match` (RFC 9110, section 13.1). */
  readonly conditional?: boolean;
  /** Whether it takes an `Idempotency-Key`, so that a request that is sent again is applied once. */
  readonly idempotent?: boolean;
  run(
    call: Call<PathParameters<Template>, NoInfer<Query>, MembersOf<NoInfer<Body>>, ItemsOf<NoInfer<Of>>>,
  ): Promise<Response<NoInfer<Status>>>;
}

type MembersOf<Body> =
  Body extends BodyDeclaration<infer Schema>
    ? Body extends { readonly patch: true }
      ? PatchOf<Schema>
      : WritableOf<Schema>
    : undefined;

type ItemsOf<Of> = Of extends Resource<infer Schema> ? Collection<Schema> : undefined;

/** Any route, without the types of its parameters, members and items. */
export type AnyRoute = Omit<Route, 'run'> & {
  // biome-ignore lint/suspicious/noExplicitAny: the dispatcher hands over the members and items of the route's own schemas.
  run(call: Call<Readonly<Record<string, string | undefined>>, QuerySchema, any, any>): Promise<Response>;
};

/**
 * Declares a route. An operation that answers a status it doesn't declare, reads a path parameter, query parameter or
 * member that it doesn't have, or uses items without a resource, fails the type check.
 */
export function route<
  const Template extends string,
  Status extends number,
  const Query extends QuerySchema = Record<never, never>,
  const Body extends BodyDeclaration | undefined = undefined,
  Of extends Resource | undefined = undefined,
>(declaration: Route<Template, Status, Query, Body, Of>): AnyRoute {
  return declaration as unknown as AnyRoute;
}

/** Tells routes from the other exports of a file. */
export function isRoute(exported: unknown): exported is AnyRoute {
  return typeof exported === 'object' && exported !== null && 'template' in exported;
}
