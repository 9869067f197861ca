import * as v from 'valibot';
import type { AnyRoute } from '../../shared/routing/route.js';
import { parseTemplate } from '../../shared/routing/template.js';
import { writable } from '../../shared/schema/schema.js';
import { type Comment, summaryOf, tagsOf } from './comments.js';
import { type Content, pascalCase, responsesOf, type SharedResponses } from './response-objects.js';
import { exampleItemOf, type JsonSchema, patchName, putName, schemaOf, titleOf } from './schemas.js';

export type OperationObject = ReturnType<typeof describeOperation>;

export interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  /** The member of an item that the parameter holds, for the page. */
  readonly 'x-member'?: string;
}

/** The path as both documents write it: `/notes/{id}`, without constraints and defaults. */
export function pathOf({ template }: AnyRoute): string {
  const segments = parseTemplate(template);
  return `/${segments.map((segment) => (segment.kind === 'static' ? segment.text : `{${segment.name}}`)).join('/')}`;
}

/**
 * Describes a route from its declaration and its comment.
 *
 * @param shared - The shared responses by name, to which it adds those that the operation refers to.
 * @throws Error with file and line if a text is missing or describes nothing, or if a parameter can't be described.
 */
export function describeOperation(route: AnyRoute, comment: Comment, signIn: boolean, shared: SharedResponses) {
  const { method, template, resource, query = {}, body } = route;
  const name = `${method} ${template}`;
  const tags = tagsOf(comment, name);
  const segments = parseTemplate(template);
  const key = resource && (v.getExamples(resource.schema.entries.key) as readonly unknown[])[0];
  const parameters: ParameterObject[] = [
    ...segments.flatMap((segment): ParameterObject[] => {
      if (segment.kind === 'static') return [];
      const { name, text } = segment;
      const examples = key !== undefined && /^(:guid)?$/.test(text) && { examples: [key] };
      const schema = { type: 'string', ...examples };
      const description = tags.need(`param ${name}`);
      return [{ name, in: 'path', description, required: true, schema, ...(resource && { 'x-member': 'key' }) }];
    }),
    // Optional parameters have no examples, because API clients would send them with each request.
    ...Object.entries(query).map(([name, property]): ParameterObject => {
      const schema = schemaOf(property, `the parameter ${name}`, comment.location);
      // parseQuery reads integers of at most 15 digits, without a sign.
      const isReadable = schema.type === 'integer' && schema.minimum >= 0 && schema.maximum < 1e15;
      if (!isReadable && !/^(string|boolean)$/.test(schema.type))
        throw new Error(
          `${comment.location}: the parameter ${name} must be text, a Boolean, or an integer({ min, max }) of at most 15 digits, from 0`,
        );
      return { name, in: 'query', description: tags.need(`param ${name}`), required: false, schema };
    }),
    ...(route.conditional ? conditionalFields(route) : []),
    ...(route.acceptsIdempotencyKey ? [IDEMPOTENCY_KEY] : []),
  ];
  const words = segments.map((segment) => pascalCase(segment.kind === 'static' ? segment.text : `By-${segment.name}`));
  const operation = {
    // By its resource, so that an action such as /notes/{id}/copies is listed among the other operations on notes.
    tags: [pascalCase(resource?.name ?? segments.findLast((segment) => segment.kind === 'static')?.text ?? 'root')],
    summary: summaryOf(comment, name),
    operationId: [...words, pascalCase(method.toLowerCase())].join(''),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBodyOf(route, tags.need(`param ${BODY}`)) }),
    responses: responsesOf(route, signIn, tags, shared),
    ...(signIn && !route.open && { security: [{ token: [] }] }),
  };
  tags.end();
  return operation;
}

/** The name of the body parameter in Swagger 2.0, and in comments: `@param item`. */
export const BODY = 'item';

function requestBodyOf({ body }: AnyRoute, description: string) {
  const { schema, patch, keyParameter } = body as NonNullable<AnyRoute['body']>;
  const title = titleOf(schema);
  const name = patch ? patchName(title) : keyParameter ? putName(title) : title;
  const content = { schema: { $ref: `#/components/schemas/${name}` } };
  const example = exampleItemOf(keyParameter ? schema.entries : writable(schema));
  const first = { ...content, ...(example && { example }) };
  const types: Content = { 'application/json': first, 'text/json': content };
  return {
    description,
    required: true,
    content: { ...types, ...(patch && { 'application/merge-patch+json': content }) } as Content,
  };
}

function headerField(name: string, description: string): ParameterObject {
  return { name, in: 'header', description, required: false, schema: { type: 'string' } };
}

const IDEMPOTENCY_KEY = headerField(
  'Idempotency-Key',
  'A name for this request, preferably a new UUID: 1 to 64 visible characters in quotes, as in "9b2f6c1e-3d4a-4f5b-8c7d-0e1f2a3b4c5d". For an hour, the same key with the same members returns the same response and creates nothing more.',
);

function conditionalFields({ method, responses }: AnyRoute): ParameterObject[] {
  const subject = Array.isArray(responses[200]?.content) ? 'list' : 'item';
  const otherwise = method === 'GET' ? '; otherwise, it returns 304' : '';
  const about = (versions: string) =>
    `Entity tags in quotes, as in "1", separated by commas; or * for any version. The request succeeds only if the ${subject} is at ${versions}.`;
  return [
    headerField('If-Match', about('one of these versions')),
    headerField('If-None-Match', about(`none of these versions${otherwise}`)),
  ];
}
