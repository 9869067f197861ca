import type { BodyDeclaration } from '../../shared/http/body.js';
import type { AnyRoute, Method } from '../../shared/routing/route.js';
import { type Parameter, parseTemplate, type Segment } from '../../shared/routing/template.js';
import { type Comment, type Descriptions, descriptionsOf, summaryOf } from './comments.js';
import { schemaOf } from './definition.js';
import { definitionName } from './definition-name.js';
import { headerParameters } from './header-fields.js';
import type { Content, ParameterObject } from './openapi-document.js';
import { describeResponses, exampleItemOf } from './response.js';
import { answersOf } from './route-answers.js';

/** With the names of the parameters in braces. */
export function pathOf({ template }: AnyRoute): string {
  const segments = parseTemplate(template);
  return `/${segments.map((segment) => (segment.kind === 'static' ? segment.text : `{${segment.name}}`)).join('/')}`;
}

export type Operation = ReturnType<typeof describeOperation> & {
  readonly security?: readonly Readonly<Record<string, readonly []>>[];
};

/**
 * Describes a route.
 *
 * @param comment - From above the declaration.
 * @throws Error with file and line if the comment lacks a description or describes something that isn't there, if its
 * summary is long, or if a default or an example is not valid.
 */
export function describeOperation(route: AnyRoute, comment: Comment) {
  const { method, template, resource, query = {}, body } = route;
  const name = `${method} ${template}`;
  const summary = shortSummaryOf(comment, name);
  const segments = parseTemplate(template);
  const inPath = segments.filter((segment) => segment.kind !== 'static');
  const inBody = body ? [BODY] : [];
  const key = resource?.schema.properties.key.example;
  const errors = Object.keys(answersOf(route)).filter((status) => Number(status) >= 300);
  const describe = descriptionsOf(comment, name, {
    needed: [...inPath.map(({ name }) => name), ...Object.keys(query), ...inBody].map((name) => `param ${name}`),
    possible: errors.map((status) => `response ${status}`),
  });
  const parameters = [
    ...inPath.map((segment) => pathParameter(segment, describe, key)),
    ...Object.entries(query).map(([name, property]): ParameterObject => {
      const schema = schemaOf(property, `the parameter ${name}`, comment.location);
      return { name, in: 'query', description: describe(`param ${name}`), required: false, schema };
    }),
    ...headerParameters(route),
  ];
  return {
    // An action on an item stands with the other operations of its resource, whatever its path ends in.
    tags: [wordsOf(resource?.name ?? segments.findLast((segment) => segment.kind === 'static')?.text ?? 'root')],
    summary,
    operationId: [...segments.map(nameOf), wordsOf(method.toLowerCase())].join(''),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: bodyOf(method, body, describe) }),
    responses: describeResponses(route, describe),
  };
}

/** A summary should fit on one line of a list of operations. Swagger 2.0 wants less than 120 characters. */
function shortSummaryOf(comment: Comment, name: string): string {
  const summary = summaryOf(comment, name);
  if (summary.length < 120) return summary;
  const cure = 'move the rest to a parameter or a response';
  throw new Error(
    `${comment.location}: the summary of ${name} has ${summary.length} characters, but must have fewer than 120: ${cure}`,
  );
}

function nameOf(segment: Segment): string {
  return segment.kind === 'static' ? wordsOf(segment.text) : `By${wordsOf(segment.name)}`;
}

/** Replaces hyphens by spaces, and starts each word with a capital. */
function wordsOf(text: string): string {
  return text.replace(/(?:^|-+)(.?)/g, (_, letter: string) => letter.toUpperCase());
}

function pathParameter(
  { name, text: constraints }: Parameter,
  describe: Descriptions,
  key: string | undefined,
): ParameterObject {
  const isKey = key !== undefined && /^(:guid)?$/.test(constraints);
  const schema = { type: 'string', ...(isKey && { examples: [key] }) };
  return { name, in: 'path', description: describe(`param ${name}`), required: true, schema };
}

/** The name of each body. Swagger 2.0 needs one; OpenAPI has none. */
export const BODY = 'item';

function bodyOf(method: Method, { schema, patch }: BodyDeclaration, describe: Descriptions) {
  const form = patch ? 'patched' : method === 'PUT' ? 'put' : 'posted';
  const content = { schema: { $ref: `#/components/schemas/${definitionName(schema.title, form)}` } };
  const example = exampleItemOf(schema, (name, { readOnly }) => !readOnly || (form === 'put' && name === 'key'));
  const mediaTypes = ['application/json', 'text/json', ...(patch ? ['application/merge-patch+json'] : [])];
  return {
    description: describe(`param ${BODY}`),
    required: true,
    content: Object.fromEntries(
      mediaTypes.map((type, index) => [type, index === 0 && example ? { ...content, example } : content]),
    ) as Content,
  };
}
