import type { BodyDeclaration } from '../http/body.js';
import type { Request, Response } from '../http/message.js';
import type { ProblemCode } from '../http/problem-kinds.js';
import type { QuerySchema, QueryValues } from '../http/query.js';
import type { ObjectSchema, PatchOf, Resource, WritableOf } from '../schema/schema.js';
import type { Items } from '../store/store.js';
import type { PathParameters } from './template.js';

/** HEAD comes with GET, and every path answers OPTIONS. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface AnswerDeclaration {
  /** The content's schema, in brackets for a list; absent without content. */
  readonly content?: ObjectSchema | readonly [ObjectSchema];
  /** Those that callers act on. */
  readonly headers?: readonly ('ETag' | 'Link' | 'Location')[];
}

export interface Call<
  Parameters = Readonly<Record<string, string | undefined>>,
  Query extends QuerySchema = QuerySchema,
  Members = unknown,
  OwnItems = unknown,
> {
  readonly request: Request;
  /** Decoded, in the letter case that was sent. */
  readonly parameters: Parameters;
  readonly query: QueryValues<Query>;
  readonly idempotencyKey: string | undefined;
  readonly members: Members;
  /** The caller's items of the route's resource. If the route is conditional, they change only if the condition holds. */
  readonly items: OwnItems;
}

/** One operation. The handler runs it, and the documents are generated from it. */
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
  /** Every status that the operation returns. */
  readonly answers: Readonly<Record<Status, AnswerDeclaration>>;
  /** The problems that only this operation throws. Others follow from the other members: see `DECLARES` in problem-kinds.ts. */
  readonly problems?: readonly ProblemCode[];
  readonly query?: Query;
  readonly body?: Body & { readonly keyParameter?: keyof PathParameters<Template> };
  /** Compares `If-Match` and `If-None-Match` (RFC 9110, section 13.1) before each change of an item, and with GET's `ETag`. */
  readonly conditional?: boolean;
  /** Whether callers may send an `Idempotency-Key`, which `run` hands over to `items.create`. */
  readonly acceptsIdempotencyKey?: boolean;
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

type ItemsOf<Owned> = Owned extends Resource<infer Schema> ? Items<Schema> : undefined;

export type AnyRoute = Omit<Route, 'run'> & {
  // biome-ignore lint/suspicious/noExplicitAny: the handler hands over the members and items of the route's own schemas.
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
