import { readFileSync } from 'node:fs';
import SwaggerParser from '@apidevtools/swagger-parser';
import { describe, expect, it } from '@jest/globals';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { generate } from '../../../docs/generate.js';
import { asJsonSchema } from '../../support/service/matches-document.js';
import { COLLECTION, OPERATIONS, SCHEMA } from '../../support/service/resource.js';

const swagger = JSON.parse(readFileSync('docs/swagger.json', 'utf8'));
const openApi = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
const swaggerAjv = addFormats.default(new Ajv({ strict: false })).addSchema(asJsonSchema(swagger), 'document');
const openApiAjv = addFormats.default(new Ajv2020({ strict: false })).addSchema(openApi, 'document');
/** All examples have the same key, so that a PUT made of them has the key of its path. */
const KEY = SCHEMA.properties.key.example;
const ITEM = `${COLLECTION}/{id}`;
const TAG = OPERATIONS.list.replace(/^Api(.*)Get$/, '$1');

/** The documents of a service that asks for tokens, which the build makes of the others. */
const asking = ['document', 'openapi'].map((name) => {
  const { body } = JSON.parse(readFileSync(`dist/with-tokens/${name}.json`, 'utf8'));
  return [`${name}.json with tokens`, body] as const;
});

describe.each(Object.entries(generate()))('%s', (file, generated) => {
  it('is what the declarations and comments say: if this fails, run npm run docs', () => {
    if (readFileSync(file, 'utf8') !== generated)
      throw new Error(`${file} is stale: run "npm run docs" and commit what it writes`);
  });
});

describe.each([...Object.entries(generate()), ...asking])('%s', (_name, text) => {
  const document = JSON.parse(text);

  it('passes the validator', async () => {
    await expect(SwaggerParser.validate(structuredClone(document))).resolves.toHaveProperty('info.version', 'v1');
  });

  it('has less than 6,000 characters for each operation', () => {
    expect(JSON.stringify(document).length / operationsOf(document).length).toBeLessThan(6_000);
  });

  it('defines what it refers to, and nothing else', () => {
    const references = new Set(Array.from(text.matchAll(/"\$ref": ?"(.*?)"/g), ([, pointer]) => pointer));
    const defined = document.definitions
      ? Object.keys(document.definitions).map((name) => `#/definitions/${name}`)
      : Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect([...references].sort()).toEqual(defined.sort());
  });
});

describe('a document of a service that asks for tokens', () => {
  it.each([swagger, openApi])('is the other one, with 401 and the scheme for each operation', (open) => {
    const { securityDefinitions, ...document } = JSON.parse(asking[open === swagger ? 0 : 1]?.[1] as string);
    for (const operation of operationsOf(document)) {
      const { 401: unauthorized, ...responses } = operation.responses;
      expect(unauthorized).toMatchObject({ description: 'No token was sent, or the token is not valid.' });
      expect(operation.security).toEqual([{ token: [] }]);
      operation.responses = responses;
      delete operation.security;
    }
    const schemes = securityDefinitions ?? document.components.securitySchemes;
    expect(schemes).toEqual({ token: expect.objectContaining({ type: securityDefinitions ? 'apiKey' : 'http' }) });
    delete document.components?.securitySchemes;
    expect({ ...document, ...(securityDefinitions && { securityDefinitions: {} }) }).toEqual(open);
  });
});

describe('docs/swagger.json', () => {
  const operation = (path: string, method: string) => swagger.paths[path][method];

  it('has the members of rule 28, in their order', () => {
    const members = ['swagger', 'info', 'basePath', 'paths', 'definitions', 'securityDefinitions'];
    expect(Object.keys(swagger)).toEqual(members);
    expect(swagger).toMatchObject({ swagger: '2.0', info: { version: 'v1' }, basePath: '/', securityDefinitions: {} });
    expect(Object.keys(swagger.paths)).toEqual([COLLECTION, ITEM]);
  });

  const json = ['application/json', 'text/json'];
  const items = ['text/plain', ...json];

  it.each([
    [COLLECTION, 'get', OPERATIONS.list, '200 400 500 503', [], items],
    [COLLECTION, 'post', OPERATIONS.create, '201 400 403 413 415 422 500 503 507', json, items],
    [ITEM, 'get', OPERATIONS.find, '200 304 400 404 412 500 503', [], items],
    [ITEM, 'put', OPERATIONS.replace, '204 400 403 404 412 413 415 500 503 507', json, []],
    [
      ITEM,
      'patch',
      OPERATIONS.patch,
      '204 400 403 404 412 413 415 500 503 507',
      [...json, 'application/merge-patch+json'],
      [],
    ],
    [ITEM, 'delete', OPERATIONS.remove, '204 400 403 404 412 500 503', [], []],
  ])('describes %s %s as %s', (path, method, operationId, statuses, consumes, produces) => {
    const { summary, parameters, responses, ...rest } = operation(path, method);
    expect(rest).toEqual({ tags: [TAG], operationId, consumes, produces, deprecated: false });
    expect(summary).toMatch(/^[A-Z][^.]{1,117}\.$/);
    expect(Object.keys(responses).join(' ')).toBe(statuses);
    expect(Object.keys(operation(path, method)).join(' ')).toBe(
      'tags summary operationId consumes produces parameters responses deprecated',
    );
    const title = `${SCHEMA.title}${method === 'patch' ? 'Patch' : ''}`;
    const body = { name: 'item', in: 'body', required: true, schema: { $ref: `#/definitions/${title}` } };
    const bodies = parameters.filter((parameter: { in: string }) => parameter.in === 'body');
    expect(bodies).toEqual(consumes.length > 0 ? [{ ...body, description: expect.any(String) }] : []);
  });

  it('describes parameters, with their limits and an example', () => {
    const described = { description: expect.any(String), required: false };
    expect(operation(COLLECTION, 'get').parameters).toEqual([
      { ...described, name: 'limit', in: 'query', type: 'integer', minimum: 1, maximum: 1000, 'x-example': 10 },
      { ...described, name: 'after', in: 'query', type: 'string', format: 'uuid', 'x-example': KEY },
    ]);
    const [id, match] = operation(ITEM, 'delete').parameters;
    const text = { in: 'path', description: 'The key of the item.', required: true, type: 'string' };
    expect(id).toEqual({ ...text, name: 'id', 'x-example': KEY });
    expect(match).toMatchObject({ name: 'If-Match', type: 'string' });
    expect(match.description).toMatch(/in quotes, .*; or \* for any/);
  });

  it('describes each answer, with its header fields', () => {
    const item = { $ref: `#/definitions/${SCHEMA.title}` };
    expect(operation(COLLECTION, 'get').responses[200]).toMatchObject({
      description: 'OK',
      schema: { type: 'array', items: item },
      headers: { Link: { type: 'string' } },
    });
    const created = operation(COLLECTION, 'post').responses[201];
    expect(created).toMatchObject({ description: 'Created', schema: item });
    expect(Object.keys(created.headers)).toEqual(['ETag', 'Location']);
    expect(operation(ITEM, 'delete').responses[204]).toEqual({ description: 'No Content' });
    expect(operation(ITEM, 'patch').responses[204]).toHaveProperty('headers.ETag');
  });

  it('describes the wire format of the item: key, name and isComplete, one of them required', () => {
    const { TodoItem, TodoItemPatch } = swagger.definitions;
    expect(Object.keys(TodoItem.properties)).toEqual(['key', 'name', 'isComplete']);
    expect(TodoItem).toMatchObject({ type: 'object', required: ['name'] });
    expect(TodoItem.properties).toMatchObject({
      key: { type: 'string', format: 'uuid' },
      name: { type: 'string', example: 'Walk the dog' },
      isComplete: { type: 'boolean', default: false },
    });
    expect(TodoItemPatch).not.toHaveProperty('required');
    expect(TodoItemPatch.properties).toMatchObject({ name: { type: 'string' }, isComplete: { 'x-nullable': true } });
    expect(TodoItemPatch.properties.name).not.toHaveProperty('x-nullable');
  });

  it('lets clients send the key, which PUT needs', () => {
    expect(swagger.definitions[SCHEMA.title].properties.key).not.toHaveProperty('readOnly');
    expect(operation(ITEM, 'put').parameters.at(-1).description).toContain('Its key is required here');
  });

  it('says how to correct a rejected request', () => {
    const { responses } = operation(ITEM, 'put');
    expect(responses[403].description).toContain('CORS_ORIGINS does not name that origin');
    expect(responses[413].description).toContain('larger than 1 MiB');
    expect(responses[503].headers['Retry-After'].type).toBe('integer');
    expect(swagger.definitions.Problem.description).toContain('application/problem+json');
  });

  it('has an example of each answer with content, and each is valid', () => {
    for (const [status, { schema, examples = {} }] of responsesOf(swagger)) {
      const type = Number(status) < 400 ? 'application/json' : 'application/problem+json';
      expect(Object.keys(examples)).toEqual(schema ? [type] : []);
      if (schema) expect(errorsOf(swaggerAjv, schema, examples[type])).toEqual([]);
    }
  });
});

describe('docs/openapi.json', () => {
  it('is in the format of OpenAPI 3.1, and says that nobody needs to authenticate', () => {
    expect(openApi).toMatchObject({ openapi: '3.1.0', info: swagger.info, servers: [{ url: '/' }], security: [] });
  });

  it('has the operations and statuses of the other document', () => {
    const statuses = (document: typeof openApi) =>
      operationsOf(document).map(({ operationId, responses }) => [operationId, ...Object.keys(responses)]);
    expect(Object.keys(openApi.paths)).toEqual(Object.keys(swagger.paths));
    expect(statuses(openApi)).toEqual(statuses(swagger));
  });

  it('has application/problem+json for every error, and JSON first for items, with a valid example', () => {
    for (const [status, { content }] of responsesOf(openApi)) {
      const items = content && ['application/json', 'text/json', 'text/plain'];
      expect(content && Object.keys(content)).toEqual(Number(status) >= 400 ? ['application/problem+json'] : items);
      for (const { schema, example } of Object.values<Content>(content ?? {}).slice(0, 1))
        expect(errorsOf(openApiAjv, schema, example)).toEqual([]);
    }
    expect(openApi.paths[ITEM].get.responses[304]).not.toHaveProperty('content');
  });

  it('requires every member of a returned item, forbids no value that is ignored, and lets null reset a member in a patch', () => {
    const { StoredTodoItem, TodoItem, TodoItemPatch, TodoItemPut } = openApi.components.schemas;
    expect(StoredTodoItem.required).toEqual(Object.keys(TodoItem.properties));
    expect(StoredTodoItem.properties.key.readOnly).toBe(true);
    expect(StoredTodoItem.properties.isComplete).not.toHaveProperty('default');
    expect(TodoItem.required).toEqual(['name']);
    const { key, ...others } = TodoItem.properties;
    expect(key).toEqual({ description: expect.stringContaining('POST and PATCH ignore it') });
    expect(TodoItemPut.required).toEqual(['key', 'name']);
    expect(TodoItemPut.properties).toEqual({
      key: { ...key, type: 'string', format: 'uuid', examples: [KEY] },
      ...others,
    });
    expect(TodoItem.properties.isComplete.allOf).toEqual([{ type: 'boolean', default: false, examples: [false] }]);
    expect(TodoItemPatch.properties.isComplete.type).toEqual(['boolean', 'null']);
  });

  it('has, in the wire format, an example of each parameter and body, and each is valid', () => {
    for (const { parameters, requestBody } of operationsOf(openApi)) {
      for (const { schema } of parameters ?? []) expect(errorsOf(openApiAjv, schema, schema.examples[0])).toEqual([]);
      for (const { schema, example } of Object.values<Content>(requestBody?.content ?? {}).slice(0, 1))
        expect(errorsOf(openApiAjv, schema, example)).toEqual([]);
    }
    const { parameters, requestBody } = openApi.paths[ITEM].put;
    const example = { name: 'Walk the dog', isComplete: false };
    expect(requestBody.content['application/json']).toEqual({
      schema: { $ref: '#/components/schemas/TodoItemPut' },
      example: { key: parameters[0].schema.examples[0], ...example },
    });
    expect(openApi.paths[COLLECTION].post.requestBody.content['application/json'].example).toEqual(example);
  });

  it('says which header fields are always there', () => {
    const { responses } = openApi.paths[COLLECTION].get;
    expect(responses[200].headers.Link.required).toBe(false);
    expect(responses[503].headers['Retry-After']).toMatchObject({ required: true, schema: { type: 'integer' } });
  });
});

interface Content {
  readonly schema: object;
  readonly example?: unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: each document has responses of its own type.
function responsesOf(document: typeof openApi): [status: string, response: any][] {
  return operationsOf(document).flatMap(({ responses }) => Object.entries(responses));
}

// biome-ignore lint/suspicious/noExplicitAny: each document has operations of its own type.
function operationsOf(document: typeof openApi): any[] {
  return Object.values<object>(document.paths).flatMap((methods) => Object.values(methods));
}

function errorsOf(ajv: Ajv, schema: object, value: unknown): unknown[] {
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')));
  return validate(value) ? [] : [validate.errors];
}
