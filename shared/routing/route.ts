import type { BodyDeclaration } from '../http/body.js';
import type { Request, Response } from '../http/message.js';
import type { Precondition } from '../http/precondition.js';
import type { QuerySchema, QueryValues } from '../http/query.js';
import type { JsonObject } from '../schema/parse.js';
import type { ObjectSchema, PatchOf, Resource, WritableOf } from '../schema/schema.js';
import type { Collection } from '../store/store.js';
import type { PathParameters } from './template.js';

/** HEAD comes with GET, and every path answers OPTIONS. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface AnswerDeclaration {
  /** The schema of the content, or of each element of an array; left out, there is none, or a problem for an error. */
  readonly content?: ObjectSchema | readonly [ObjectSchema];
  /** Those that callers act on. */
  readonly headers?: readonly ('ETag' | 'Link' | 'Location')[];
}

export interface Call<
  Parameters = Readonly<Record<string, string | undefined>>,
  Query extends QuerySchema = QuerySchema,
  Members = unknown,
  Items = unknown,
> {
  readonly request: Request;
  /** Decoded, in the letter case that was sent. */
  readonly parameters: Parameters;
  readonly query: QueryValues<Query>;
  /** Undefined if none was sent, or the route is not `conditional`. */
  readonly precondition: Precondition | undefined;
  readonly idempotencyKey: string | undefined;
  readonly members: Members;
  /** The body as it was sent; an empty object for a route that takes none. */
  readonly sent: JsonObject;
  /** The caller's items of the route's resource, from the store that the handler's `openStore` has opened. */
  readonly items: Items;
}

/**
 * One operation. The dispatcher runs it, and the documents are generated from it. For answers that come before it runs,
 * see checks.ts.
 */
export interface Route<
  Template extends string = string,
  Status extends number = number,
  Query extends QuerySchema = QuerySchema,
  Body extends BodyDeclaration | undefined = BodyDeclaration | undefined,
  Owned extends Resource | undefined = Resource | undefined,
> {
  readonly method: Method;
  readonly template: Template;
  readonly resource?: Owned;
  /** Needs no token, even with sign-in. Not for a route with a resource. */
  readonly open?: boolean;
  /** Every status that the operation itself returns. */
  readonly answers: Readonly<Record<Status, AnswerDeclaration>>;
  readonly query?: Query;
  readonly body?: Body;
  /** Checks `If-Match` and `If-None-Match` (RFC 9110, section 13.1). */
  readonly conditional?: boolean;
  readonly idempotent?: boolean;
  run(
    call: Call<PathParameters<Template>, NoInfer<Query>, MembersOf<NoInfer<Body>>, ItemsOf<NoInfer<Owned>>>,
  ): Promise<Response<NoInfer<Status>>>;
}

type MembersOf<Body> =
  Body extends BodyDeclaration<infer Schema>
    ? Body extends { readonly patch: true }
      ? PatchOf<Schema>
      : WritableOf<Schema>
    : undefined;

type ItemsOf<Owned> = Owned extends Resource<infer Schema> ? Collection<Schema> : undefined;

export type AnyRoute = Omit<Route, 'run'> & {
  // biome-ignore lint/suspicious/noExplicitAny: the dispatcher hands over the members and items of the route's own schemas.
  run(call: Call<Readonly<Record<string, string | undefined>>, QuerySchema, any, any>): Promise<Response>;
};

/**
 * The type check fails if the operation returns a status that it doesn't declare, reads a parameter or member that it
 * doesn't have, or uses items without a resource.
 */
export function route<
  const Template extends string,
  Status extends number,
  const Query extends QuerySchema = Record<never, never>,
  const Body extends BodyDeclaration | undefined = undefined,
  Owned extends Resource | undefined = undefined,
>(declaration: Route<Template, Status, Query, Body, Owned>): AnyRoute {
  return declaration as unknown as AnyRoute;
}

export function isRoute(exported: unknown): exported is AnyRoute {
  return 'template' in Object(exported);
}
