import { MEDIA_TYPES } from '../http/answer.js';
import type { Answer, AnyRoute } from '../routing/route.js';
import { parseTemplate, type Segment } from '../routing/template.js';
import type { ObjectSchema } from '../schema/schema.js';
import type { Comment } from './comments.js';
import { answersOf, wordsFor } from './statuses.js';
import { Words } from './words.js';

/** An operation's place in the document, and the operation. */
export interface DescribedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: object;
}

/**
 * Describes a route as an operation of the document.
 *
 * @param route - The declaration: its facts.
 * @param comment - The comment above it: its words.
 * @returns The operation, with the members that the specification lists, in its order.
 * @throws Error with file and line when the comment lacks words, or has some for what isn't there.
 */
export function describeOperation(route: AnyRoute, comment: Comment): DescribedOperation {
  const words = new Words(comment, `${route.method} ${route.template}`);
  const segments = parseTemplate(route.template);
  const operation = {
    tags: [capitalised(segments.findLast((segment) => segment.kind === 'literal')?.text ?? 'Root')],
    summary: words.summary(),
    operationId: [...segments.map(nameOf), capitalised(route.method.toLowerCase())].join(''),
    consumes: consumes(route),
    produces: Object.values(route.answers).some(({ content }) => content) ? MEDIA_TYPES : [],
    parameters: parameters(route, segments, words),
    responses: responses(route, words),
    deprecated: false,
  };
  words.finish();
  const path = `/${segments.map((segment) => (segment.kind === 'literal' ? segment.text : `{${segment.name}}`)).join('/')}`;
  return { path, method: route.method.toLowerCase(), operation };
}

/**
 * Refers to the definition of a schema.
 *
 * @param schema - The schema.
 * @param patch - Whether to its merge patch.
 * @returns The reference.
 */
export function reference(schema: ObjectSchema, patch = false): { readonly $ref: string } {
  return { $ref: `#/definitions/${schema.title}${patch ? 'Patch' : ''}` };
}

function nameOf(segment: Segment): string {
  return segment.kind === 'literal' ? capitalised(segment.text) : `By${capitalised(segment.name)}`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function consumes({ body }: AnyRoute): readonly string[] {
  if (!body) return [];
  return ['application/json', 'text/json', ...(body.patch ? ['application/merge-patch+json'] : [])];
}

function parameters(route: AnyRoute, segments: readonly Segment[], words: Words): object[] {
  const { query = {}, body, conditional } = route;
  const inPath = segments
    .filter((segment) => segment.kind !== 'literal')
    .map(({ name }) => ({ name, in: 'path', description: words.text('param', name), required: true, type: 'string' }));
  const inQuery = Object.entries(query).map(([name, facts]) => ({
    name,
    in: 'query',
    description: words.text('param', name),
    required: false,
    ...facts,
  }));
  const inHeader = Object.entries(conditional ? conditionsOf(route) : {}).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    required: false,
    type: 'string',
  }));
  if (!body) return [...inPath, ...inQuery, ...inHeader];
  const inBody = { name: body.name, in: 'body', description: words.text('param', body.name), required: true };
  return [...inPath, ...inQuery, ...inHeader, { ...inBody, schema: reference(body.schema, body.patch) }];
}

function conditionsOf({ method }: AnyRoute) {
  const excluded = method === 'GET' ? 'that the caller has already' : 'that the item may not have';
  return {
    'If-Match':
      'Entity tags of the versions that the item may have, each in quotes, separated by commas; or * for any.',
    'If-None-Match': `Entity tags of the versions ${excluded}, each in quotes, separated by commas; or * for any.`,
  };
}

function responses(route: AnyRoute, words: Words): object {
  const described = answersOf(route).map(([status, answer]) => {
    const description = words.optionalText('response', String(status)) ?? wordsFor(route, status);
    return [status, { description, ...response(status, answer) }];
  });
  return Object.fromEntries(described);
}

function response(
  status: number,
  { content, headers = status === 503 ? ['Retry-After'] : undefined }: AnswerWithRetry,
): object {
  return {
    ...(content && {
      schema: Array.isArray(content)
        ? { type: 'array', items: reference(content[0]) }
        : reference(content as ObjectSchema),
    }),
    ...(status >= 400 && { schema: { $ref: '#/definitions/Problem' } }),
    ...(headers && { headers: Object.fromEntries(headers.map((name) => [name, HEADERS[name]])) }),
  };
}

interface AnswerWithRetry extends Omit<Answer, 'headers'> {
  readonly headers?: readonly (keyof typeof HEADERS)[] | undefined;
}

const HEADERS = {
  ETag: { type: 'string', description: 'The entity tag of this version of the item, for If-Match and If-None-Match.' },
  Link: { type: 'string', description: 'The next page of the list, with rel="next"; left out where the list ends.' },
  Location: { type: 'string', description: 'The path of the new item.' },
  'Retry-After': { type: 'integer', description: 'The seconds after which to try again.' },
} as const;
