import { STATUS_CODES } from 'node:http';
import { sentence } from '../../shared/http/problem-details.js';
import { MEDIA_TYPES } from '../../shared/http/responses.js';
import { type AnyRoute, problemsOf, type ResponseDeclaration } from '../../shared/routing/route.js';
import type { ObjectSchema } from '../../shared/schema/schema.js';
import type { Tags } from './comments.js';
import { exampleItemOf, type JsonSchema, storedName, titleOf } from './schemas.js';

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, (typeof HEADER_FIELDS)[Field]>>;
  readonly content?: Content;
}

type Responses = Readonly<Record<string, ResponseObject | { readonly $ref: string }>>;

/** By name, made of their codes. */
export type SharedResponses = Record<string, ResponseObject>;

/** By media type. Only the first has an example, because many tools read no other. */
export type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>;

/**
 * Describes a route's responses by status: those that it declares, and one for each status of its problems. Routes share
 * the second kind, unless their comments add something to it.
 *
 * @param shared - The shared responses by name, to which it adds those of this route.
 * @throws Error with file and line if neither the table of problems nor the comment explains a status.
 */
export function responsesOf(route: AnyRoute, signIn: boolean, tags: Tags, shared: SharedResponses): Responses {
  const declared = Object.entries<ResponseDeclaration>(route.responses);
  // The handler may send 304 instead of the 200, with the same ETag.
  if (route.conditional && route.method === 'GET') declared.push(['304', { headers: ['ETag'] }]);
  const successes = declared.map(([status, response]) => [status, successOf(status, response)]);
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

function successOf(status: string, { headers = [], content }: ResponseDeclaration): ResponseObject {
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

const field = (description: string, required: boolean) => ({ description, required, schema: { type: 'string' } });

const HEADER_FIELDS = {
  ETag: field('The entity tag of this version, in quotes, for If-Match and If-None-Match.', true),
  Link: field('The path and query of the next page of the list, with rel="next"; absent on the last page.', false),
  Location: field('The path of the new item.', true),
  'Retry-After': {
    ...field('The seconds to wait before trying again.', true),
    schema: { type: 'integer', minimum: 0 },
  },
  'WWW-Authenticate': field(
    'Asks for a bearer token, and says what is wrong with the token that was sent. A REST API renames it to x-amzn-Remapped-WWW-Authenticate.',
    false,
  ),
};

/** Describes an item, or a list of them. JSON comes first, because the service prefers it. */
function itemsIn(content: NonNullable<ResponseDeclaration['content']>): Content {
  const isList = Array.isArray(content);
  const item: ObjectSchema = isList ? content[0] : content;
  const stored: JsonSchema = { $ref: `#/components/schemas/${storedName(titleOf(item))}` };
  const schema = isList ? { type: 'array', items: stored } : stored;
  const example = exampleItemOf(item.entries);
  const [plain, json, textJson] = MEDIA_TYPES;
  return {
    [json]: { schema, ...(example && { example: isList ? [example] : example }) },
    [textJson]: { schema },
    [plain]: { schema },
  };
}

/** Joins words that are separated by hyphens: `not-found` becomes `NotFound`. */
export function pascalCase(text: string): string {
  return text.replace(/(?:^|-+)(.?)/g, (_, letter: string) => letter.toUpperCase());
}
