import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readComments } from '../../../docs/generator/comments.js';
import { describeService } from '../../../docs/generator/describe.js';
import { toSwagger2 } from '../../../docs/generator/swagger2.js';
import type { AnyRoute } from '../../../shared/routing/route.js';
import { route } from '../../../shared/routing/route.js';
import type { ObjectSchema, PropertySchema } from '../../../shared/schema/schema.js';

const INFO = { version: 'v1', title: 'Notes', description: 'Keeps notes.' };
const file = join(mkdtempSync(join(tmpdir(), 'todo-comments-')), 'notes.ts');
const run = async () => ({ status: 200, headers: {} }) as const;
const KEY = {
  type: 'string',
  format: 'uuid',
  readOnly: true,
  example: '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47',
} as const;
const WHOLE = '/**\n * Gets a note.\n *\n * @param id - Its number.\n * @response 404 - Or there is none.\n */';

/** Describes what a file exports, its source code being what the comments are read from. */
function describeSource(source: string, exported: Record<string, unknown>) {
  writeFileSync(file, source);
  return describeService(INFO, [{ exported, comments: readComments(file) }]);
}

/** Writes both documents about one route, with a comment above its declaration. */
// biome-ignore lint/suspicious/noExplicitAny: the paths differ from test to test.
function describeRoute(comment: string, declared: Partial<AnyRoute> = {}): any {
  const answers = { 200: {}, 404: {} };
  const declaration = { ...route({ method: 'GET', template: '/notes/{id:int}', answers, run }), ...declared };
  const description = describeSource(`\n${comment}\nexport const getNote = route({});\n`, { getNote: declaration });
  return { ...description, ...toSwagger2(description) };
}

/** Describes a schema of a key and one other member, which stands on line 5. */
function describeMember(member: PropertySchema, comment = '/** Its text. */') {
  const source = `/** A note. */
export const note = { properties: {
/** Its key. */ key: {},
${comment}
text: {} } };
`;
  const note: ObjectSchema = { title: 'Note', properties: { key: KEY, text: member } };
  const comments = `${source}/** Lists. */ export const list = 0;\n/** Creates.\n * @param item - The note. */ export const create = 0;\n/** Changes.\n * @param item - The members. */ export const change = 0;\n`;
  const description = describeSource(comments, {
    note,
    list: { method: 'GET', template: '/notes', answers: { 200: { content: [note] } }, run },
    create: {
      method: 'POST',
      template: '/notes',
      body: { schema: note },
      answers: { 201: { content: note } },
      run,
    },
    change: {
      method: 'PATCH',
      template: '/notes',
      body: { schema: note, patch: true },
      answers: { 204: {} },
      run,
    },
  });
  return { swagger: toSwagger2(description), openApi: description };
}

describe('the generator', () => {
  it('takes types and statuses from the declaration, and descriptions from the comment', () => {
    const operation = describeRoute(WHOLE).paths['/notes/{id}'].get;
    expect(operation).toMatchObject({
      tags: ['Notes'],
      summary: 'Gets a note.',
      operationId: 'NotesByIdGet',
      consumes: [],
      produces: [],
      parameters: [{ name: 'id', in: 'path', description: 'Its number.', required: true, type: 'string' }],
      responses: { 200: { description: 'OK' } },
      deprecated: false,
    });
    expect(Object.keys(operation.responses)).toEqual(['200', '404', '500', '503']);
  });

  it('says what is the same for all operations of a kind, and then what the comment adds', () => {
    const { responses } = describeRoute(WHOLE).paths['/notes/{id}'].get;
    expect(responses[404].description).toBe('No item has this key. Or there is none.');
    expect(responses[500].description).toBe('The service has failed. Its log has the reason, under the requestId.');
  });

  it('warns of changes that may have been made only where one is', () => {
    const of = (method: AnyRoute['method']) =>
      describeRoute('/** Does it. */', { method, template: '/notes', answers: { 200: {} } }).paths['/notes'][
        method.toLowerCase()
      ];
    expect(of('GET').responses[503].description).not.toContain('may have been made');
    expect(of('DELETE').responses[503].description).toContain('the change may have been made');
    expect(Object.keys(of('DELETE').responses)).toEqual(['200', '403', '500', '503']);
  });

  it('shows problems as the service answers them', () => {
    const { responses } = describeRoute(WHOLE, { conditional: true }).paths['/notes/{id}'].get;
    const example = (status: number) => responses[status].examples['application/problem+json'];
    expect(example(400)).toMatchObject({ status: 400, detail: expect.stringContaining('entity tags are quoted: "1"') });
    expect(example(404)).toMatchObject({ title: 'Not Found', detail: expect.stringContaining('No item has this key') });
    expect(example(500)).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      requestId: expect.any(String),
    });
  });

  it('puts a summary of several lines on one', () => {
    const comment = WHOLE.replace('Gets a note.', 'Gets  a\n *\n *   note.');
    expect(describeRoute(comment).paths['/notes/{id}'].get.summary).toBe('Gets a note.');
  });

  it('names an operation at the root', () => {
    const { paths } = describeRoute('/** Gets all. */', { template: '/', answers: { 200: {} } });
    expect(paths['/'].get.tags).toEqual(['Root']);
  });

  it.each([
    ['no summary', '', /notes\.ts:3: GET \/notes\/\{id:int\} needs a comment/],
    ['no summary but tags', '/** @param id - Its number. */', /notes\.ts:3: .* needs a comment/],
    ['a long summary', WHOLE.replace('Gets', 'Gets '.repeat(23)), /notes\.ts:8: .* has 122 characters, not below 120/],
    ['a parameter without a description', '/** Gets. */', /notes\.ts:3: .* needs a line "@param id - …"/],
    [
      'a status that is not there',
      WHOLE.replace(' */', ' * @response 409 - No.\n */'),
      /notes\.ts:7: .* nothing that "@response 409" is about/,
    ],
    [
      'a description of its own for a success',
      WHOLE.replace(' */', ' * @response 200 - Fine.\n */'),
      /notes\.ts:7: .* nothing that "@response 200" is about/,
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

  it.each([
    ['/notes/{id}', [KEY.example]],
    ['/notes/{id:guid}', [KEY.example]],
    ['/notes/{id:int}', undefined],
  ])('has the example of a key in the path %s only if a key can be there', (template, examples) => {
    const note: ObjectSchema = { title: 'Note', properties: { key: KEY } };
    const getNote = route({ method: 'GET', template, answers: { 200: {}, 404: {} }, run });
    const source = `/** A note. */ const note = { properties: {\n/** Its key. */ key } };\n${WHOLE}\nconst getNote = 0;`;
    const { parameters } = describeSource(source, { note, getNote }).paths['/notes/{id}']?.get ?? {};
    expect(parameters?.[0]?.schema.examples).toEqual(examples);
  });

  it('refuses a route whose comment it does not find', () => {
    expect(() =>
      describeSource('', { getNote: route({ method: 'GET', template: '/', answers: { 200: {} }, run }) }),
    ).toThrow('getNote is not declared as a constant');
  });

  it('describes a boolean in the query, its example in each format in its own way', () => {
    const comment = '/**\n * Lists.\n * @param open - Whether it is open.\n */';
    const query = { open: { type: 'boolean', example: true } } as const;
    const answers = { 200: {} };
    const list = route({ method: 'GET', template: '/notes', query, answers, run });
    const document = describeSource(`${comment}\nconst list = 0;`, { list });
    const parameter = { name: 'open', in: 'query', description: 'Whether it is open.', required: false };
    expect(document.paths['/notes']?.get?.parameters).toEqual([
      { ...parameter, schema: { type: 'boolean', examples: [true] } },
    ]);
    expect(toSwagger2(document)).toHaveProperty('paths./notes.get.parameters', [
      { ...parameter, type: 'boolean', 'x-example': true },
    ]);
    expect(toSwagger2(document)).toHaveProperty('paths./notes.get.responses.400.examples.application/problem+json', {
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'The query is not valid; see errors.',
      requestId: expect.any(String),
      errors: [{ parameter: 'open', detail: 'Must be true or false, not "0".' }],
    });
  });

  it('refuses a wrong default of a query parameter, with file and line', () => {
    const query = { limit: { type: 'integer', minimum: 1, default: 0 } } as const;
    const comment = '/**\n * Lists.\n * @param limit - How many.\n */';
    expect(() => describeRoute(comment, { template: '/notes', query, answers: { 200: {} } })).toThrow(
      /notes\.ts:6: the default of the parameter limit is not valid: Must be an integer.* at least 1, not 0\./,
    );
  });
});

describe('a definition', () => {
  it.each<[string, PropertySchema, RegExp]>([
    [
      'default',
      { type: 'boolean', default: 'no' } as unknown as PropertySchema,
      /notes\.ts:5: the default of the member text is not valid: Must be true or false/,
    ],
    [
      'example',
      { type: 'integer', maximum: 5, example: 6 },
      /notes\.ts:5: the example of the member text is not valid: Must be an integer .*5, not 6/,
    ],
    [
      'backfill',
      { type: 'string', minLength: 1, backfill: '' },
      /notes\.ts:5: the backfill of the member text is not valid: Must be a string of at least 1/,
    ],
    [
      'default in an array',
      { type: 'array', items: { type: 'string', enum: ['a'] }, default: ['b'] },
      /notes\.ts:5: the default .*one of "a"/,
    ],
    [
      'pattern',
      { type: 'string', pattern: { expression: /a/i, description: 'an a' } },
      /notes\.ts:5: the pattern of the member text has flags/,
    ],
    [
      'pattern in an array',
      { type: 'array', items: { type: 'string', pattern: { expression: /a/i, description: 'an a' } } },
      /notes\.ts:5: the pattern of the member text has flags/,
    ],
  ])('refuses a wrong %s, with file and line', (_name, member, message) => {
    expect(() => describeMember(member)).toThrow(message);
  });

  it('refuses a member without a description, with file and line', () => {
    expect(() => describeMember({ type: 'string' }, '')).toThrow(/notes\.ts:5: the member text needs a comment/);
  });

  it('refuses a schema that is declared in another file than its comments', () => {
    const schema = { title: 'Note', properties: {} };
    const file = { exported: { note: schema }, comments: new Map() };
    expect(() => describeService(INFO, [file])).toThrow(/^note: Note needs a comment/);
  });

  it('admits null where null is a value or puts a default back, each format in its own way', () => {
    const { swagger, openApi } = describeMember({ type: 'string', enum: ['a', 'b'], default: 'a', example: 'b' });
    expect(swagger).toHaveProperty('definitions.NotePatch.properties.text', {
      description: 'Its text.',
      type: 'string',
      enum: ['a', 'b'],
      example: 'b',
      'x-nullable': true,
    });
    expect(openApi).toHaveProperty('components.schemas.NotePatch.properties.text', {
      description: 'Its text.',
      type: ['string', 'null'],
      enum: ['a', 'b', null],
      examples: ['b'],
    });
    const nullable = describeMember({ type: 'integer', nullable: true, default: null });
    expect(nullable.openApi).toHaveProperty('components.schemas.StoredNote.properties.text.type', ['integer', 'null']);
    expect(nullable.openApi).toHaveProperty('components.schemas.NotePatch.properties.text.type', ['integer', 'null']);
    expect(nullable.swagger).toHaveProperty('definitions.Note.properties.text.x-nullable', true);
  });

  it('describes the elements of an array', () => {
    const items = { type: 'string', pattern: { expression: /^\S+$/, description: 'no white space' } } as const;
    const { openApi } = describeMember({ type: 'array', items, uniqueItems: true, default: [] });
    expect(openApi).toHaveProperty('components.schemas.StoredNote.properties.text', {
      description: 'Its text.',
      type: 'array',
      items: { type: 'string', pattern: '^\\S+$' },
      uniqueItems: true,
    });
  });

  it('keeps a default away from generators that would take the member for required', () => {
    const { swagger, openApi } = describeMember({ type: 'array', items: { type: 'string' }, default: [] });
    const array = { type: 'array', items: { type: 'string' }, default: [] };
    expect(openApi).toHaveProperty('components.schemas.Note.properties.text', {
      description: 'Its text.',
      allOf: [array],
    });
    expect(swagger).toHaveProperty('definitions.Note.properties.text', { description: 'Its text.', ...array });
  });

  it('has one name in Swagger 2.0, also where items are only answered', () => {
    const key = { type: 'string', format: 'uuid', readOnly: true } as const;
    const note: ObjectSchema = { title: 'Note', properties: { key } };
    const list = route({ method: 'GET', template: '/notes', answers: { 200: { content: [note] } }, run });
    const source = `/** A note. */ const note = { properties: {\n/** Its key. */ key } };\n/** Lists. */ const list = 0;`;
    const document = describeSource(source, { note, list });
    expect(Object.keys(document.components.schemas)).toEqual(['StoredNote', 'Problem']);
    expect(toSwagger2(document)).toMatchObject({
      paths: { '/notes': { get: { responses: { 200: { schema: { items: { $ref: '#/definitions/Note' } } } } } } },
      definitions: { Note: { required: ['key'] }, Problem: {} },
    });
  });

  it('makes an example of an item only where each member has one', () => {
    const example = (member: PropertySchema) =>
      // biome-ignore lint/suspicious/noExplicitAny: the writer gives an object.
      (describeMember(member).swagger as any).paths['/notes'].get.responses[200].examples;
    const key = '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47';
    expect(example({ type: 'string', example: 'Milk' })).toEqual({ 'application/json': [{ key, text: 'Milk' }] });
    expect(example({ type: 'boolean', default: false })).toEqual({ 'application/json': [{ key, text: false }] });
    expect(example({ type: 'string', nullable: true, default: null })).toEqual({
      'application/json': [{ key, text: null }],
    });
    expect(example({ type: 'string' })).toBeUndefined();
  });

  it('has no example of a 400 that only the operation itself can explain', () => {
    const comment = '/**\n * Gets a note.\n *\n * @param id - Its id.\n * @response 400 - It is Monday.\n */';
    const { paths } = describeRoute(comment, { answers: { 200: {}, 400: {} } });
    const { description, examples } = paths['/notes/{id}'].get.responses[400];
    expect(description).toBe('It is Monday.');
    expect(examples).toBeUndefined();
  });

  it('shows a missing body where no member can be wrong in a patch', () => {
    // biome-ignore lint/suspicious/noExplicitAny: the writer gives an object.
    const { paths } = describeMember({ type: 'boolean', default: false }).swagger as any;
    expect(paths['/notes'].post.responses[400].examples['application/problem+json'].detail).toMatch(
      /^The body is missing/,
    );
  });

  it('tells the members of one constant from those of another', () => {
    writeFileSync(
      file,
      'const one = {\n/** First. */\na: 1 };\nconst two = {\n/** Second. */\na: 2,\n/** Third. */\nb: 3 };\n',
    );
    const summaries = Array.from(readComments(file), ([name, { summary }]) => [name, summary]);
    expect(summaries).toEqual([
      ['one', ''],
      ['one.a', 'First.'],
      ['two', ''],
      ['two.a', 'Second.'],
      ['two.b', 'Third.'],
    ]);
  });

  it('has members under quoted names, too, and none for what else an object holds', () => {
    writeFileSync(
      file,
      "export const one = {\n/** First. */\n'a-b': 1,\n/** No. */\n...two,\n/** No. */\nrun() {} };\n",
    );
    expect(Array.from(readComments(file).keys())).toEqual(['one', 'one.a-b']);
  });
});
