import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import { describe, expect, it } from '@jest/globals';
import { generate } from '../../../docs/generate.js';
import { route } from '../../../shared/http/route.js';
import { readComments, readMemberComments } from '../../../shared/swagger/comments.js';
import { describeService } from '../../../shared/swagger/document.js';
import { todoItem } from '../../../shared/todo/item.js';

const committed = readFileSync('docs/swagger.json', 'utf8');
const document = JSON.parse(committed);
const operation = (path: string, method: string) => document.paths[path][method];

describe('docs/swagger.json', () => {
  it('is what the declarations and comments say: if this fails, run npm run docs', () => {
    if (generate() !== committed)
      throw new Error('docs/swagger.json is stale: run "npm run docs" and commit what it writes');
  });

  it('has the members that the specification lists', () => {
    expect(Object.keys(document)).toEqual([
      'swagger',
      'info',
      'basePath',
      'paths',
      'definitions',
      'securityDefinitions',
    ]);
    expect(document).toMatchObject({ swagger: '2.0', info: { version: 'v1' }, basePath: '/', securityDefinitions: {} });
    expect(Object.keys(document.paths)).toEqual(['/api/todo', '/api/todo/{id}']);
  });

  it.each([
    ['/api/todo', 'get', 'ApiTodoGet', ['200', '400', '500', '503']],
    ['/api/todo', 'post', 'ApiTodoPost', ['201', '400', '403', '413', '415', '500', '503', '507']],
    ['/api/todo/{id}', 'get', 'ApiTodoByIdGet', ['200', '304', '404', '412', '500', '503']],
    ['/api/todo/{id}', 'put', 'ApiTodoByIdPut', ['204', '400', '403', '404', '412', '413', '415', '500', '503', '507']],
    [
      '/api/todo/{id}',
      'patch',
      'ApiTodoByIdPatch',
      ['204', '400', '403', '404', '412', '413', '415', '500', '503', '507'],
    ],
    ['/api/todo/{id}', 'delete', 'ApiTodoByIdDelete', ['204', '403', '404', '412', '500', '503']],
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
    expect(described).toMatchObject({ tags: ['Todo'], operationId, deprecated: false });
    expect(described.summary).toMatch(/^[A-Z].*\.$/);
    expect(Object.keys(described.responses)).toEqual(statuses);
  });

  it('describes media types, parameters and answers as the contract has them', () => {
    const items = ['text/plain', 'application/json', 'text/json'];
    expect(operation('/api/todo', 'get').produces).toEqual(items);
    expect(operation('/api/todo', 'get').responses[200]).toEqual({
      description: 'OK',
      schema: { type: 'array', items: { $ref: '#/definitions/TodoItem' } },
      headers: { Link: expect.anything() },
    });
    expect(operation('/api/todo', 'get').parameters).toEqual([
      {
        name: 'limit',
        in: 'query',
        description: expect.any(String),
        required: false,
        type: 'integer',
        minimum: 1,
        maximum: 1000,
      },
      { name: 'after', in: 'query', description: expect.any(String), required: false, type: 'string' },
    ]);
    expect(operation('/api/todo', 'post').responses[201].description).toBe('Created');
    expect(Object.keys(operation('/api/todo', 'post').responses[201].headers)).toEqual(['ETag', 'Location']);
    expect(operation('/api/todo/{id}', 'put')).toMatchObject({
      consumes: ['application/json', 'text/json'],
      produces: [],
    });
    expect(operation('/api/todo/{id}', 'patch').consumes).toContain('application/merge-patch+json');
    const { parameters, responses } = operation('/api/todo/{id}', 'delete');
    expect(parameters[0]).toEqual({
      name: 'id',
      in: 'path',
      description: expect.any(String),
      required: true,
      type: 'string',
    });
    expect(responses[204]).toEqual({ description: 'No Content' });
  });

  it('describes the item with its required member, defaults, formats and an example', () => {
    const { TodoItem } = document.definitions;
    expect(TodoItem).toMatchObject({ type: 'object', required: ['name'] });
    expect(TodoItem.properties).toMatchObject({
      key: { type: 'string', format: 'uuid' },
      name: { type: 'string', example: 'Walk the dog' },
      isComplete: { type: 'boolean', default: false },
    });
    expect(Object.keys(TodoItem.properties)).toEqual(['key', 'name', 'isComplete']);
  });

  it('passes the validator', async () => {
    await expect(SwaggerParser.validate(structuredClone(document))).resolves.toHaveProperty('swagger', '2.0');
  });

  it('passes the linter without a warning', () => {
    const spectral = 'tests/node_modules/@stoplight/spectral-cli/dist/index.js';
    const options = ['lint', '--ruleset', 'tests/spectral.yml', '--fail-severity', 'hint', 'docs/swagger.json'];
    expect(execFileSync(process.execPath, [spectral, ...options]).toString()).toContain('No results');
  });
});

describe('the generator', () => {
  const folder = mkdtempSync(join(tmpdir(), 'todo-comments-'));

  /** Generates the document of one route, with a comment above its declaration. */
  function describeRoute(comment: string, declared: Partial<Parameters<typeof route>[0]> = {}): unknown {
    const file = join(folder, 'notes.ts');
    writeFileSync(file, `\n${comment}\nexport const getNote = route({});\n`);
    const declaration = route({
      method: 'GET',
      template: '/notes/{id:int}',
      answers: { 200: {}, 404: {} },
      ...declared,
      run,
    });
    const place = readComments(file).get('getNote');
    if (!place) throw new Error('the declaration was not found');
    const info = { version: 'v1', title: 'Notes', description: 'Keeps notes.' };
    return describeService(
      info,
      [{ declaration, comment: place }],
      todoItem,
      readMemberComments('shared/todo/item.ts', 'todoItem'),
    );
  }

  const run = () => ({ status: 200, headers: {} });
  const WHOLE = '/**\n * Gets a note.\n *\n * @param id - Its number.\n * @response 404 - There is none.\n */';

  it('takes facts from the declaration and words from the comment', () => {
    expect(describeRoute(WHOLE)).toHaveProperty(['paths', '/notes/{id}', 'get'], {
      tags: ['Notes'],
      summary: 'Gets a note.',
      operationId: 'NotesByIdGet',
      consumes: [],
      produces: [],
      parameters: [{ name: 'id', in: 'path', description: 'Its number.', required: true, type: 'string' }],
      responses: {
        200: { description: 'OK' },
        404: { description: 'There is none.', schema: { $ref: '#/definitions/Problem' } },
        500: { description: 'Internal Server Error', schema: { $ref: '#/definitions/Problem' } },
      },
      deprecated: false,
    });
  });

  it('puts the words of several lines on one', () => {
    const comment = WHOLE.replace('Gets a note.', 'Gets  a\n *\n *   note.');
    expect(describeRoute(comment)).toHaveProperty(['paths', '/notes/{id}', 'get', 'summary'], 'Gets a note.');
  });

  it('tells the members of one constant from those of another', () => {
    const file = join(folder, 'members.ts');
    const members = ['{\n/** First. */\na: 1 }', '{\n/** Second. */\na: 2,\n/** Third. */\nb: 3 }'];
    writeFileSync(file, `const one = ${members[0]};\nconst two = ${members[1]};\n`);
    const summaries = (constant: string) =>
      Array.from(readMemberComments(file, constant), ([name, { summary }]) => [name, summary]);
    expect(summaries('one')).toEqual([['a', 'First.']]);
    expect(summaries('two')).toEqual([
      ['a', 'Second.'],
      ['b', 'Third.'],
    ]);
  });

  it('names an operation at the root', () => {
    const described = describeRoute('/** Gets all. */', { template: '/', answers: { 200: {} } });
    expect(described).toHaveProperty(['paths', '/', 'get', 'tags'], ['Root']);
  });

  it.each([
    ['no summary', '', /notes\.ts:3: GET \/notes\/\{id:int\} needs a comment/],
    ['no summary but tags', '/** @param id - Its number. */', /notes\.ts:3: .* needs a comment/],
    ['a parameter without words', '/** Gets. */', /notes\.ts:3: .* needs a line "@param id - …"/],
    [
      'a status without words',
      '/**\n * Gets.\n * @param id - Its number.\n */',
      /notes\.ts:6: .* needs a line "@response 404 - …"/,
    ],
    [
      'a status that is not there',
      WHOLE.replace(' */', ' * @response 409 - No.\n */'),
      /notes\.ts:7: .* nothing that "@response 409" is about/,
    ],
    [
      'a parameter that is not there',
      WHOLE.replace(' */', ' * @param key - No.\n */'),
      /notes\.ts:7: .* nothing that "@param key" is about/,
    ],
    [
      'a tag that is none of ours',
      WHOLE.replace(' */', ' * @returns No.\n */'),
      /notes\.ts:7: .* nothing that "@returns No." is about/,
    ],
  ])('refuses %s, with file and line', (_name, comment, message) => {
    expect(() => describeRoute(comment)).toThrow(message);
  });

  it('refuses a member of the item without words', () => {
    const info = { version: 'v1', title: 'Notes', description: 'Keeps notes.' };
    expect(() => describeService(info, [], todoItem, new Map())).toThrow('TodoItem: the member key needs a comment');
  });
});
