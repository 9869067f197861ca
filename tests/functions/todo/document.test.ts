import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const swagger = JSON.parse(readFileSync('docs/swagger.json', 'utf8'));
const openApi = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
/** All examples have the same key, so that a PUT made of them has the key of its path. */
const KEY = '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47';

describe('docs/swagger.json', () => {
  const operation = (path: string, method: string) => swagger.paths[path][method];

  it('describes to-do items under two paths', () => {
    expect(swagger.info).toEqual({
      version: 'v1',
      title: 'To-do Item Service',
      description: 'Keeps a list of to-do items: create, read, list, replace, change and delete them.',
    });
    expect(Object.keys(swagger.paths).filter((path) => /^\/api\/todo(\/|$)/.test(path))).toEqual([
      '/api/todo',
      '/api/todo/{id}',
    ]);
  });

  const json = ['application/json', 'text/json'];
  const patch = [...json, 'application/merge-patch+json'];
  const items = ['text/plain', ...json];

  it.each([
    ['/api/todo', 'get', 'ApiTodoGet', '200 304 400 412 500 503', [], items],
    ['/api/todo', 'post', 'ApiTodoPost', '201 400 403 413 415 422 500 503 507', json, items],
    ['/api/todo/{id}', 'get', 'ApiTodoByIdGet', '200 304 400 404 412 500 503', [], items],
    ['/api/todo/{id}', 'put', 'ApiTodoByIdPut', '204 400 403 404 412 413 415 500 503 507', json, []],
    ['/api/todo/{id}', 'patch', 'ApiTodoByIdPatch', '204 400 403 404 412 413 415 500 503 507', patch, []],
    ['/api/todo/{id}', 'delete', 'ApiTodoByIdDelete', '204 400 403 404 412 500 503', [], []],
  ])('describes %s %s as %s', (path, method, operationId, statuses, consumes, produces) => {
    const { summary, parameters, responses, ...rest } = operation(path, method);
    expect(rest).toEqual({ tags: ['Todo'], operationId, consumes, produces, deprecated: false });
    expect(summary).toMatch(/^[A-Z][^.]{1,117}\.$/);
    expect(Object.keys(responses).join(' ')).toBe(statuses);
    expect(Object.keys(operation(path, method)).join(' ')).toBe(
      'tags summary operationId consumes produces parameters responses deprecated',
    );
    const schema = { $ref: `#/definitions/${method === 'patch' ? 'TodoItemPatch' : 'TodoItem'}` };
    const body = { name: 'item', in: 'body', required: true, schema, description: expect.any(String) };
    const bodies = parameters.filter((parameter: { in: string }) => parameter.in === 'body');
    expect(bodies).toEqual(consumes.length > 0 ? [body] : []);
  });

  it('describes parameters, with their limits, and an example in the path alone, because Swagger UI sends it', () => {
    const described = { description: expect.any(String), required: false };
    const conditional = { ...described, in: 'header', type: 'string' };
    expect(operation('/api/todo', 'get').parameters).toEqual([
      { ...described, name: 'isComplete', in: 'query', type: 'boolean' },
      { ...described, name: 'limit', in: 'query', type: 'integer', minimum: 1, maximum: 1000 },
      { ...described, name: 'after', in: 'query', type: 'string', format: 'uuid' },
      { ...conditional, name: 'If-Match' },
      { ...conditional, name: 'If-None-Match' },
    ]);
    const [id, ...conditions] = operation('/api/todo/{id}', 'delete').parameters;
    const text = { in: 'path', description: 'The key of the item.', required: true, type: 'string' };
    expect(id).toEqual({ ...text, name: 'id', 'x-example': KEY });
    const field = { in: 'header', required: false, type: 'string' };
    expect(conditions).toEqual([
      { ...field, name: 'If-Match', description: expect.stringContaining('as in "1"') },
      { ...field, name: 'If-None-Match', description: expect.stringContaining('as in "1"') },
    ]);
    const [key] = operation('/api/todo', 'post').parameters;
    expect(key).toEqual({
      ...field,
      name: 'Idempotency-Key',
      description: expect.stringMatching(/as in "[\da-f-]{36}"/),
    });
  });

  it('describes each success, with its header fields', () => {
    const schema = { $ref: '#/definitions/TodoItem' };
    const responses = ({ get, post }: typeof swagger) => [get?.responses[200], post?.responses[201]];
    expect(responses(swagger.paths['/api/todo'])).toMatchObject([
      { description: 'OK', schema: { type: 'array', items: schema }, headers: { Link: { type: 'string' } } },
      { description: 'Created', schema, headers: { ETag: { type: 'string' }, Location: { type: 'string' } } },
    ]);
    expect(operation('/api/todo/{id}', 'delete').responses[204]).toEqual({ description: 'No Content' });
    expect(operation('/api/todo/{id}', 'patch').responses[204]).toHaveProperty('headers.ETag');
  });

  it('describes the item: key, name and isComplete, one of them required', () => {
    const { TodoItem, TodoItemPatch } = swagger.definitions;
    expect(Object.keys(TodoItem.properties)).toEqual(['key', 'name', 'isComplete']);
    expect(TodoItem).toMatchObject({ type: 'object', required: ['name'] });
    expect(TodoItem.properties).toMatchObject({
      key: { type: 'string', format: 'uuid' },
      name: { type: 'string', example: 'Walk the dog' },
      isComplete: { type: 'boolean', default: false },
    });
    // PUT needs the key.
    expect(TodoItem.properties.key).not.toHaveProperty('readOnly');
    for (const { name } of [TodoItem.properties, TodoItemPatch.properties])
      expect(name.pattern).toBe('[^\\t-\\r \\x85\\xA0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u3000]');
    expect(TodoItemPatch).not.toHaveProperty('required');
    expect(TodoItemPatch.properties.isComplete).toHaveProperty('x-nullable', true);
    expect(TodoItemPatch.properties.name).not.toHaveProperty('x-nullable');
  });
});

it('docs/openapi.json requires every member of a returned item, forbids no value that is ignored, and lets null reset a member in a patch', () => {
  const { StoredTodoItem, TodoItem, TodoItemPatch, TodoItemPut } = openApi.components.schemas;
  expect(StoredTodoItem.required).toEqual(['key', 'name', 'isComplete']);
  expect(StoredTodoItem.properties.key.readOnly).toBe(true);
  expect(StoredTodoItem.properties.isComplete).not.toHaveProperty('default');
  expect(TodoItem.required).toEqual(['name']);
  const { key, ...others } = TodoItem.properties;
  expect(key).toEqual({ description: expect.stringContaining('POST and PATCH ignore it') });
  expect(TodoItemPut.required).toEqual(['key', 'name']);
  const sent = { ...key, type: 'string', format: 'uuid', examples: [KEY] };
  expect(TodoItemPut.properties).toEqual({ key: sent, ...others });
  expect(TodoItem.properties.isComplete.allOf).toEqual([{ type: 'boolean', default: false, examples: [false] }]);
  expect(TodoItemPatch.properties.isComplete.type).toEqual(['boolean', 'null']);
});
