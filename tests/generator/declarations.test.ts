import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { transformSync } from 'esbuild';
import * as v from 'valibot';
import { readComments } from '../../docs/generator/comments.js';
import { describeService } from '../../docs/generator/openapi.js';
import { toSwagger2 } from '../../docs/generator/swagger2.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const file = join(temporaryFolder(), 'notes.ts');

const KEY = '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47';

const NOTE = `
/** A note. */
export const note = v.pipe(
  v.object({
    /** Its key. */
    key: v.pipe(v.string(), v.uuid(), v.examples(['${KEY}'])),
    /** What it says. */
    text: v.string(),
  }),
  v.title('Note'),
);
const notes = { name: 'note', path: '/notes', schema: note };
`;
const FIND = `
/**
 * Finds a note.
 *
 * @param id - Its key.
 */
export const find = { method: 'GET', template: '/notes/{id}', resource: notes, responses: { 200: { content: note } }, problems: ['not-found'] };
`;
const LIST = `
/** Lists. */
export const list = { method: 'GET', template: '/notes', resource: notes, responses: { 200: { content: [note] } } };
`;
const CREATE = `
/**
 * Creates.
 *
 * @param item - The note.
 */
export const create = { method: 'POST', template: '/notes', body: { schema: note }, responses: { 201: { content: note } } };
`;
const CHANGE = `
/**
 * Changes.
 *
 * @param item - The members.
 */
export const change = { method: 'PATCH', template: '/notes', body: { schema: note, patch: true }, responses: { 204: {} } };
`;

/** Describes what a file of a resource declares, in both formats. */
// biome-ignore lint/suspicious/noExplicitAny: what is in a document differs from test to test.
function describeSource(source: string, signIn = false): Readonly<Record<'openapi' | 'swagger', any>> {
  writeFileSync(file, source);
  const compiled = { exports: {} };
  new Function('module', 'v', transformSync(source, { loader: 'ts', format: 'cjs' }).code)(compiled, v);
  const info = { version: 'v1', title: 'Notes', description: 'Keeps notes.' };
  const openapi = describeService(info, [{ file, exported: compiled.exports, comments: readComments(file) }], signIn);
  return { openapi, swagger: toSwagger2(openapi) };
}

/** Makes the source of a file with one thing changed: of the schema, or of a route below it. */
const noting = (from: string, to: string) => NOTE.replace(from, to);
const finding = (from: string, to: string) => NOTE + FIND.replace(from, to);
const listing = (from: string, to: string) => NOTE + LIST.replace(from, to);
const saying = (line: string) => finding('\n */', `\n * ${line}\n */`);
const having = (member: string) => noting('text: v.string()', `text: ${member}`);
const asking = (query: string) =>
  NOTE +
  LIST.replace('s.', 's.\n * @param it - It.').replace('responses', `query: { it: v.optional(${query}) }, responses`);
const besides = (title: string) =>
  NOTE + noting('Note', title).replace('const note ', 'const other ').split('const notes')[0];
const unowned = (source: string) => source.replace('resource: notes, ', '');

describe('a declaration', () => {
  it.each([
    ['no comment on its operation', listing('/**', '/*'), ':15: GET /notes needs a comment'],
    ['a parameter without a text', finding('Its key.', ''), ':19: the comment on GET /notes/{id} needs a line "@param'],
    ['a body without a text', NOTE + CREATE.replace('@param item - The note.', ''), ':19: the comment on POST /notes'],
    [
      'an error without a text',
      listing('responses', "problems: ['method-not-supported'], responses"),
      ':15: the comment on GET',
    ],
    ['the text of another parameter', saying('@param key - No.'), ':18: "@param key" describes nothing'],
    ['a tag twice', saying('@param id - Again.'), ':18: the comment has "@param id" twice'],
    ['a list in its query', asking('v.array(v.string())'), ':16: the parameter it must be'],
    ['an integer without a minimum', asking('v.pipe(v.number(), v.integer(), v.maxValue(9))'), ':16: the parameter it'],
    ['an integer without a maximum', asking('v.pipe(v.number(), v.integer(), v.minValue(0))'), ':16: the parameter it'],
    ['no constant', `${listing('export ', '')}export { list as all };`, ': all is not declared as a constant'],
    ['no comment on its schema', noting('/** A', '/* A'), ':3: Note needs a comment'],
    ['the title of errors', noting('Note', 'Problem'), ':3: Problem, Stored… and …Put are reserved, so Problem'],
    ['the title of what PUT takes', noting('Note', 'NotePut'), ':3: Problem, Stored… and …Put are reserved, so'],
    ['the title of another', besides('Note'), ':15: the definition Note is taken by'],
    ['the title of patches of another', besides('NotePatch'), ':15: the definition NotePatch is taken by'],
    ['the id of another', NOTE + LIST + LIST.replace('list', 'all'), ':18: the operation id NotesGet is taken by'],
    ['a member without a comment', noting('/** What', '/* What'), ':8: the member text needs a comment'],
  ])('with %s ends the generation with file and line', (_what, source, message) => {
    expect(() => describeSource(source)).toThrow(`${file}${message}`);
  });

  it.each([
    ['v.array(v.pipe(v.number(), v.minValue(0)))', 'A number needs v.finite() or v.integer()'],
    ['v.nullable(v.pipe(v.string(), v.maxLength(5)))', 'JSON Schema does not know max_length, or'],
    ["v.picklist([1, 'a'])", 'JSON Schema does not know options of several types, or'],
    ['v.nullable(v.optional(v.string()))', 'JSON Schema does not know optional, or'],
    ['v.pipe(v.string(), v.metadata({ maxLength: 5 }))', 'JSON Schema does not know metadata, or'],
    ["v.array(v.fallback(v.pipe(v.string(), v.uuid()), 'a'))", 'JSON Schema does not know v.fallback(), or'],
    ["v.optional(v.nullable(v.string(), 'a'))", 'JSON Schema does not know a default for null, or'],
    ["v.fallback(v.optional(v.string()), 'a')", 'v.optional() must be around all other functions'],
    ["v.pipe(v.optional(v.string(), 'a'), v.regex(/^a/u))", 'v.optional() must be around all other functions'],
    ['v.array(v.pipe(v.string(), v.regex(/a/iu)))', 'JSON Schema reads patterns with the flag u and no other'],
    ['v.pipe(v.string(), v.regex(/^.$/))', 'JSON Schema reads patterns with the flag u and no other: write /^.$/u.'],
    ['v.pipe(v.string(), v.regex(/a/u), v.regex(/b/u))', 'Two rules set the same keyword: pattern, pattern'],
    ["v.optional(v.boolean(), 'no')", 'Invalid type: Expected boolean but received "no"'],
    ['v.pipe(v.boolean(), v.examples([6]))', 'Invalid type: Expected boolean but received 6'],
  ])("of the member %s ends the generation, because JSON Schema can't say the same: %s", (member, reason) => {
    expect(() => describeSource(having(member))).toThrow(`${file}:8: the member text can't be described: ${reason}`);
  });

  const noExample = expect.not.objectContaining({ examples: expect.anything() });
  const parameter = { name: 'it', in: 'query', description: 'It.', required: false };

  it.each<[what: string, source: string, operation: object]>([
    ['at the root', unowned(listing('/notes', '/')), { tags: ['Root'], operationId: 'Get' }],
    ['below an item', finding('{id}', '{id}/copies'), { tags: ['Note'], operationId: 'NotesByIdCopiesGet' }],
    ['of no resource', unowned(listing('/notes', '/v2/to-read')), { tags: ['ToRead'], operationId: 'V2ToReadGet' }],
    ['of a key', finding('{id}', '{id:guid}'), { parameters: [{ schema: { type: 'string', examples: [KEY] } }] }],
    ['of a number', finding('{id}', '{id:int}'), { parameters: [{ schema: noExample }] }],
    [
      'with a query',
      asking('v.boolean(), false'),
      {
        parameters: [{ ...parameter, schema: { type: 'boolean', default: false } }],
        responses: { 400: { $ref: '#/components/responses/InvalidQuery' } },
      },
    ],
    [
      'with an error of its own',
      saying('@response 404 - It is locked.'),
      { responses: { 404: { description: 'No item has this key. It is locked.' } } },
    ],
  ])('of an operation %s becomes its description', (_what, source, operation) => {
    const { openapi } = describeSource(source);
    const [described] = Object.values<object>(openapi.paths).flatMap((operations) => Object.values(operations));
    expect(described).toMatchObject(operation);
  });
});

it('an open operation takes no token, although there is sign-in', () => {
  const { openapi } = describeSource(unowned(listing('template', 'open: true, template')), true);
  const { security, responses } = openapi.paths['/notes'].get;
  expect([security, Object.keys(responses)]).toEqual([undefined, ['200', '500', '503']]);
  expect(responses[503]).toEqual({ $ref: '#/components/responses/Unavailable' });
});

it('only definitions to which something refers are in the documents', () => {
  const { openapi, swagger } = describeSource(NOTE + LIST);
  expect(Object.keys(openapi.components.schemas)).toEqual(['StoredNote', 'Problem']);
  expect(Object.keys(swagger.definitions)).toEqual(['Note', 'Problem']);
  expect(swagger.definitions.Note.properties.key).toMatchObject({ type: 'string', format: 'uuid' });
});

describe('a member', () => {
  // Validators check the documents of all other kinds of members, with parcels.
  it('with a default is described as POST, PATCH and responses have it, and in Swagger 2.0', () => {
    const declared = having("v.optional(v.pipe(v.picklist(['a']), v.examples(['a'])), 'a')");
    const { openapi, swagger } = describeSource(declared + LIST + CREATE + CHANGE);
    const { Note, NotePatch, StoredNote } = openapi.components.schemas;
    const described = { description: 'What it says.' };
    const enumeration = { type: 'string', enum: ['a'] };
    expect(Note.properties).toEqual({
      // POST takes any key.
      key: { description: 'Its key.' },
      text: { ...described, allOf: [{ ...enumeration, default: 'a', examples: ['a'] }] },
    });
    const patched = { ...described, type: ['string', 'null'], enum: ['a', null], examples: ['a'] };
    expect(NotePatch.properties).toEqual({ text: patched });
    expect(StoredNote.properties.text).toEqual({ ...described, ...enumeration, examples: ['a'] });
    const { properties } = swagger.definitions.Note;
    expect(properties.text).toEqual({ ...described, ...enumeration, default: 'a', example: 'a' });
    expect(properties.key).toMatchObject({ type: 'string', format: 'uuid' });
    const patch = { text: { ...described, ...enumeration, example: 'a', 'x-nullable': true } };
    expect(swagger.definitions.NotePatch.properties).toEqual(patch);
  });

  it('with an exclusive limit has a Boolean beside the limit in Swagger 2.0', () => {
    const { swagger } = describeSource(having('v.pipe(v.number(), v.finite(), v.gtValue(0), v.ltValue(5))') + CREATE);
    const limits = { minimum: 0, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: true };
    expect(swagger.definitions.Note.properties.text).toMatchObject(limits);
  });

  it.each([
    ["v.optional(v.pipe(v.string(), v.examples(['a'])))", { text: 'a' }, ['key']],
    ["v.optional(v.string(), 'b')", { text: 'b' }, ['key', 'text']],
    ['v.optional(v.string())', {}, ['key']],
    ['v.string()', undefined, ['key', 'text']],
    ["v.pipe(v.string(), v.regex(/^.$/u), v.examples(['😀']))", { text: '😀' }, ['key', 'text']],
  ])('declared as %s has the example %j, and stored items require %j', (declared, example, required) => {
    const { paths, components } = describeSource(having(declared) + LIST + CREATE).openapi;
    const { get, post } = paths['/notes'];
    const [listed, posted] = [get.responses[200], post.requestBody].map(({ content }) => content['application/json']);
    expect([listed.example, posted.example]).toEqual([example && [{ key: KEY, ...example }], example]);
    expect(components.schemas.StoredNote.required).toEqual(required);
  });
});

it('comments are read above constants and their members, quoted or not, and nowhere else', () => {
  const one =
    "/** One. */\nconst one = a(b({\n/** First. */\n'a-b': 1,\n/** No. */\n...two,\n/** No. */\nrun() {} }), {});";
  writeFileSync(file, `/** A file. */\n${one}\n/** Two. */\nexport const two = {\n/** Second. */\n'a-b': 2 };`);
  const read = Array.from(readComments(file), ([name, { summary }]) => [name, summary]);
  expect(Object.fromEntries(read)).toEqual({ one: 'One.', 'one.a-b': 'First.', two: 'Two.', 'two.a-b': 'Second.' });
});
