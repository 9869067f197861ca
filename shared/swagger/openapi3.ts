import type { Content, DescribedResponse, Description, HeaderField, Operation, Reference } from './description.js';
import { byPath, referenced } from './layout.js';
import { type Dialect, writeSchema } from './write-schema.js';

/**
 * Writes the description document in the format of OpenAPI 3.1.
 *
 * @param description - What it says.
 * @returns The document.
 */
export function writeOpenApi({ info, operations, definitions }: Description): object {
  const paths = byPath(operations, writeOperation);
  const schemas = definitions.map(({ schema, ...reference }): [string, object] => {
    return [nameOf(reference), writeSchema(schema, DIALECT)];
  });
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    paths,
    components: { schemas: referenced(schemas, paths, '#/components/schemas/') },
    // Says that there is no authentication, where leaving it out says nothing.
    security: [],
    tags: Array.from(new Set(operations.map(({ tag }) => tag)), (name) => ({ name })),
  };
}

const DIALECT: Dialect = {
  pointer: (reference) => `#/components/schemas/${nameOf(reference)}`,
  nullable: (schema) => {
    const { type, enum: values, ...keywords } = schema as { type: string; enum?: readonly string[] };
    return { type: [type, 'null'], ...(values && { enum: [...values, null] }), ...keywords };
  },
  example: (value) => ({ examples: [value] }),
};

function nameOf({ title, form }: Reference): string {
  if (form === 'patch') return `${title}Patch`;
  return form === 'stored' ? `Stored${title}` : title;
}

function writeOperation({ tag, summary, id, parameters, body, responses }: Operation): object {
  return {
    tags: [tag],
    summary,
    operationId: id,
    ...(parameters.length > 0 && {
      parameters: parameters.map((parameter) => ({ ...parameter, schema: writeSchema(parameter.schema, DIALECT) })),
    }),
    ...(body && {
      requestBody: {
        description: body.description,
        required: true,
        content: writeContent({ ...body, example: undefined }),
      },
    }),
    responses: Object.fromEntries(responses.map((response) => [response.status, writeResponse(response)])),
  };
}

function writeResponse({ description, content, headers }: DescribedResponse): object {
  return {
    description,
    ...(headers.length > 0 && {
      headers: Object.fromEntries(headers.map((header) => [header.name, writeField(header)])),
    }),
    ...(content && { content: writeContent(content) }),
  };
}

function writeField({ description, type, always }: HeaderField): object {
  return { description, required: always, schema: { type } };
}

/** JSON comes first, as the service prefers it: many tools take the first media type alone. */
function writeContent({ mediaTypes, schema, example }: Content): object {
  const written = writeSchema(schema, DIALECT);
  const preferred = ['application/json', 'text/json'].filter((type) => mediaTypes.includes(type));
  const [first, ...others] = new Set([...preferred, ...mediaTypes]);
  return Object.fromEntries([
    [first, { schema: written, ...(example !== undefined && { example }) }],
    ...others.map((type) => [type, { schema: written }]),
  ]);
}
