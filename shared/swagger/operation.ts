import { STATUS_CODES } from 'node:http';
import type { Answer, AnyRoute } from '../http/route.js';
import type { ObjectSchema } from '../http/schema.js';
import { parseTemplate, type Segment } from '../http/template.js';
import type { Comment } from './comments.js';
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
    produces: route.produces ?? [],
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

function parameters(
  { query = {}, body, conditions = [] }: AnyRoute,
  segments: readonly Segment[],
  words: Words,
): object[] {
  const inPath = segments
    .filter((segment) => segment.kind !== 'literal')
    .map(({ name }) => ({ name, in: 'path', description: words.text('param', name), required: true, type: 'string' }));
  const inHeader = conditions.map((name) => ({
    name,
    in: 'header',
    description: words.text('header', name),
    required: false,
    type: 'string',
  }));
  const inQuery = Object.entries(query).map(([name, facts]) => ({
    name,
    in: 'query',
    description: words.text('param', name),
    required: false,
    ...facts,
  }));
  if (!body) return [...inPath, ...inQuery, ...inHeader];
  const item = { name: 'item', in: 'body', description: words.text('param', 'item'), required: true };
  return [...inPath, ...inQuery, ...inHeader, { ...item, schema: reference(body.schema, body.patch) }];
}

function responses(route: AnyRoute, words: Words): object {
  const answers: [string, Answer][] = [...Object.entries(route.answers), ['500', {}]];
  return Object.fromEntries(answers.map(([status, answer]) => [status, response(status, answer, words)]));
}

function response(status: string, { content, headers }: Answer, words: Words): object {
  // The specification has success described by the status alone; a fault of the service has nothing to add to it, either.
  const described = !status.startsWith('2') && status !== '500';
  return {
    description: described ? words.text('response', status) : STATUS_CODES[status],
    ...(content && {
      schema: Array.isArray(content)
        ? { type: 'array', items: reference(content[0]) }
        : reference(content as ObjectSchema),
    }),
    ...(Number(status) >= 400 && { schema: { $ref: '#/definitions/Problem' } }),
    ...(headers && {
      headers: Object.fromEntries(headers.map((name) => [name, { type: 'string', description: HEADERS[name] }])),
    }),
  };
}

const HEADERS = {
  ETag: 'Entity tag of this version of the item, for If-Match and If-None-Match.',
  Link: 'Where the list goes on, with rel="next"; left out at its end.',
  Location: 'Where the item is.',
  'Retry-After': 'The seconds after which to try again.',
} as const;
