import { readFileSync } from 'node:fs';
import SwaggerParser from '@apidevtools/swagger-parser';
import { describe, expect, it } from '@jest/globals';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { generate } from '../../../docs/generate.js';
import { withNulls } from '../../support/service/matches-document.js';
import { COLLECTION, OPERATIONS, SCHEMA } from '../../support/service/resource.js';

const swagger = JSON.parse(readFileSync('docs/swagger.json', 'utf8'));
const openApi = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
/** In all examples it is the same, so that a PUT with them has the key of its path. */
const KEY = SCHEMA.properties.key.example;
const ITEM = `${COLLECTION}/{id}`;
const TAG = OPERATIONS.list.replace(/^Api(.*)Get$/, '$1');
const operation = (path: string, method: string) => swagger.paths[path][method];

describe.each(Object.entries(generate()))('%s', (file, generated) => {
  const document = JSON.parse(generated);

  it('is what the declarations and comments say: if this fails, run npm run docs', () => {
    if (readFileSync(file, 'utf8') !== generated)
      throw new Error(`${file} is stale: run "npm run docs" and commit what it writes`);
  });

  it('is the same when it is generated again', () => {
    expect(generate()[file]).toBe(generated);
  });

  it('passes the validator', async () => {
    await expect(SwaggerParser.validate(structuredClone(document))).resolves.toHaveProperty('info.version', 'v1');
  });

  it('is small for the operations that it has', () => {
    const operations = Object.values<object>(document.paths).flatMap((methods) => Object.values(methods));
    expect(JSON.stringify(document).length / operations.length).toBeLessThan(6_000);
  });

  it('defines what it refers to, and nothing else', () => {
    const references = new Set(Array.from(generated.matchAll(/"\$ref": "(.*)"/g), ([, pointer]) => pointer));
    const defined = document.definitions
      ? Object.keys(document.definitions).map((name) => `#/definitions/${name}`)
      : Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect([...references].sort()).toEqual(defined.sort());
  });
});

describe('docs/swagger.json', () => {
  it('has the members of rule 28, in their order', () => {
    expect(Object.keys(swagger)).toEqual([
      'swagger',
      'info',
      'basePath',
      'paths',
      'definitions',
      'securityDefinitions',
    ]);
    expect(swagger).toMatchObject({ swagger: '2.0', info: { version: 'v1' }, basePath: '/', securityDefinitions: {} });
    expect(Object.keys(swagger.paths)).toEqual([COLLECTION, ITEM]);
  });

  it.each([
    [COLLECTION, 'get', OPERATIONS.list, '200 400 500 503'],
    [COLLECTION, 'post', OPERATIONS.create, '201 400 403 413 415 422 500 503 507'],
    [ITEM, 'get', OPERATIONS.find, '200 304 400 404 412 500 503'],
    [ITEM, 'put', OPERATIONS.replace, '204 400 403 404 412 413 415 500 503 507'],
    [ITEM, 'patch', OPERATIONS.patch, '204 400 403 404 412 413 415 500 503 507'],
    [ITEM, 'delete', OPERATIONS.remove, '204 400 403 404 412 500 503'],
  ])('describes %s %s as %s', (path, method, operationId, statuses) => {
    const described = operation(path, method);
    expect(Object.keys(described)).toEqual([
      'tags',
      'summary',
      'operationId',
      'consumes',
      'produces',
      'parameters',
      'responses',
      'deprecated',
    ]);
    expect(described).toMatchObject({ tags: [TAG], operationId, deprecated: false });
    expect(described.summary).toMatch(/^[A-Z][^.]{1,117}\.$/);
    expect(Object.keys(described.responses).join(' ')).toBe(statuses);
  });

  it('describes the list, with its parameters', () => {
    const { produces, consumes, responses, parameters } = operation(COLLECTION, 'get');
    expect([consumes, produces]).toEqual([[], ['text/plain', 'application/json', 'text/json']]);
    expect(responses[200]).toMatchObject({
      description: 'OK',
      schema: { type: 'array', items: { $ref: `#/definitions/${SCHEMA.title}` } },
      headers: { Link: { type: 'string' } },
    });
    const description = expect.any(String);
    expect(parameters).toEqual([
      {
        name: 'limit',
        in: 'query',
        description,
        required: false,
        type: 'integer',
        minimum: 1,
        maximum: 1000,
        'x-example': 10,
      },
      { name: 'after', in: 'query', description, required: false, type: 'string', format: 'uuid', 'x-example': KEY },
    ]);
  });

  it('describes bodies, with their media types', () => {
    const item = { name: 'item', in: 'body', description: expect.any(String), required: true };
    const whole = { ...item, schema: { $ref: `#/definitions/${SCHEMA.title}` } };
    const patch = { ...item, schema: { $ref: `#/definitions/${SCHEMA.title}Patch` } };
    const json = ['application/json', 'text/json'];
    const items = ['text/plain', 'application/json', 'text/json'];
    expect(operation(COLLECTION, 'post')).toMatchObject({ consumes: json, produces: items });
    expect(operation(COLLECTION, 'post').parameters).toContainEqual(whole);
    expect(operation(ITEM, 'put')).toMatchObject({ consumes: json, produces: [] });
    expect(operation(ITEM, 'put').parameters).toContainEqual(whole);
    const patching = operation(ITEM, 'patch');
    expect(patching).toMatchObject({ consumes: [...json, 'application/merge-patch+json'], produces: [] });
    expect(patching.parameters).toContainEqual(patch);
  });

  it('describes what creates, changes and deletes', () => {
    const created = operation(COLLECTION, 'post').responses[201];
    expect(created).toMatchObject({ description: 'Created', schema: { $ref: `#/definitions/${SCHEMA.title}` } });
    expect(Object.keys(created.headers)).toEqual(['ETag', 'Location']);
    const { parameters, responses, produces, consumes } = operation(ITEM, 'delete');
    expect(parameters[0]).toEqual({
      name: 'id',
      in: 'path',
      description: 'The key of the item.',
      required: true,
      type: 'string',
      'x-example': KEY,
    });
    expect([consumes, produces]).toEqual([[], []]);
    expect(responses[204]).toEqual({ description: 'No Content' });
    expect(operation(ITEM, 'patch').responses[204]).toHaveProperty('headers.ETag');
  });

  it('describes the wire format of the item, with its required member, defaults, formats and an example', () => {
    const { TodoItem, TodoItemPatch } = swagger.definitions;
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

  it('gives the item the members of the wire format, in its order: key, name, isComplete', () => {
    expect(Object.keys(swagger.definitions.TodoItem.properties)).toEqual(['key', 'name', 'isComplete']);
  });

  it('lets clients send the key, which PUT needs', () => {
    expect(swagger.definitions[SCHEMA.title].properties.key).not.toHaveProperty('readOnly');
    const [, , , item] = operation(ITEM, 'put').parameters;
    expect(item.description).toContain('Its key is required here');
  });

  it('says how refused requests can be admitted', () => {
    const { parameters, responses } = operation(ITEM, 'put');
    expect(responses[403].description).toContain('unless CORS_ORIGINS names it');
    expect(responses[413].description).toContain('larger than 1 MiB');
    expect(responses[503].headers['Retry-After'].type).toBe('integer');
    expect(parameters[1]).toMatchObject({ name: 'If-Match', type: 'string' });
    expect(parameters[1].description).toMatch(/in quotes .*; or \* for any/);
    expect(swagger.definitions.Problem.description).toContain('application/problem+json');
  });

  it('has an example of each answer with content, and each is valid', () => {
    const ajv = addFormats.default(new Ajv({ strict: false })).addSchema(withNulls(swagger), 'document');
    for (const [status, { schema, examples }] of responsesOf(swagger)) {
      expect(Object.keys(examples ?? {})).toEqual(
        schema ? [Number(status) < 400 ? 'application/json' : 'application/problem+json'] : [],
      );
      if (schema) expect(errorsOf(ajv, schema, Object.values(examples)[0])).toEqual([]);
    }
  });
});

describe('docs/openapi.json', () => {
  it('is in the format of OpenAPI 3.1, and says that nobody needs to authenticate', () => {
    expect(openApi).toMatchObject({ openapi: '3.1.0', info: swagger.info, servers: [{ url: '/' }], security: [] });
  });

  it('has the operations and statuses of the other document', () => {
    const statuses = (document: typeof openApi) =>
      Object.entries<object>(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { operationId, responses }]) => {
          return [path, method, operationId, ...Object.keys(responses)];
        }),
      );
    expect(statuses(openApi)).toEqual(statuses(swagger));
  });

  it('has application/problem+json for every error, and JSON first for items', () => {
    for (const [status, { content }] of responsesOf(openApi)) {
      if (Number(status) >= 400) expect(Object.keys(content)).toEqual(['application/problem+json']);
      else if (content) expect(Object.keys(content)).toEqual(['application/json', 'text/json', 'text/plain']);
    }
    expect(openApi.paths[ITEM].get.responses[304]).not.toHaveProperty('content');
  });

  it('has, in the wire format, an item with every member for what comes back, and null for what a patch resets', () => {
    const { StoredTodoItem, TodoItem, TodoItemPatch, TodoItemPut } = openApi.components.schemas;
    expect(StoredTodoItem.required).toEqual(Object.keys(TodoItem.properties));
    expect(StoredTodoItem.properties.key.readOnly).toBe(true);
    expect(StoredTodoItem.properties.isComplete).not.toHaveProperty('default');
    expect(TodoItem.required).toEqual(['name']);
    expect(TodoItemPut).toMatchObject({ required: ['key', 'name'], properties: TodoItem.properties });
    expect(TodoItem.properties.isComplete.allOf).toEqual([{ type: 'boolean', default: false, examples: [false] }]);
    expect(TodoItemPatch.properties.isComplete.type).toEqual(['boolean', 'null']);
  });

  it('has, in the wire format, an example of each parameter and body, and each is valid', () => {
    const ajv = addFormats.default(new Ajv2020({ strict: false })).addSchema(openApi, 'document');
    for (const { parameters, requestBody } of operationsOf(openApi)) {
      for (const { schema } of parameters ?? []) expect(errorsOf(ajv, schema, schema.examples[0])).toEqual([]);
      for (const { schema, example } of Object.values<Content>(requestBody?.content ?? {}).slice(0, 1))
        expect(errorsOf(ajv, schema, example)).toEqual([]);
    }
    const { parameters, requestBody } = openApi.paths[ITEM].put;
    expect(requestBody.content['application/json']).toEqual({
      schema: { $ref: '#/components/schemas/TodoItemPut' },
      example: { key: parameters[0].schema.examples[0], name: 'Walk the dog', isComplete: false },
    });
    const { post } = openApi.paths[COLLECTION];
    expect(post.requestBody.content['application/json'].example).toEqual({ name: 'Walk the dog', isComplete: false });
  });

  it('says which header fields are always there', () => {
    const { responses } = openApi.paths[COLLECTION].get;
    expect(responses[200].headers.Link.required).toBe(false);
    expect(responses[503].headers['Retry-After']).toMatchObject({ required: true, schema: { type: 'integer' } });
  });

  it('has an example of each answer with content, and each is valid', () => {
    const ajv = addFormats.default(new Ajv2020({ strict: false })).addSchema(openApi, 'document');
    for (const [, { content = {} }] of responsesOf(openApi)) {
      const [first] = Object.values<Content>(content);
      if (first) expect(errorsOf(ajv, first.schema, first.example)).toEqual([]);
    }
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
