import type { AnyRoute } from '../routing/route.js';
import { parseTemplate, type Segment } from '../routing/template.js';
import type { Comment } from './comments.js';
import { refuseInvalid, schemaOf } from './definition.js';
import type { Body, Operation, Parameter } from './description.js';
import { headerParameters } from './header-fields.js';
import { describeResponses } from './responses.js';
import { Words } from './words.js';

/**
 * Describes a route.
 *
 * @param route - The declaration: its facts.
 * @param comment - The comment above it: its words.
 * @returns The operation.
 * @throws Error with file and line when the comment lacks words or has some for what isn't there, when its summary is
 * long, or when a default or an example is not valid.
 */
export function describeOperation(route: AnyRoute, comment: Comment): Operation {
  const words = new Words(comment, `${route.method} ${route.template}`);
  const segments = parseTemplate(route.template);
  const method = route.method.toLowerCase();
  const described = {
    path: `/${segments.map((segment) => (segment.kind === 'literal' ? segment.text : `{${segment.name}}`)).join('/')}`,
    method,
    tag: capitalised(segments.findLast((segment) => segment.kind === 'literal')?.text ?? 'Root'),
    summary: words.shortSummary(),
    id: [...segments.map(nameOf), capitalised(method)].join(''),
    parameters: [...pathParameters(segments, words), ...queryParameters(route, words), ...headerParameters(route)],
    body: bodyOf(route, words),
    responses: describeResponses(route, words),
  };
  words.finish();
  return described;
}

function nameOf(segment: Segment): string {
  return segment.kind === 'literal' ? capitalised(segment.text) : `By${capitalised(segment.name)}`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function pathParameters(segments: readonly Segment[], words: Words): Parameter[] {
  return segments
    .filter((segment) => segment.kind !== 'literal')
    .map(({ name }) => {
      const description = words.text('param', name);
      return { name, in: 'path', description, required: true, schema: { type: 'string' } };
    });
}

function queryParameters({ query = {} }: AnyRoute, words: Words): Parameter[] {
  return Object.entries(query).map(([name, facts]) => {
    refuseInvalid(facts, `the parameter ${name}`, words.place);
    const description = words.text('param', name);
    return { name, in: 'query', description, required: false, schema: schemaOf(facts) };
  });
}

function bodyOf({ body }: AnyRoute, words: Words): Body | undefined {
  if (!body) return undefined;
  const { name, schema, patch } = body;
  return {
    name,
    description: words.text('param', name),
    mediaTypes: ['application/json', 'text/json', ...(patch ? ['application/merge-patch+json'] : [])],
    schema: { reference: { title: schema.title, ...(patch && { form: 'patch' }) } },
  };
}
