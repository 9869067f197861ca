import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { describeService } from '../../../docs/generator/describe.js';
import { readComments } from '../../../docs/generator/read-comments.js';
import { toSwagger2 } from '../../../docs/generator/swagger2.js';
import { type AnyRoute, route } from '../../../shared/routing/route.js';
import type { ObjectSchema, PropertySchema } from '../../../shared/schema/schema.js';
import { asJsonSchema } from '../../support/service/matches-document.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const INFO = { version: 'v1', title: 'Notes', description: 'Keeps notes.' };
const file = join(temporaryFolder(), 'notes.ts');
const run = async () => ({ status: 200, headers: {} }) as const;
const example = '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47';
const KEY = { type: 'string', format: 'uuid', readOnly: true, example } as const;
const COMMENT = '/**\n * Gets a note.\n *\n * @param id - Its number.\n * @response 404 - Or there is none.\n */';

/** The comment with one line more. */
const withLine = (line: string) => COMMENT.replace(' */', ` * ${line}\n */`);

/** A document in each format, or a part of it. */
// biome-ignore lint/suspicious/noExplicitAny: what is in it differs from test to test.
type Documents = Readonly<Record<'openApi' | 'swagger', any>>;

/** Describes what a file exports. The comments are read from its source code. */
function describeSource(source: string, exported: Record<string, unknown>): Documents {
  writeFileSync(file, source);
  const openApi = describeService(INFO, [{ exported, comments: readComments(file) }]);
  return { openApi, swagger: toSwagger2(openApi) };
}

/** Describes a route, with a comment above its declaration, in each format. */
function describeRoute(comment: string, declared: Partial<AnyRoute> = {}): Documents {
  const answers = { 200: {}, 404: {} };
  const only = { ...route({ method: 'GET', template: '/notes/{id:int}', answers, run }), ...declared };
  const { openApi, swagger } = describeSource(`\n${comment}\nexport const only = route({});\n`, { only });
  const operationIn = ({ paths }: Record<string, object>) => Object.values(Object.values(paths as object)[0])[0];
  return { openApi: operationIn(openApi), swagger: operationIn(swagger) };
}

/** Describes a schema of a key and one other member, which is on line 5, and the routes that use it. */
function describeMember(text: PropertySchema, comment = '/** Its text. */'): Documents {
  const note: ObjectSchema = { title: 'Note', properties: { key: KEY, text } };
  const source = `/** A note. */
export const note = { properties: {
/** Its key. */ key: {},
${comment}
text: {} } };
/** Lists. */ export const list = 0;
/** Creates.
 * @param item - The note. */ export const create = 0;
/** Changes.
 * @param item - The members. */ export const change = 0;`;
  const at = { template: '/notes', run };
  return describeSource(source, {
    note,
    list: { ...at, method: 'GET', answers: { 200: { content: [note] } } },
    create: { ...at, method: 'POST', body: { schema: note }, answers: { 201: { content: note } } },
    change: { ...at, method: 'PATCH', body: { schema: note, patch: true }, answers: { 204: {} } },
  });
}

describe('the generator', () => {
  it('takes types and statuses from the declaration, and descriptions from the comment', () => {
    const { swagger } = describeRoute(COMMENT.replace('Gets a note.', 'Gets  a\n *\n *   note.'));
    expect(swagger).toMatchObject({
      tags: ['Notes'],
      summary: 'Gets a note.',
      operationId: 'NotesByIdGet',
      consumes: [],
      produces: [],
      parameters: [{ name: 'id', in: 'path', description: 'Its number.', required: true, type: 'string' }],
      deprecated: false,
    });
    const descriptions = Object.entries<{ description: string }>(swagger.responses);
    expect(descriptions.map(([status, { description }]) => [status, description])).toEqual([
      ['200', 'OK'],
      ['404', 'No item has this key. Or there is none.'],
      ['500', 'The service failed; its log has the reason under the requestId.'],
      ['503', expect.not.stringContaining('may have been made')],
    ]);
  });

  it('warns that the change may have been made, and of pages of other origins, where an operation writes', () => {
    const { responses, tags } = describeRoute('/** Deletes all. */', {
      method: 'DELETE',
      template: '/',
      answers: { 200: {} },
    }).swagger;
    expect(tags).toEqual(['Root']);
    expect(Object.keys(responses)).toEqual(['200', '403', '500', '503']);
    expect(responses[503].description).toContain('the change may have been made');
  });

  it('shows problems as the service answers them', () => {
    const { responses } = describeRoute(COMMENT, { conditional: true }).swagger;
    const detailOf = (status: number) => responses[status].examples['application/problem+json'].detail;
    expect(detailOf(400)).toContain('entity tags must be in quotes, as in "1"');
    expect(detailOf(404)).toContain('No item has this key');
    expect(responses[500].examples['application/problem+json']).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      requestId: expect.any(String),
    });
  });

  it('has no example of a 400 that only the operation itself can explain', () => {
    const comment = COMMENT.replace('404 - Or there is none.', '400 - It is Monday.');
    const { responses } = describeRoute(comment, { answers: { 200: {}, 400: {} } }).swagger;
    expect(responses[400].description).toBe('It is Monday.');
    expect(responses[400]).not.toHaveProperty('examples');
  });

  it.each([
    ['no summary', '', /notes\.ts:3: GET \/notes\/\{id:int\} needs a comment/],
    ['no TSDoc comment', '/* Gets a note. */', /notes\.ts:3: .* needs a comment/],
    ['no summary but tags', '/** @param id - Its number. */', /notes\.ts:3: .* needs a comment/],
    [
      'a long summary',
      COMMENT.replace('a', 'x '.repeat(55)),
      /notes\.ts:8: .* has 120 characters, but must have fewer/,
    ],
    ['a parameter without a description', '/** Gets. */', /notes\.ts:3: .* needs a line "@param id - …"/],
    ['another parameter', withLine('@param key - No.'), /notes\.ts:7: "@param key" describes nothing/],
    ['another status', withLine('@response 409 - No.'), /notes\.ts:7: "@response 409" describes nothing/],
    ['a text about a success', withLine('@response 200 - Fine.'), /notes\.ts:7: "@response 200" describes nothing/],
    ['a tag that is none of ours', withLine('@returns No.'), /notes\.ts:7: "@returns No." describes nothing/],
  ])('rejects %s, with file and line', (_name, comment, message) => {
    expect(() => describeRoute(comment)).toThrow(message);
  });

  it('rejects a wrong default of a query parameter, with file and line', () => {
    const query = { limit: { type: 'integer', minimum: 1, default: 0 } } as const;
    const message = /notes\.ts:9: the default of the parameter limit is not valid: Must be .* at least 1; got 0\./;
    expect(() => describeRoute(withLine('@param limit - How many.'), { query })).toThrow(message);
  });

  it('rejects a route whose comment it does not find', () => {
    const getNote = route({ method: 'GET', template: '/', answers: { 200: {} }, run });
    expect(() => describeSource('', { getNote })).toThrow('getNote is not declared as a constant');
  });

  it.each([
    ['/notes/{id}', [example]],
    ['/notes/{id:guid}', [example]],
    ['/notes/{id:int}', undefined],
  ])('has a key as the example of {id} in the path %s only if a key matches', (template, examples) => {
    const note: ObjectSchema = { title: 'Note', properties: { key: KEY } };
    const getNote = route({ method: 'GET', template, answers: { 200: {}, 404: {} }, run });
    const source = `/** A note. */ const note = { properties: {\n/** Its key. */ key } };\n${COMMENT}\nconst getNote = 0;`;
    const { parameters } = describeSource(source, { note, getNote }).openApi.paths['/notes/{id}'].get;
    expect(parameters[0].schema.examples).toEqual(examples);
  });

  it('describes a boolean query parameter, with its default, and its example where each format has it', () => {
    const query = { open: { type: 'boolean', default: false, example: true } } as const;
    const comment = '/**\n * Lists.\n * @param open - Whether it is open.\n */';
    const { openApi, swagger } = describeRoute(comment, { template: '/notes', query, answers: { 200: {} } });
    const parameter = { name: 'open', in: 'query', description: 'Whether it is open.', required: false };
    expect(openApi.parameters).toEqual([
      { ...parameter, schema: { type: 'boolean', default: false, examples: [true] } },
    ]);
    expect(swagger.parameters).toEqual([{ ...parameter, type: 'boolean', default: false, 'x-example': true }]);
    expect(swagger.responses[400].examples['application/problem+json']).toMatchObject({
      detail: 'The query is not valid; see errors.',
      errors: [{ parameter: 'open', detail: 'Must be true or false; got "0".' }],
    });
  });
});

describe('a definition', () => {
  const withFlags = { type: 'string', pattern: { expression: /a/i, description: 'an a' } } as const;
  const oneOfA = { type: 'string', enum: ['a'] } as const;

  it.each<[string, PropertySchema, RegExp]>([
    ['default', { type: 'boolean', default: 'no' as never }, /the default .* is not valid: Must be true or false/],
    ['example', { type: 'integer', maximum: 5, example: 6 }, /the example .* is not valid: Must be .*5; got 6/],
    ['backfill', { type: 'string', minLength: 1, backfill: '' }, /the backfill .* is not valid: .* at least 1/],
    ['default in an array', { type: 'array', items: oneOfA, default: ['b'] }, /the default .*one of "a"/],
    ['pattern', withFlags, /the pattern of the member text has flags/],
    ['pattern in an array', { type: 'array', items: withFlags }, /the pattern of the member text has flags/],
  ])('rejects a wrong %s, with file and line', (_name, member, message) => {
    expect(() => describeMember(member)).toThrow(message);
    expect(() => describeMember(member)).toThrow(/notes\.ts:5: the \w+ of the member text /);
  });

  it('rejects what has no comment, with file and line', () => {
    expect(() => describeMember({ type: 'string' }, '')).toThrow(/notes\.ts:5: the member text needs a comment/);
    const elsewhere = { exported: { note: { title: 'Note', properties: {} } }, comments: new Map() };
    expect(() => describeService(INFO, [elsewhere])).toThrow(/^note: Note needs a comment/);
  });

  it('admits null if it is a value or sets the default, as each format writes it', () => {
    const { swagger, openApi } = describeMember({ type: 'string', enum: ['a', 'b'], default: 'a', example: 'b' });
    const description = 'Its text.';
    const patched = { description, type: 'string', enum: ['a', 'b'], example: 'b', 'x-nullable': true };
    expect(swagger.definitions.NotePatch.properties.text).toEqual(patched);
    const orNull = { description, type: ['string', 'null'], enum: ['a', 'b', null], examples: ['b'] };
    expect(openApi.components.schemas.NotePatch.properties.text).toEqual(orNull);
    const nullable = describeMember({ type: 'integer', nullable: true, default: null });
    const { StoredNote, NotePatch } = nullable.openApi.components.schemas;
    expect([StoredNote.properties.text.type, NotePatch.properties.text.type]).toEqual(
      Array(2).fill(['integer', 'null']),
    );
    expect(nullable.swagger.definitions.Note.properties.text).toHaveProperty('x-nullable', true);
  });

  it('says that a limit is excluded as each format writes it, of the elements of an array, too', () => {
    const price = { type: 'number', exclusiveMinimum: 0 } as const;
    const { openApi, swagger } = describeMember({ type: 'array', items: price });
    expect(openApi.components.schemas.Note.properties.text.items).toEqual(price);
    expect(swagger.definitions.Note.properties.text.items).toEqual({ ...price, minimum: 0, exclusiveMinimum: true });
    expect(asJsonSchema(swagger).definitions.Note.properties.text.items).toEqual(price);
  });

  it('describes the elements of an array, and hides a default from generators that would make the member required', () => {
    const items = { type: 'string', pattern: { expression: /^\S+$/, description: 'no white space' } } as const;
    const { swagger, openApi } = describeMember({ type: 'array', items, uniqueItems: true, default: [] });
    const { Note, StoredNote } = openApi.components.schemas;
    const description = 'Its text.';
    const array = { type: 'array', items: { type: 'string', pattern: '^\\S+$' }, uniqueItems: true };
    expect(StoredNote.properties.text).toEqual({ description, ...array });
    expect(Note.properties.text).toEqual({ description, allOf: [{ ...array, default: [] }] });
    expect(swagger.definitions.Note.properties.text).toEqual({ description, ...array, default: [] });
  });

  it('has the same name in Swagger 2.0 if items are only returned', () => {
    const note: ObjectSchema = { title: 'Note', properties: { key: KEY } };
    const list = route({ method: 'GET', template: '/notes', answers: { 200: { content: [note] } }, run });
    const source = `/** A note. */ const note = { properties: {\n/** Its key. */ key } };\n/** Lists. */ const list = 0;`;
    const { openApi, swagger } = describeSource(source, { note, list });
    expect(Object.keys(openApi.components.schemas)).toEqual(['StoredNote', 'Problem']);
    expect(swagger.paths['/notes'].get.responses[200].schema.items).toEqual({ $ref: '#/definitions/Note' });
    expect(swagger.definitions).toMatchObject({ Note: { required: ['key'] }, Problem: {} });
  });

  it.each<[PropertySchema, unknown]>([
    [{ type: 'string', example: 'Milk' }, 'Milk'],
    [{ type: 'boolean', default: false }, false],
    [{ type: 'string', nullable: true, default: null }, null],
    [{ type: 'string' }, undefined],
  ])('has an example of an item only if each member has one: %j', (member, text) => {
    const { examples } = describeMember(member).swagger.paths['/notes'].get.responses[200];
    expect(examples).toEqual(text === undefined ? undefined : { 'application/json': [{ key: example, text }] });
  });

  it.each<PropertySchema>([
    { type: 'boolean', default: false },
    { type: 'string', nullable: true },
  ])('shows a missing body as the example of a 400 if no member needs a value: %j', (member) => {
    const { responses } = describeMember(member).swagger.paths['/notes'].post;
    expect(responses[400].examples['application/problem+json'].detail).toMatch(/^The body is missing/);
  });
});

describe('the comments in a file', () => {
  it('are those of its constants and their members, quoted or not, and of nothing else', () => {
    const one = "const one = {\n/** First. */\n'a-b': 1,\n/** No. */\n...two,\n/** No. */\nrun() {} };";
    writeFileSync(file, `${one}\n/** Two. */\nexport const two = {\n/** Second. */\n'a-b': 2 };`);
    const read = Array.from(readComments(file), ([name, { summary }]) => [name, summary]);
    expect(Object.fromEntries(read)).toEqual({ one: '', 'one.a-b': 'First.', two: 'Two.', 'two.a-b': 'Second.' });
  });
});
