import { refused } from '../http/answer.js';
import { LARGEST_BODY, readBody } from '../http/body.js';
import { createGuard } from '../http/cross-site.js';
import { readPrecondition } from '../http/precondition.js';
import { type ProblemStatus, problem } from '../http/problem.js';
import { createQueryReader } from '../http/query.js';
import type { Request } from '../http/request.js';
import type { Response } from '../http/response.js';
import type { AnyRoute } from '../routing/route.js';
import { createReader } from '../schema/read.js';

/**
 * Shows a problem that a route answers, by having the service's own code answer it.
 *
 * @param route - The declaration.
 * @param status - A status of 400 or above.
 * @returns The content of the response.
 */
export function problemExample(route: AnyRoute, status: number): object {
  const response = ANSWERS[status]?.(route) ?? problem(requestWith({}), status as ProblemStatus);
  return JSON.parse(response.body as string);
}

const ANSWERS: Readonly<Record<number, (route: AnyRoute) => Response | undefined>> = {
  400: (route) => wrongBody(route) ?? wrongQuery(route) ?? wrongCondition(route),
  403: () => createGuard([])(requestWith({ 'sec-fetch-site': 'cross-site' })),
  404: () => refused(requestWith({}), 'absent'),
  412: () => refused(requestWith({}), 'precondition failed'),
  413: () => refusalOf(readBody(requestWith({}, ' '.repeat(LARGEST_BODY + 1)))),
  415: () => refusalOf(readBody(requestWith({ 'content-type': 'text/plain' }, '{}'))),
  503: () => refused(requestWith({}), 'unavailable'),
  507: () => refused(requestWith({}), 'no room'),
};

function wrongBody({ body }: AnyRoute): Response | undefined {
  if (!body) return undefined;
  const nulls = Object.fromEntries(Object.keys(body.schema.properties).map((name) => [name, null]));
  const parsed = createReader(body.schema).patch(nulls);
  if ('errors' in parsed) return refused(requestWith({}), 'invalid', parsed);
  return refusalOf(readBody(requestWith({}, '')));
}

function wrongQuery({ query = {} }: AnyRoute): Response | undefined {
  const [first] = Object.keys(query);
  const read = createQueryReader(query);
  return refusalOf(read({ ...requestWith({}), query: (name) => (name === first ? '0' : undefined) }));
}

function wrongCondition({ conditional }: AnyRoute): Response | undefined {
  return conditional ? refusalOf(readPrecondition(requestWith({ 'if-match': '1' }))) : undefined;
}

function refusalOf(read: { readonly refusal?: Response } | object): Response | undefined {
  return 'refusal' in read ? read.refusal : undefined;
}

function requestWith(headers: Readonly<Record<string, string>>, body?: string): Request {
  const request: Omit<Request, 'query'> = {
    method: '',
    path: '',
    prefix: '',
    id: '6f9b1e93-796e-491b-843f-d5c22bb3e716',
    body,
    isBase64Encoded: false,
    header: (name) => headers[name],
  };
  // None of the functions that answer looks into the query.
  return request as Request;
}
