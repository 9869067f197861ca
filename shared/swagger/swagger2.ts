import type { DescribedResponse, Description, Operation, Parameter, Reference } from './description.js';
import { byPath, referenced } from './layout.js';
import { type Dialect, writeSchema } from './write-schema.js';

/**
 * Writes the description document in the format of Swagger 2.0, with the members that the specification lists, in its
 * order.
 *
 * @param description - What it says.
 * @returns The document.
 */
export function writeSwagger({ info, operations, definitions }: Description): object {
  const paths = byPath(operations, writeOperation);
  const schemas = definitions
    // The specification has one definition of an item, sent or answered.
    .filter(({ form }) => form !== 'stored')
    .map(({ schema, ...reference }): [string, object] => [nameOf(reference), writeSchema(schema, DIALECT)]);
  return {
    swagger: '2.0',
    info,
    basePath: '/',
    paths,
    definitions: referenced(schemas, paths, '#/definitions/'),
    securityDefinitions: {},
  };
}

const DIALECT: Dialect = {
  pointer: (reference) => `#/definitions/${nameOf(reference)}`,
  // The format has no null. Generators of clients read this extension.
  nullable: (schema) => ({ ...schema, 'x-nullable': true }),
  example: (value) => ({ example: value }),
};

function nameOf({ title, form }: Reference): string {
  return form === 'patch' ? `${title}Patch` : title;
}

function writeOperation({ tag, summary, id, parameters, body, responses }: Operation): object {
  const inBody = body && {
    name: body.name,
    in: 'body',
    description: body.description,
    required: true,
    schema: writeSchema(body.schema, DIALECT),
  };
  return {
    tags: [tag],
    summary,
    operationId: id,
    consumes: body?.mediaTypes ?? [],
    produces: responses.find(({ status, content }) => status < 300 && content)?.content?.mediaTypes ?? [],
    parameters: [...parameters.map(writeParameter), ...(inBody ? [inBody] : [])],
    responses: Object.fromEntries(responses.map((response) => [response.status, writeResponse(response)])),
    deprecated: false,
  };
}

function writeParameter({ schema, ...parameter }: Parameter): object {
  return { ...parameter, ...writeSchema(schema, DIALECT) };
}

/** An example has a media type, and for problems that is the only place where the format has room for theirs. */
function writeResponse({ status, description, content, headers }: DescribedResponse): object {
  const mediaType = status < 400 ? 'application/json' : content?.mediaTypes[0];
  return {
    description,
    ...(content && { schema: writeSchema(content.schema, DIALECT) }),
    ...(headers.length > 0 && {
      headers: Object.fromEntries(headers.map(({ name, always: _always, ...header }) => [name, header])),
    }),
    ...(content?.example !== undefined && { examples: { [mediaType as string]: content.example } }),
  };
}
