import { type BodyDeclaration, createBodyParser } from '../../shared/http/body.js';
import type { Parsed, Request } from '../../shared/http/message.js';
import { parsePrecondition } from '../../shared/http/precondition.js';
import { type Kind, problemResponse } from '../../shared/http/problem.js';
import { createQueryParser, type QuerySchema } from '../../shared/http/query.js';
import type { AnyRoute } from '../../shared/routing/route.js';
import type { PropertySchema } from '../../shared/schema/schema.js';
import { kindsOf } from './answers.js';

/**
 * Shows a problem that a route answers with a status of 400 or above, by having the service's own code answer it;
 * undefined if only the operation itself can explain it. A write that fails with 503 may have been applied.
 */
export function problemExample(route: AnyRoute, status: string): object | undefined {
  const kinds = kindsOf(route, status);
  const kind = kinds.includes('maybe applied') ? 'maybe applied' : kinds[0];
  if (kind === undefined) return undefined;
  const parsed = PARSED[kind]?.(route);
  const response = parsed && 'rejected' in parsed ? parsed.rejected : problemResponse(REQUEST, kind);
  return JSON.parse(response.body as string);
}

const notSent = () => undefined;

const REQUEST: Request = {
  method: 'GET',
  path: '/',
  prefix: '',
  id: '6f9b1e93-796e-491b-843f-d5c22bb3e716',
  body: undefined,
  isBase64Encoded: false,
  header: notSent,
  query: notSent,
};

/** Wrong requests, for the problems that say more than the table does. */
const PARSED: { readonly [Name in Kind]?: (route: AnyRoute) => Parsed<unknown> } = {
  'invalid query': ({ query }) => parseQuery(query as QuerySchema),
  'invalid body': ({ body }) => parseBody(body as BodyDeclaration, { body: wrongBody(body as BodyDeclaration) }),
  'malformed condition': () => parsePrecondition({ ...REQUEST, header: field('if-match', '1') }),
  'not JSON': ({ body }) =>
    parseBody(body as BodyDeclaration, { body: '{}', header: field('content-type', 'text/plain') }),
};

function parseQuery(declared: QuerySchema): Parsed<unknown> {
  const [first] = Object.keys(declared);
  return createQueryParser(declared)({ ...REQUEST, query: (name) => (name === first ? '0' : undefined) });
}

function parseBody(declaration: BodyDeclaration, sent: Partial<Request>): Parsed<unknown> {
  return createBodyParser(declaration)({ ...REQUEST, ...sent });
}

function field(name: string, value: string): Request['header'] {
  return (asked) => (asked === name ? value : undefined);
}

/** Null for members that need a value; no body at all if none does. */
function wrongBody({ schema }: BodyDeclaration): string | undefined {
  const nulls = Object.entries<PropertySchema>(schema.properties)
    .filter(([, { readOnly, nullable, default: omitted }]) => !readOnly && !nullable && omitted === undefined)
    .map(([name]) => [name, null]);
  return nulls.length === 0 ? undefined : JSON.stringify(Object.fromEntries(nulls));
}
