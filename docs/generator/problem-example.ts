import { type BodyDeclaration, createBodyParser } from '../../shared/http/body.js';
import type { Parsed, Request } from '../../shared/http/message.js';
import { parsePrecondition } from '../../shared/http/precondition.js';
import { type Kind, problemResponse } from '../../shared/http/problem.js';
import { createQueryParser, type QuerySchema } from '../../shared/http/query.js';
import type { AnyRoute } from '../../shared/routing/route.js';
import type { PropertySchema } from '../../shared/schema/schema.js';
import { kindsOf } from './route-answers.js';

/**
 * An example of the problem that a route answers with a status of 400 or above, made by the service's own code from a
 * wrong request. Undefined if only the operation itself can answer so. The 503 of a write is one that may have been
 * applied.
 */
export function problemExample(route: AnyRoute, status: string): object | undefined {
  const kinds = kindsOf(route, status);
  const kind = kinds.includes('maybe-applied') ? 'maybe-applied' : kinds[0];
  if (kind === undefined) return undefined;
  const parsed = PARSED[kind]?.(route);
  const response = parsed && 'rejected' in parsed ? parsed.rejected : problemResponse(EXAMPLE_REQUEST, kind);
  return JSON.parse(response.body as string);
}

const notSent = () => undefined;

export const EXAMPLE_REQUEST: Request = {
  method: 'GET',
  path: '/',
  prefix: '',
  id: '6f9b1e93-796e-491b-843f-d5c22bb3e716',
  body: undefined,
  isBase64Encoded: false,
  gatewayCompresses: true,
  header: notSent,
  query: notSent,
};

/** For problems with a reason that the table does not contain. */
const PARSED: { readonly [Name in Kind]?: (route: AnyRoute) => Parsed<unknown> | undefined } = {
  'invalid-query': ({ query }) => parseQuery(query as QuerySchema),
  'invalid-body': ({ body }) => parseBody(body as BodyDeclaration, { body: wrongBody(body as BodyDeclaration) }),
  'malformed-condition': () => parsePrecondition({ ...EXAMPLE_REQUEST, header: field('if-match', '1') }),
  'not-json': ({ body }) => body && parseBody(body, { body: '{}', header: field('content-type', 'text/plain') }),
};

function parseQuery(declared: QuerySchema): Parsed<unknown> {
  const [first] = Object.keys(declared);
  return createQueryParser(declared)({ ...EXAMPLE_REQUEST, query: (name) => (name === first ? '0' : undefined) });
}

function parseBody(declaration: BodyDeclaration, sent: Partial<Request>): Parsed<unknown> {
  return createBodyParser(declaration)({ ...EXAMPLE_REQUEST, ...sent });
}

function field(name: string, value: string): Request['header'] {
  return (asked) => (asked === name ? value : undefined);
}

/** Members that need a value are null. If none needs one, there is no body. */
function wrongBody({ schema }: BodyDeclaration): string | undefined {
  const nulls = Object.entries<PropertySchema>(schema.properties)
    .filter(([, { readOnly, nullable, default: omitted }]) => !readOnly && !nullable && omitted === undefined)
    .map(([name]) => [name, null]);
  return nulls.length === 0 ? undefined : JSON.stringify(Object.fromEntries(nulls));
}
