import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { describeService } from '../../docs/generator/describe.js';
import { readComments } from '../../docs/generator/read-comments.js';
import { toSwagger2 } from '../../docs/generator/swagger2.js';
import { type AnyRoute, route } from '../../shared/routing/route.js';
import type { ObjectSchema, PropertySchema } from '../../shared/schema/schema.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const INFO = { version: 'v1', title: 'Notes', description: 'Keeps notes.' };
const file = join(temporaryFolder(), 'notes.ts');
const run = async () => ({ status: 200, headers: {} }) as const;
const example = '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47';
const KEY = { type: 'string', format: 'uuid', readOnly: true, example } as const;
const note: ObjectSchema = { title: 'Note', properties: { key: KEY } };
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

/** Describes a schema of a key and other members, the first of them on line 5, and the routes that use it. */
function describeNote(members: Readonly<Record<string, PropertySchema>>, comment = '/** A member. */'): Documents {
  const note: ObjectSchema = { title: 'Note', properties: { key: KEY, ...members } };
  const source = `/** A note. */
export const note = { properties: {
/** Its key. */ key: {},
${Object.keys(members).map((name) => `${comment}\n${name}: {}`)} } };
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

// document.test.ts has what the documents say of to-dos. Here is what they do not have, and what is rejected.

describe('an operation', () => {
  it('at the root has a tag, and its boolean query parameter a default, and an example where each format has it', () => {
    const query = { open: { type: 'boolean', default: false, example: true } } as const;
    const comment = '/**\n * Lists.\n * @param open - Whether it\n *   is open.\n */';
    const { openApi, swagger } = describeRoute(comment, { template: '/', query, answers: { 200: {} } });
    const parameter = { name: 'open', in: 'query', description: 'Whether it is open.', required: false };
    const schema = { type: 'boolean', default: false, examples: [true] };
    expect(openApi).toMatchObject({ tags: ['Root'], operationId: 'Get', parameters: [{ ...parameter, schema }] });
    expect(swagger.parameters).toEqual([{ ...parameter, type: 'boolean', default: false }]);
    expect(swagger.responses[400].examples['application/problem+json']).toMatchObject({
      detail: 'The query is not valid; see errors.',
      errors: [{ parameter: 'open', detail: 'Must be true or false; got "0".' }],
    });
  });

  it('has an id of the words in its path, which hyphens part, and a tag if it is about no resource', () => {
    const route = {
      template: '/v2/lunch-orders/{id}/side-dishes',
      method: 'GET',
      answers: { 200: {}, 404: {} },
    } as const;
    expect(describeRoute(COMMENT, route).openApi).toMatchObject({
      operationId: 'V2LunchOrdersByIdSideDishesGet',
      tags: ['SideDishes'],
    });
  });

  it('has the tag of its resource, if it is about one, also as an action on an item', () => {
    const lunchOrders = { name: 'lunch-order', schema: { title: 'LunchOrder', properties: { key: KEY } } };
    const route = { template: '/v2/lunch-orders/{id}/cancel', resource: lunchOrders };
    expect(describeRoute(COMMENT, route).openApi).toMatchObject({
      operationId: 'V2LunchOrdersByIdCancelGet',
      tags: ['LunchOrder'],
    });
  });

  it('has no example of a 400 that only the operation itself can explain', () => {
    const comment = COMMENT.replace('404 - Or there is none.', '400 - It is Monday.');
    const { responses } = describeRoute(comment, { answers: { 200: {}, 400: {} } }).swagger;
    expect(responses[400].description).toBe('It is Monday.');
    expect(responses[400]).not.toHaveProperty('examples');
  });

  it('has the meaning of each status that it declares, and an example, whatever else it declares', () => {
    const answers = { 200: {}, 404: {}, 412: {}, 413: {}, 415: {}, 429: {} };
    const { responses } = describeRoute(COMMENT, { answers }).swagger;
    const described = [412, 413, 415, 429].map((status) => responses[status].description);
    expect(described).toEqual([
      'If-Match does not name the current version, or If-None-Match names it.',
      'The item is too large to be stored (in a table, its JSON may have 400,000 bytes).',
      expect.stringMatching(/^The Content-Type is not application\/json/),
      'Too Many Requests',
    ]);
    for (const status of [412, 413, 415])
      expect(responses[status].examples['application/problem+json']).toMatchObject({ status });
  });

  it.each([
    ['no TSDoc comment', '/* Gets a note. */', /notes\.ts:3: GET \/notes\/\{id:int\} needs a comment/],
    ['no summary but tags', '/** @param id - Its number. */', /notes\.ts:3: .* needs a comment/],
    ['a long summary', COMMENT.replace('a', 'x '.repeat(55)), /notes\.ts:8: .* 120 characters, but must have fewer/],
    ['a parameter without a description', '/** Gets. */', /notes\.ts:3: .* needs a line "@param id - …"/],
    ['another parameter', withLine('@param key - No.'), /notes\.ts:7: "@param key" describes nothing/],
    ['a text about a success', withLine('@response 200 - Fine.'), /notes\.ts:7: "@response 200" describes nothing/],
    ['a tag that is none of ours', withLine('@returns No.'), /notes\.ts:7: "@returns No." describes nothing/],
  ])('with %s is rejected, with file and line', (_name, comment, message) => {
    expect(() => describeRoute(comment)).toThrow(message);
  });

  it.each([
    ['/notes/{id:guid}', [example]],
    ['/notes/{id:int}', undefined],
  ])('has a key as the example of {id} in the path %s only if a key matches', (template, examples) => {
    const { parameters } = describeRoute(COMMENT, { template, resource: { name: 'note', schema: note } }).openApi;
    expect(parameters[0].schema.examples).toEqual(examples);
  });

  it('has the key of its own resource as the example, whatever stands above it', () => {
    const other: ObjectSchema = { title: 'Other', properties: { key: { ...KEY, example: example.replace('0', '1') } } };
    const declared = route({ method: 'GET', template: '/notes/{id}', answers: { 200: {}, 404: {} }, run });
    const getNote = { ...declared, resource: { name: 'note', schema: note } };
    const source = `/** Another. */ const other = { properties: {\n/** Its key. */ key } };\n${COMMENT}\nconst getNote = 0;`;
    const { parameters } = describeSource(source, { other, getNote }).openApi.paths['/notes/{id}'].get;
    expect(parameters[0].schema.examples).toEqual([example]);
  });
});

describe('a schema', () => {
  const withFlags = { type: 'string', pattern: { expression: /a/i, description: 'an a' } } as const;
  const oneOfA = { type: 'string', enum: ['a'] } as const;

  it.each([
    ['Problem', 'that is the name of the definition of errors'],
    ['StoredNote', 'such a name is made of the title of another schema'],
    ['NotePut', 'such a name is made of the title of another schema'],
  ])('can not have the title %s, because its definitions would have the names of others', (title, reason) => {
    const source = '\n/** A note. */ export const note = {};';
    expect(() => describeSource(source, { note: { title, properties: {} } })).toThrow(
      `${file}:2: a schema can't have the title ${title}: ${reason}`,
    );
  });

  it.each(['Note', 'NotePatch'])('can not have the title %s if another schema is called Note', (title) => {
    const note: ObjectSchema = { title: 'Note', properties: { key: KEY } };
    const other: ObjectSchema = { title, properties: { key: KEY } };
    const source = ['note', 'other'].map(
      (name) => `/** A note. */ export const ${name} = { properties: {\n/** Its key. */ key } };`,
    );
    expect(() => describeSource(source.join('\n'), { note, other })).toThrow(
      `${file}:3: the title ${title} is taken: another schema has the definition ${title}`,
    );
  });

  it('that a route has must be exported, because another one of its title would be described instead', () => {
    const note: ObjectSchema = { title: 'Note', properties: { key: KEY } };
    const source = '/** A note. */ export const note = { properties: {\n/** Its key. */ key } };';
    const declared = { method: 'POST', template: '/notes', run } as const;
    for (const of of [
      { body: { schema: { ...note } }, answers: {} },
      { body: { schema: note }, answers: { 200: { content: [{ ...note }] } } },
    ])
      expect(() =>
        describeSource(`${source}\n/** Creates.\n * @param item - It. */ export const create = 0;`, {
          note,
          create: { ...declared, ...of },
        }),
      ).toThrow(/notes\.ts:4: POST \/notes has the schema Note, which no resource's file exports/);
  });

  it.each<[string, PropertySchema, RegExp]>([
    ['default', { type: 'boolean', default: 'no' as never }, /the default .* is not valid: Must be true or false/],
    ['example', { type: 'integer', maximum: 5, example: 6 }, /the example .* is not valid: Must be .*5; got 6/],
    ['backfill', { type: 'string', minLength: 1, backfill: '' }, /the backfill .* is not valid: .* at least 1/],
    ['default in an array', { type: 'array', items: oneOfA, default: ['b'] }, /the default .*one of "a"/],
    ['pattern in an array', { type: 'array', items: withFlags }, /the pattern of the member text has flags/],
  ])('with a wrong %s is rejected, with file and line', (_name, text, message) => {
    expect(() => describeNote({ text })).toThrow(message);
    expect(() => describeNote({ text })).toThrow(/notes\.ts:5: the \w+ of the member text /);
  });

  it('or an operation without a comment is rejected, with file and line', () => {
    expect(() => describeNote({ text: { type: 'string' } }, '')).toThrow(
      /notes\.ts:5: the member text needs a comment/,
    );
    const elsewhere = { exported: { note: { title: 'Note', properties: {} } }, comments: new Map() };
    expect(() => describeService(INFO, [elsewhere])).toThrow(/^note: Note needs a comment/);
    const getNote = route({ method: 'GET', template: '/', answers: { 200: {} }, run });
    expect(() => describeSource('', { getNote })).toThrow('getNote is not declared as a constant');
  });

  it('is written as each format writes null, excluded limits, arrays and examples, and defaults so that no generator requires the member', () => {
    const word = { type: 'string', pattern: { expression: /^\S+$/, description: 'no white space' } } as const;
    const { swagger, openApi } = describeNote({
      size: { type: 'string', enum: ['a', 'b'], default: 'a', example: 'b' },
      count: { type: 'integer', nullable: true, default: null },
      prices: { type: 'array', items: { type: 'number', exclusiveMinimum: 0 } },
      words: { type: 'array', items: word, uniqueItems: true, default: [] },
    });
    const description = 'A member.';
    const { key: _, ...plain } = swagger.definitions.Note.properties;
    const words = { type: 'array', items: { type: 'string', pattern: '^\\S+$' }, uniqueItems: true };
    expect(plain).toEqual({
      size: { description, type: 'string', enum: ['a', 'b'], default: 'a', example: 'b' },
      count: { description, type: 'integer', default: null, 'x-nullable': true },
      prices: { description, type: 'array', items: { type: 'number', minimum: 0, exclusiveMinimum: true } },
      words: { description, ...words, default: [] },
    });
    const patch = swagger.definitions.NotePatch.properties;
    expect(patch.size).toEqual({ description, type: 'string', enum: ['a', 'b'], example: 'b', 'x-nullable': true });
    const { Note, NotePatch, StoredNote } = openApi.components.schemas;
    const prices = { description, type: 'array', items: { type: 'number', exclusiveMinimum: 0 } };
    expect(StoredNote.properties).toMatchObject({ count: { type: ['integer', 'null'] }, prices });
    expect(StoredNote.properties.words).toEqual({ description, ...words });
    expect(Note.properties).toMatchObject({ prices, words: { description, allOf: [{ ...words, default: [] }] } });
    const orNull = { description, type: ['string', 'null'], enum: ['a', 'b', null], examples: ['b'] };
    expect(NotePatch.properties).toMatchObject({ size: orNull, count: { type: ['integer', 'null'] } });
  });

  it.each([
    ['[^a\\u2028\\u2029b]', '[^ab]'],
    ['^([^\\u2029\\]\\u2028]|[^ \\u2028-\\u2029])*$', '^([^\\]]|[^ ])*$'],
    ['[^\\u2028]', '[^\\u2028]'],
    ['[^\\u2027-\\u2028x]', '[^\\u2027-\\u2028x]'],
    ['[^\\u2029-\\u202Fx]', '[^\\u2029-\\u202Fx]'],
    ['[\\u2028\\u2029]', '[\\u2028\\u2029]'],
    ['\\[^\\u2028]', '\\[^\\u2028]'],
    ['[^\\\\u2028]', '[^\\\\u2028]'],
    ['^(?![^a\\u2028])', '^(?![^a\\u2028])'],
    ['(?<![^a\\u2028])a', '(?<![^a\\u2028])a'],
  ])(
    'has the pattern %s without the line separators that break generated clients, where it then forbids no more: %s',
    (source, written) => {
      const pattern = { expression: new RegExp(source), description: 'something' };
      const { openApi } = describeNote({ text: { type: 'string', pattern } });
      expect(openApi.components.schemas.Note.properties.text.pattern).toBe(written);
      for (const text of ['', 'a', 'b', '\u2028', '\u2029', 'a\u2028', ']', '[^\u2028]', '\\', 'u2028'])
        if (pattern.expression.test(text)) expect(text).toMatch(new RegExp(written));
    },
  );

  it('has the same name in Swagger 2.0 if items are only returned', () => {
    const note: ObjectSchema = { title: 'Note', properties: { key: KEY } };
    const list = route({ method: 'GET', template: '/notes', answers: { 200: { content: [note] } }, run });
    const source = `/** A note. */ const note = { properties: {\n/** Its key. */ key } };\n/** Lists. */ const list = 0;`;
    const { openApi, swagger } = describeSource(source, { note, list });
    expect(Object.keys(openApi.components.schemas)).toEqual(['StoredNote', 'Problem']);
    expect(swagger.paths['/notes'].get.responses[200].schema.items).toEqual({ $ref: '#/definitions/Note' });
    expect(swagger.definitions).toMatchObject({ Note: { required: ['key'] }, Problem: {} });
  });

  it.each<[PropertySchema, item: unknown, rejected: RegExp]>([
    [{ type: 'string', example: 'Milk' }, [{ key: example, text: 'Milk' }], /^The body is not a valid item/],
    [{ type: 'string', nullable: true, default: null }, [{ key: example, text: null }], /^The body is missing/],
    [{ type: 'boolean', default: false }, [{ key: example, text: false }], /^The body is missing/],
    [{ type: 'string' }, undefined, /^The body is not a valid item/],
  ])('has an example of an item if each member has one, and of a body that is rejected: %j', (text, item, rejected) => {
    const { get, post } = describeNote({ text }).swagger.paths['/notes'];
    expect(get.responses[200].examples?.['application/json']).toEqual(item);
    expect(post.responses[400].examples['application/problem+json'].detail).toMatch(rejected);
  });
});

it('the comments in a file are those of its constants and their members, quoted or not, and of nothing else', () => {
  const one = "const one = {\n/** First. */\n'a-b': 1,\n/** No. */\n...two,\n/** No. */\nrun() {} };";
  writeFileSync(file, `${one}\n/** Two. */\nexport const two = {\n/** Second. */\n'a-b': 2 };`);
  const read = Array.from(readComments(file), ([name, { summary }]) => [name, summary]);
  expect(Object.fromEntries(read)).toEqual({ one: '', 'one.a-b': 'First.', two: 'Two.', 'two.a-b': 'Second.' });
});
