import { STATUS_CODES } from 'node:http';
import { MEDIA_TYPES } from '../../shared/http/answer.js';
import { sentence } from '../../shared/http/problem-details.js';
import { type AnswerDeclaration, type AnyRoute, problemsOf } from '../../shared/routing/route.js';
import type { ObjectSchema } from '../../shared/schema/schema.js';
import type { Tags } from './comments.js';
import { exampleItemOf, type Schema, storedName } from './schemas.js';

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, (typeof HEADER_FIELDS)[Field]>>;
  readonly content?: Content;
}

/** By media type. Only the first has the example, because many tools read only the first. */
export type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

/**
 * Describes what a route answers, by status: what it declares, and its problems. An error has its meaning from the table
 * of problems. If the route's comment adds nothing, the error is shared.
 *
 * @param shared - Gets the shared errors. Their names are made of the codes.
 * @throws Error with file and line if neither the table nor the comment explains an error.
 */
export function responsesOf(
  route: AnyRoute,
  signIn: boolean,
  tags: Tags,
  shared: Record<string, ResponseObject>,
): Readonly<Record<string, ResponseObject | { readonly $ref: string }>> {
  const answers = Object.entries<AnswerDeclaration>(route.answers);
  // The handler gives it for the ETag of the other answer.
  if (route.conditional && route.method === 'GET') answers.push(['304', { headers: ['ETag'] }]);
  const successes = answers.map(([status, { content, headers }]) => [status, successOf(status, headers, content)]);
  const problems = problemsOf(route, signIn);
  const errors = problems.map(({ status }) => {
    const tag = `response ${status}`;
    const explained = problems.filter((row) => row.status === status && row.meaning);
    const added = explained.length > 0 ? tags.find(tag) : tags.need(tag);
    if (added) return [status, errorOf(explained, added)];
    const name = explained.map(({ code }) => pascalCase(code)).join('Or');
    shared[name] = errorOf(explained);
    return [status, { $ref: `${SHARED}${name}` }];
  });
  // JavaScript sorts them by status.
  return Object.fromEntries([...successes, ...errors]);
}

export const SHARED = '#/components/responses/';

type ProblemRow = ReturnType<typeof problemsOf>[number];

type Field = keyof typeof HEADER_FIELDS;

function successOf(
  status: string,
  headers: readonly Field[] = [],
  content: AnswerDeclaration['content'],
): ResponseObject {
  return {
    description: status === '304' ? 'If-None-Match names the current version.' : (STATUS_CODES[status] as string),
    ...headersOf(headers),
    ...(content && { content: itemsIn(content) }),
  };
}

function errorOf(problems: readonly ProblemRow[], added = ''): ResponseObject {
  const reasons = problems.map(({ meaning }) => meaning).join(', or ');
  const fields = new Set<Field>();
  for (const { retryAfter, from } of problems) {
    if (retryAfter) fields.add('Retry-After');
    else if (from === 'token') fields.add('WWW-Authenticate');
  }
  return {
    description: `${sentence(reasons)} ${added}`.trim(),
    ...headersOf([...fields]),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

function headersOf(names: readonly Field[]): Pick<ResponseObject, 'headers'> {
  if (names.length === 0) return {};
  return { headers: Object.fromEntries(names.map((name) => [name, HEADER_FIELDS[name]])) };
}

const text = { type: 'string' };

const HEADER_FIELDS = {
  ETag: {
    description: 'The entity tag of this version, in quotes, for If-Match and If-None-Match.',
    required: true,
    schema: text,
  },
  Link: {
    description: 'The path and query of the next page of the list, with rel="next"; absent on the last page.',
    required: false,
    schema: text,
  },
  Location: { description: 'The path of the new item.', required: true, schema: text },
  'Retry-After': {
    description: 'The seconds after which to try again.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'WWW-Authenticate': {
    description:
      'Asks for a bearer token, and says what is wrong with the one that was sent. Some gateways call it x-amzn-Remapped-WWW-Authenticate.',
    required: false,
    schema: text,
  },
} as const;

/** JSON comes first, because the service prefers it. */
function itemsIn(content: NonNullable<AnswerDeclaration['content']>): Content {
  const isList = Array.isArray(content);
  const item: ObjectSchema = isList ? content[0] : content;
  const stored: Schema = { $ref: `#/components/schemas/${storedName(item)}` };
  const schema = isList ? { type: 'array', items: stored } : stored;
  const example = exampleItemOf(item.entries);
  const [plain, json, textJson] = MEDIA_TYPES;
  return {
    [json]: { schema, ...(example && { example: isList ? [example] : example }) },
    [textJson]: { schema },
    [plain]: { schema },
  };
}

/** Makes one word of words that hyphens part: `not-found` becomes `NotFound`. */
export function pascalCase(text: string): string {
  return text.replace(/(?:^|-+)(.?)/g, (_, letter: string) => letter.toUpperCase());
}
