import type { BodyDeclaration } from '../http/body.js';
import type { Request, Response } from '../http/message.js';
import type { QuerySchema, QueryValues } from '../http/query.js';
import { PROBLEMS, type ProblemCode, type ProblemKind } from '../problem-kinds.js';
import type { ObjectSchema, Resource, WritableOf } from '../schema/schema.js';
import type { Items } from '../store/store.js';
import type { Parameters, PathParameters } from './template.js';

/** HEAD comes with GET, and every path answers OPTIONS. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface ResponseDeclaration {
  /** The schema of the item in the content, in brackets for a list; absent if the content is no item. */
  readonly content?: ObjectSchema | readonly [ObjectSchema];
  /** Those that callers act on. */
  readonly headers?: readonly ('ETag' | 'Link' | 'Location')[];
}

export interface Call<
  InPath = Parameters,
  Query extends QuerySchema = QuerySchema,
  Members = unknown,
  OwnItems = unknown,
> {
  readonly request: Request;
  /** Decoded, in the letter case that was sent. */
  readonly parameters: InPath;
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
  readonly responses: Readonly<Record<Status, ResponseDeclaration>>;
  /** The problems that the operation itself throws. Others follow from the other members: see `DECLARES`. */
  readonly problems?: readonly ProblemCode[];
  readonly query?: Query;
  readonly body?: Body & { readonly keyParameter?: keyof PathParameters<Template> };
  /** Whether `If-Match` and `If-None-Match` are compared with an item before each change, and with the `ETag` of GET. */
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
      ? Partial<WritableOf<Schema>>
      : WritableOf<Schema>
    : undefined;

type ItemsOf<Owned> = Owned extends Resource<infer Schema> ? Items<Schema> : undefined;

export type AnyRoute = Omit<Route, 'run'> & {
  // biome-ignore lint/suspicious/noExplicitAny: the handler hands over the members and items of the route's own schemas.
  run(call: Call<Parameters, QuerySchema, any, any>): Promise<Response>;
};

/**
 * Declares an operation. The type check fails if it returns a status that it doesn't declare, reads a parameter or member
 * that it doesn't have, or uses items without a resource.
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

type From = Extract<(typeof PROBLEMS)[ProblemCode], { readonly from: string }>['from'];

/** Whether a route declares what `from` of a problem names. */
const DECLARES: Readonly<Record<From, (route: AnyRoute, signIn: boolean) => boolean>> = {
  any: () => true,
  token: ({ open = false }, signIn) => signIn && !open,
  query: ({ query }) => query !== undefined,
  condition: ({ conditional = false }) => conditional,
  'Idempotency-Key': ({ acceptsIdempotencyKey = false }) => acceptsIdempotencyKey,
  body: ({ body }) => body !== undefined,
  write: ({ method }) => method !== 'GET',
  'write with a condition': ({ method, conditional = false }) => method !== 'GET' && conditional,
  item: ({ resource, template }) => resource !== undefined && template.includes('{'),
  'new version': ({ resource, method }) => resource !== undefined && /^(POST|PUT|PATCH)$/.test(method),
};

/** Whether the declaration of a route leads to a problem, or names it. */
export function declaresProblem(route: AnyRoute, code: ProblemCode, signIn = false): boolean {
  const { from }: ProblemKind & { readonly from?: From } = PROBLEMS[code];
  return (from !== undefined && DECLARES[from](route, signIn)) || route.problems?.includes(code) === true;
}

export function problemsOf(route: AnyRoute, signIn: boolean): readonly (ProblemKind & { code: ProblemCode })[] {
  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  return codes.filter((code) => declaresProblem(route, code, signIn)).map((code) => ({ code, ...PROBLEMS[code] }));
}
