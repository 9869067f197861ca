import { MEDIA_TYPES } from '../../shared/http/answer.js';
import { namesBehind, sharedName } from './definition-name.js';
import type { OpenApi } from './describe.js';
import type {
  Content,
  Definition,
  ParameterObject,
  ResponseObject,
  Schema,
  SecurityScheme,
} from './openapi-document.js';
import { BODY, type Operation } from './operation.js';

/**
 * Converts the document to Swagger 2.0, with the members of rule 28 in their order. The format can express neither the
 * media types of errors, nor that a header field may be missing.
 */
export function toSwagger2({ info, paths, components }: OpenApi): object {
  const names = new Set(Object.keys(components.schemas).map(sharedName));
  const definitionOf = (name: string) => namesBehind(name).flatMap((behind) => components.schemas[behind] ?? []);
  return {
    swagger: '2.0',
    info,
    basePath: '/',
    paths: mapValues(paths, (operations) => mapValues(operations, convertOperation)),
    definitions: Object.fromEntries(
      Array.from(names, (name) => [name, convertSchema(definitionOf(name).reduce(withTypes))]),
    ),
    securityDefinitions: mapValues(components.securitySchemes ?? {}, convertScheme),
  };
}

/**
 * POST ignores these members, so their types come from another definition: of PUT, which needs the key, or of the
 * stored item.
 */
function withTypes({ properties, ...schema }: Definition, { properties: others }: Definition): Definition {
  const typed = Object.entries(properties).map(([name, member]) =>
    member.type || member.allOf ? [name, member] : [name, others[name]],
  );
  return { ...schema, properties: Object.fromEntries(typed) };
}

function mapValues<From, To>(object: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
}

function convertOperation(operation: Operation): object {
  const { tags, summary, operationId, parameters = [], requestBody, responses, security } = operation;
  const answered = Object.values(responses).flatMap(({ content = {} }) => Object.keys(content));
  return {
    tags,
    summary,
    operationId,
    consumes: Object.keys(requestBody?.content ?? {}),
    produces: MEDIA_TYPES.filter((type) => answered.includes(type)),
    parameters: [...parameters.map(convertParameter), ...(requestBody ? [convertBody(requestBody)] : [])],
    responses: mapValues(responses, convertResponse),
    deprecated: false,
    ...(security && { security }),
  };
}

/** The format knows no bearer tokens. The nearest is a key in a header field. */
function convertScheme({ description }: SecurityScheme): object {
  const how = 'Write Bearer and a space in front of it.';
  return { type: 'apiKey', name: 'Authorization', in: 'header', description: `${description} ${how}` };
}

/**
 * The format has examples of bodies only. Swagger UI fills fields in with this extension, so only path parameters get
 * it, because otherwise all visitors would send the same Idempotency-Key and condition.
 */
function convertParameter({ schema, ...parameter }: ParameterObject): object {
  const { examples, ...keywords } = schema;
  return {
    ...parameter,
    ...convertSchema(keywords),
    ...(examples && parameter.in === 'path' && { 'x-example': examples[0] }),
  };
}

function convertBody({ description, required, content }: NonNullable<Operation['requestBody']>): object {
  return { name: BODY, in: 'body', description, required, schema: convertContent(content).schema };
}

function convertResponse({ description, headers, content }: ResponseObject): object {
  const { schema, examples } = content ? convertContent(content) : {};
  return {
    description,
    ...(schema && { schema }),
    ...(headers && { headers: mapValues(headers, ({ schema, description }) => ({ ...schema, description })) }),
    ...(examples && { examples }),
  };
}

/** An example has a media type. The format can name the one of problems nowhere else. */
function convertContent(content: Content): { readonly schema: object; readonly examples?: object } {
  const [[mediaType, { schema, example }]] = Object.entries(content) as [[string, Content['']]];
  return { schema: convertSchema(schema), ...(example !== undefined && { examples: { [mediaType]: example } }) };
}

function convertSchema(schema: Schema): object {
  const { $ref, allOf, exclusiveMinimum, examples, items, properties, ...keywords } = schema;
  if (allOf) return { ...keywords, ...convertSchema(allOf[0]) };
  if ($ref) return { $ref: `#/definitions/${sharedName($ref.replace(/.*\//, ''))}` };
  // The format has no null. Client generators read this extension.
  if (Array.isArray(schema.type)) return { ...convertSchema(withoutNull(schema)), 'x-nullable': true };
  return {
    ...keywords,
    // The format has a limit and, beside it, whether it is excluded.
    ...(exclusiveMinimum !== undefined && { minimum: exclusiveMinimum, exclusiveMinimum: true }),
    ...(examples && { example: examples[0] }),
    ...(items && { items: convertSchema(items) }),
    ...(properties && { properties: mapValues(properties, convertSchema) }),
  };
}

function withoutNull({ description, type, enum: values, ...keywords }: Schema): Schema {
  const enumerated = values && { enum: values.filter((value) => value !== null) };
  return { ...(description && { description }), type: (type as [string, 'null'])[0], ...enumerated, ...keywords };
}
