import { deepStrictEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import converter from 'swagger2openapi';
import { documents } from './service.mjs';

/**
 * Converts the 2.0 document to OpenAPI 3.0 and compares it with the 3.1 document: operations, parameters, bodies,
 * statuses, header fields, media types and the types of all members.
 *
 * @returns {Promise<string>} The result in a sentence.
 * @throws {Error} with the differences.
 */
export async function check() {
  const { openapi: converted } = await converter.convertObj(read(documents['Swagger 2.0']), {});
  const [one, other] = [operationsOf(converted), operationsOf(read(documents['OpenAPI 3.1']))];
  deepStrictEqual(one, other);
  const count = Object.values(one).reduce((sum, { responses }) => sum + Object.keys(responses).length, 0);
  return `the converted 2.0 document and the 3.1 document agree on ${Object.keys(one).length} operations and ${count} answers`;
}

function read(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function operationsOf(document) {
  const typeOf = (schema, isAnswer = false) => simple(document, isAnswer, schema);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, describe(operation, typeOf)]),
  );
  return Object.fromEntries(operations);
}

function describe({ operationId, tags, summary, parameters = [], requestBody, responses }, typeOf) {
  return {
    operationId,
    tags,
    summary,
    parameters: parameters.map(({ schema, example = schema.examples?.[0], ...parameter }) => {
      return { ...parameter, example, schema: typeOf(schema) };
    }),
    body: requestBody && { required: requestBody.required, ...contentOf(requestBody, typeOf) },
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        {
          description: response.description,
          headers: Object.entries(response.headers ?? {}).map(([name, { schema }]) => [name, schema.type]),
          ...contentOf(response, (schema) => typeOf(schema, true), Number(status) >= 400),
        },
      ]),
    ),
  };
}

/** Swagger 2.0 has one list of media types for all statuses, so those of errors can't be converted. */
function contentOf({ content = {} }, typeOf, isError = false) {
  const [type] = Object.values(content)
    .map(({ schema }) => schema && typeOf(schema))
    .filter(Boolean);
  return { type, mediaTypes: isError ? [] : Object.keys(content).sort() };
}

/**
 * Removes differences of form: there are three ways to write null and two for examples, and only the 3.1 document has
 * definitions of its own for answers, which have every member, and for PUT, which needs the key.
 */
function simple(document, isAnswer, { $ref, allOf, type, nullable, items, properties, ...facets }) {
  const name = $ref?.split('/').pop();
  if (name) {
    const { schemas } = document.components;
    const plain = name.replace(/Put$/, '');
    // In the 3.1 document, only the definition for PUT gives the key a type, because POST ignores it.
    const typed = schemas[`${plain}Put`] ?? schemas[plain];
    return simple(document, isAnswer, { ...schemas[plain], properties: typed.properties });
  }
  if (allOf) return simple(document, isAnswer, allOf[0]);
  const { description: _description, example: _example, examples: _examples, readOnly: _readOnly, ...rest } = facets;
  const { required, default: omitted, 'x-nullable': isNullable, ...rules } = rest;
  return {
    ...rules,
    ...(!isAnswer && { required, omitted }),
    types: [type, ...(nullable || isNullable ? ['null'] : [])].flat(),
    ...(items && { items: simple(document, isAnswer, items) }),
    ...(properties && {
      properties: Object.entries(properties).map(([name, property]) => [name, simple(document, isAnswer, property)]),
    }),
  };
}
