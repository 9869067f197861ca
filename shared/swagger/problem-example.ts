import { refused } from '../http/answer.js';
import { LARGEST_BODY } from '../http/body.js';
import { createGuard } from '../http/cross-site.js';
import { type ProblemStatus, problem } from '../http/problem.js';
import type { Request } from '../http/request.js';
import type { Response } from '../http/response.js';
import { createDispatcher } from '../routing/dispatcher.js';
import type { AnyRoute, BodyDeclaration } from '../routing/route.js';
import type { PropertySchema } from '../schema/schema.js';

/** Shows the problem that a route answers with a status of 400 or above, by having the service's own code answer it. */
export function problemExample(route: AnyRoute, status: string): object {
  const mistake = MISTAKES[status]?.(route);
  const run = ANSWERS[status] ?? (() => problem(REQUEST, Number(status) as ProblemStatus));
  const dispatch = createDispatcher([{ ...route, template: '/', run }], createGuard([]));
  const response = mistake ? dispatch({ ...REQUEST, method: route.method, ...mistake }).response : run();
  return JSON.parse((response as Response).body as string);
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

/** What is wrong with the requests that the dispatcher refuses, so that no operation sees them. */
const MISTAKES: Readonly<Record<string, (route: AnyRoute) => Partial<Request>>> = {
  400: ({ query = {}, body }) => ({
    query: (name) => (name === Object.keys(query)[0] ? '0' : undefined),
    ...(body ? { body: wrongBody(body) } : { header: field('if-match', '1') }),
  }),
  403: () => ({ header: field('sec-fetch-site', 'cross-site') }),
  413: () => ({ body: ' '.repeat(LARGEST_BODY + 1) }),
  415: () => ({ body: '{}', header: field('content-type', 'text/plain') }),
};

/** What operations themselves answer. */
const ANSWERS: Readonly<Record<string, () => Response>> = {
  404: () => refused(REQUEST, 'absent'),
  412: () => refused(REQUEST, 'precondition failed'),
  503: () => refused(REQUEST, 'unavailable'),
  507: () => refused(REQUEST, 'no room'),
};

function field(name: string, value: string): Request['header'] {
  return (asked) => (asked === name ? value : undefined);
}

/** Null for members that need a value; no body at all where none does. */
function wrongBody({ schema }: BodyDeclaration): string | undefined {
  const nulls = Object.entries<PropertySchema>(schema.properties)
    .filter(([, { readOnly, nullable, default: omitted }]) => !readOnly && !nullable && omitted === undefined)
    .map(([name]) => [name, null]);
  return nulls.length === 0 ? undefined : JSON.stringify(Object.fromEntries(nulls));
}
