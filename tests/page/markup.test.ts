import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { fieldsOf } from '../../docs/page/markup/fields.js';
import { html } from '../../docs/page/markup/html.js';
import { makePage } from '../../docs/page/markup/page.js';
import {
  type Definition,
  exampleBody,
  exampleOf,
  type Parameter,
  type SwaggerDocument,
  type SwaggerOperation,
  typeText,
} from '../../docs/page/markup/swagger.js';
import { temporaryFolder } from '../support/temporary-folder.js';

// What the tests in a browser don't see: pages of other documents than parcels', and what only the markup shows.

const info = { title: 'Notes', version: 'v1', description: 'Keeps `a <b>` & "more".' };
const operation = { tags: ['A'], summary: '', operationId: 'one', parameters: [], responses: {} };
const folder = temporaryFolder();

/** The text in markup that a person reads, with single spaces. */
const readable = (markup: string) => markup.replace(/(<[^>]+>|\s)+/g, ' ').trim();
const pageOf = (parts: Partial<SwaggerDocument>, from?: string) =>
  makePage({ info, paths: {}, definitions: {}, ...parts }, from);
const pageWith = (parts: Partial<SwaggerOperation>) => pageOf({ paths: { '/a': { put: { ...operation, ...parts } } } });

describe('the page', () => {
  it('contains its script, escaped where that would end the element or open a comment, and rejects such a style', () => {
    const script = "alert(['$&', '</script>', '<!--', '<Script>', '<b>'].join() as string);";
    mkdirSync(`${folder}/browser`);
    writeFileSync(`${folder}/browser/main.ts`, script);
    writeFileSync(`${folder}/style.css`, 'a { color: red }');
    const page = pageOf({}, folder);
    expect(page).toMatch(/<style>\s*a\s*\{\s*color:\s*red;?\s*\}\s*<\/style>.*<script>.*"\$&".*"<b>".*<\/script>/s);
    expect(page.match(/<\/?script|<!--/gi)).toEqual(['<script', '</script']);
    writeFileSync(`${folder}/style.css`, 'a { --x: </Style> }');
    expect(() => pageOf({}, folder)).toThrow('style.css contains </style');
  });

  it('shows no buttons without scripts', () => {
    const page = pageWith({ parameters: [{ name: 'If-Match', in: 'header' }] });
    expect(page.replace(/<template>.*?<\/template>/g, '')).not.toMatch(/<button(?![^>]* hidden>)/);
  });

  it('shows code as code, and operations under their tags, in the order of the document', () => {
    const get = { ...operation, operationId: 'two', tags: ['B'], summary: 'Gets.' };
    const put = { ...operation, operationId: 'three' };
    const post = { ...operation, operationId: 'four', tags: [] };
    const page = pageOf({ paths: { '/a': { get: operation }, '/b': { get, put, post } } });
    expect(readable(page)).toContain('GET /b Gets.');
    expect(page).toContain('Keeps <code>a &#60;b&#62;</code> &#38; &#34;more&#34;.');
    expect(page).toContain('content="Keeps a &#60;b&#62; &#38; &#34;more&#34;."');
    const found = page.matchAll(/<h2 id="tag-(\w*)"|<details [^>]*id="(\w+)"/g);
    expect(Array.from(found, ([, tag, id]) => tag ?? id)).toEqual(['A', 'one', 'three', 'B', 'two', '', 'four']);
  });

  it('shows the reason phrase, header fields and body of a response, and the meaning of an error', () => {
    const items = { type: 'object', properties: { deep: { type: 'integer', example: 7 } } };
    const schema = { type: 'object', properties: { nested: { type: 'array', items } } };
    const ok = { description: 'OK', schema, headers: { ETag: { type: 'string' } } };
    const responses = { 200: ok, 204: {}, 413: { description: 'It is too long.', schema } };
    expect(readable(pageWith({ responses }))).toContain(
      '200 OK Body: object ETag string { &#34;nested&#34;: [ { &#34;deep&#34;: 7 } ] } 204 No Content 413 Content Too Large It is too long. Models',
    );
  });

  it('has a field for the token, which is for the operations that ask for one in Authorization', () => {
    const securityDefinitions = {
      token: { in: 'header', name: 'Authorization' },
      other: { in: 'header', name: 'X-Key' },
    };
    const asking = (...names: string[]) => ({ ...operation, security: names.map((name) => ({ [name]: [] })) });
    const paths = { '/a': { get: asking('other'), put: asking('other', 'token'), post: asking('unknown') } };
    const page = pageOf({ paths, securityDefinitions });
    const secured = Array.from(page.matchAll(/data-method="(\w+)" data-path="\/a" data-secured/g), ([, name]) => name);
    expect(secured).toEqual(['PUT']);
    expect(page).toContain('<input type="password" id="token" autocomplete="off"');
    expect(pageOf({ paths })).not.toContain('id="token"');
  });

  it('knows which member of an item the last parameter of a path stands for', () => {
    const ids = ['group', 'key'].map((member) => ({ name: 'id', in: 'path', 'x-member': member }));
    expect(pageWith({ parameters: ids })).toContain('data-key="key"');
    expect(pageWith({ parameters: [...ids, { name: 'part', in: 'path' }] })).not.toContain('data-key=');
  });
});

const definitions = {
  Note: {
    type: 'object',
    required: ['text'],
    properties: {
      id: { type: 'string', format: 'uuid', example: '1' },
      text: { type: 'string', example: 'Hello' },
      isDone: { type: 'boolean', default: false },
    },
  },
};
const note = { name: 'note', in: 'body', required: true, schema: { $ref: '#/definitions/Note' } };

describe('the fields of an operation', () => {
  const fields = (parameters: readonly Parameter[], produces: readonly string[] = [], method = 'put') =>
    html`${fieldsOf({ ...operation, parameters, produces }, method, definitions)}`.text;

  it('stand in the order of use, and JSON is the first media type', () => {
    const parameters = [
      { name: 'If-Match', in: 'header', type: 'string' },
      note,
      { name: 'limit', in: 'query', type: 'integer' },
      { name: 'id', in: 'path', type: 'string', required: true },
    ];
    const markup = fields(parameters, ['text/plain', 'application/json']);
    expect(readable(markup)).toMatch(
      /^id string required limit integer note Note required .* If-Match .* Accept application\/json text\/plain$/,
    );
    expect(markup).toContain('data-do="tag"');
    expect(fields(parameters, [], 'get')).not.toContain('data-do="tag"');
    expect(fields([], ['text/plain'])).toBe('<input type="hidden" name="Accept" data-in="header" value="text/plain">');
  });

  it('offer the values of booleans and enumerations, and an empty choice if they are optional', () => {
    const markup = fields([
      { name: 'open', in: 'query', type: 'boolean' },
      { name: 'size', in: 'query', type: 'string', enum: ['A4', 'A5'], required: true },
    ]);
    expect(readable(markup)).toBe('open boolean – true false size string one of A4, A5 required A4 A5');
    expect(markup.match(/aria-required="true"|<option value="">/g)).toEqual([
      '<option value="">',
      'aria-required="true"',
    ]);
  });

  it('show two sentences of their description, and fold the rest', () => {
    const of = (description: string) => fields([{ name: 'id', in: 'path', description, 'x-example': 7 }]);
    expect(readable(of('One. Two. Three. Four.'))).toBe('id One. Two. For example 7 . More Three. Four.');
    expect(of('One. Two.')).not.toContain('details');
    const headers = ['If-Match', 'X-Odd'].map((name) => ({ name, in: 'header', description: `On ${name}.` }));
    expect(readable(fields(headers))).toBe(
      'If-Match X-Odd About If-Match, X-Odd If-Match On If-Match. X-Odd On X-Odd.',
    );
  });
});

it.each<[definition: Definition, text: string, example: unknown]>([
  [{ type: 'integer', minimum: 1, maximum: 1000, default: 50 }, 'integer from 1 to 1000, default 50', 50],
  [{ type: 'number', minimum: 2 }, 'number of at least 2', 2],
  [{ type: 'number', minimum: 0, exclusiveMinimum: true }, 'number above 0', 1],
  [{ type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 0.5 }, 'number above 0 of at most 0.5', 0.5],
  [{ type: 'number', minimum: 0, maximum: 1, exclusiveMaximum: true }, 'number below 1 of at least 0', 0],
  [{ type: 'boolean', default: false }, 'boolean, default false', false],
  [{ type: 'string', format: 'date', minLength: 1, maxLength: 9 }, 'string (date) of 1 to 9 characters', '2026-11-21'],
  [{ type: 'string', minLength: 8, pattern: '\\S' }, 'string of at least 8 characters, matching \\S', 'string--'],
  [{ type: 'string', enum: ['low', 'high'] }, 'string one of low, high', 'low'],
  [{ type: 'string', default: 'low', example: 'high' }, 'string, default "low"', 'high'],
  [{ items: { type: 'string' }, maxItems: 3 }, 'array of string, of at most 3 items', ['string']],
  [{ items: { type: 'integer' }, uniqueItems: true }, 'array of integer, without duplicates', [0]],
  [{ type: 'string', maxLength: 3, 'x-nullable': true }, 'string of at most 3 characters, or null', 'str'],
  [{ type: 'object' }, 'object', {}],
  [{ $ref: '#/definitions/Note' }, 'Note', { id: '1', text: 'Hello', isDone: false }],
  [{ $ref: '#/definitions/Missing' }, 'Missing', null],
  [{}, '', null],
])('the type %j is described as "%s", with the example %j', (definition, text, example) => {
  expect([typeText(definition), exampleOf(definition, definitions)]).toEqual([text, example]);
});

it("the example of a POST's body leaves out members that are optional without a default, such as the key", () => {
  expect(exampleBody(note.schema, 'put', definitions)).toEqual({ id: '1', text: 'Hello', isDone: false });
  expect(exampleBody(note.schema, 'post', definitions)).toEqual({ text: 'Hello', isDone: false });
  expect(exampleBody({}, 'post', definitions)).toEqual({});
});
