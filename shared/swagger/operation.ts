import type { AnyRoute, BodyDeclaration } from '../routing/route.js';
import { parseTemplate, type Segment } from '../routing/template.js';
import type { Comment } from './comments.js';
import { schemaOf } from './definition.js';
import { headerParameters } from './header-fields.js';
import { bodyName, type Content, type Parameter } from './openapi.js';
import { describeResponses } from './responses.js';
import { answersOf } from './statuses.js';
import { summaryOf, tagsOf, type Words } from './words.js';

/** Gives the path of a route as documents have it, with the names of its parameters in braces. */
export function pathOf({ template }: AnyRoute): string {
  const segments = parseTemplate(template);
  return `/${segments.map((segment) => (segment.kind === 'literal' ? segment.text : `{${segment.name}}`)).join('/')}`;
}

/** One method of one path. */
export type Operation = ReturnType<typeof describeOperation>;

/**
 * Describes a route.
 *
 * @param route - The declaration: its facts.
 * @param comment - The comment above it: its words.
 * @returns The operation.
 * @throws Error with file and line when the comment lacks words or has some for what isn't there, when its summary is
 * long, or when a default or an example is not valid.
 */
export function describeOperation(route: AnyRoute, comment: Comment) {
  const { method, template, query = {}, body } = route;
  const subject = `${method} ${template}`;
  const summary = shortSummaryOf(comment, subject);
  const segments = parseTemplate(template);
  const inPath = segments.filter((segment) => segment.kind !== 'literal').map(({ name }) => name);
  const inBody = body ? [body.name] : [];
  const errors = Object.keys(answersOf(route)).filter((status) => Number(status) >= 300);
  const words = tagsOf(comment, subject, {
    needed: [...inPath, ...Object.keys(query), ...inBody].map((name) => `param ${name}`),
    possible: errors.map((status) => `response ${status}`),
  });
  const parameters = [
    ...inPath.map((name) => pathParameter(name, words)),
    ...Object.entries(query).map(([name, facts]): Parameter => {
      const schema = schemaOf(facts, `the parameter ${name}`, comment.place);
      return { name, in: 'query', description: words(`param ${name}`), required: false, schema };
    }),
    ...headerParameters(route),
  ];
  return {
    tags: [capitalised(segments.findLast((segment) => segment.kind === 'literal')?.text ?? 'Root')],
    summary,
    operationId: [...segments.map(nameOf), capitalised(method.toLowerCase())].join(''),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: bodyOf(body, words) }),
    responses: describeResponses(route, words),
  };
}

/** It is to fit on one line of a list of operations: Swagger 2.0 wants less than 120 characters. */
function shortSummaryOf(comment: Comment, subject: string): string {
  const summary = summaryOf(comment, subject);
  if (summary.length < 120) return summary;
  const cure = 'say the rest where it belongs, about a parameter or a response';
  throw new Error(
    `${comment.place}: the summary of ${subject} has ${summary.length} characters, not below 120: ${cure}`,
  );
}

function nameOf(segment: Segment): string {
  return segment.kind === 'literal' ? capitalised(segment.text) : `By${capitalised(segment.name)}`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function pathParameter(name: string, words: Words): Parameter {
  return { name, in: 'path', description: words(`param ${name}`), required: true, schema: { type: 'string' } };
}

function bodyOf({ name, schema, patch }: BodyDeclaration, words: Words) {
  const $ref = `#/components/schemas/${schema.title}${patch ? 'Patch' : ''}`;
  const mediaTypes = ['application/json', 'text/json', ...(patch ? ['application/merge-patch+json'] : [])];
  return {
    [bodyName]: name,
    description: words(`param ${name}`),
    required: true,
    content: Object.fromEntries(mediaTypes.map((type) => [type, { schema: { $ref } }])) as Content,
  };
}
