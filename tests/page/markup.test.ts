import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { fieldsOf } from '../../docs/page/markup/fields.js';
import { html } from '../../docs/page/markup/html.js';
import { makePage } from '../../docs/page/markup/page.js';
import {
  type Definition,
  type Document,
  exampleBody,
  exampleOf,
  type Parameter,
  typeText,
} from '../../docs/page/markup/swagger.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { documentWithTokens, parcelsDocument } from './documents.js';

// What the page of parcels does not show, or not to a browser.

const info = { title: 'Notes', version: 'v1', description: 'Keeps `a <b>` & "more".' };
const operation = { tags: ['A'], summary: '', operationId: 'one', parameters: [], responses: {} };
const folder = temporaryFolder();

/** What a person reads of it, whatever its elements, classes and spaces. */
function textOf(markup: string): string {
  return markup
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Makes a page of a style and a script. */
function make(parts: Readonly<Record<string, string>> = {}, document: Partial<Document> = {}): string {
  for (const [name, text] of Object.entries({ 'style.css': '', 'browser/main.ts': '', ...parts })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return makePage({ info, paths: {}, definitions: {}, ...document }, folder);
}

describe('the page', () => {
  it('has its style and its script inside, and keeps the script from ending its element or opening a comment', () => {
    const page = make({
      'style.css': 'a {\n  color: red;\n}\n',
      'browser/main.ts': "import { it } from './it.js';\nalert(it as string);",
      'browser/it.ts': "export const it: string = ['$&', '</script>', '<!--', '<Script>', '<b>'].join();",
    });
    expect(page).toMatch(/<style>\s*a\s*\{\s*color:\s*red;?\s*\}\s*<\/style>.*<script>.*"\$&".*"<b>".*<\/script>/s);
    expect(page.match(/<\/?script|<!--|import/gi)).toEqual(['<script', '</script']);
  });

  it('rejects a style that would end its element', () => {
    expect(() => make({ 'style.css': 'a { --x: </Style> }' })).toThrow(/style\.css can't stand inside a page/);
  });

  it('can be read without scripts, which make the buttons', () => {
    expect(makePage(parcelsDocument).replace(/<template>.*?<\/template>/g, '')).not.toMatch(/<button(?![^>]* hidden>)/);
  });

  it('shows code as code, and operations under their tags, in the order of the document', () => {
    const paths = {
      '/a': { get: operation },
      '/b': {
        get: { ...operation, operationId: 'two', tags: ['B'] },
        put: { ...operation, operationId: 'three' },
        post: { ...operation, operationId: 'four', tags: [] },
      },
    };
    const page = make({}, { paths });
    expect(page).toContain('Keeps <code>a &#60;b&#62;</code> &#38; &#34;more&#34;.');
    expect(page).toContain('content="Keeps a &#60;b&#62; &#38; &#34;more&#34;."');
    const found = page.matchAll(/<h2 id="tag-(\w*)"|<details [^>]*id="(\w+)"/g);
    expect(Array.from(found, ([, tag, id]) => tag ?? id)).toEqual(['A', 'one', 'three', 'B', 'two', '', 'four']);
  });

  it('shows of a response its reason, header fields and body, and of an error what it means', () => {
    const items = { type: 'object', properties: { deep: { type: 'integer', example: 7 } } };
    const schema = { type: 'object', properties: { nested: { type: 'array', items } } };
    const headers = { ETag: { type: 'string' } };
    const error = { description: 'It is too long.', schema };
    const responses = { 200: { description: 'OK', schema, headers }, 204: {}, 413: error };
    const page = make({}, { paths: { '/a': { get: { ...operation, responses } } } });
    expect(textOf(page.slice(page.indexOf('data-status')))).toContain(
      '200 OK Body: object ETag string { &#34;nested&#34;: [ { &#34;deep&#34;: 7 } ] } 204 No Content 413 Content Too Large It is too long.',
    );
  });

  it('has the field for a token where operations ask for one', () => {
    const { securityDefinitions: _, ...undeclared } = documentWithTokens;
    const pages = [documentWithTokens, undeclared, parcelsDocument].map((document) => makePage(document));
    const hasToken = pages.map((page) => /<input type="password" id="token" autocomplete="off"/.test(page));
    const secured = pages.map((page) => page.match(/<form [^>]*data-secured/g)?.length);
    expect([hasToken, secured]).toEqual([
      [true, false, false],
      [6, undefined, undefined],
    ]);
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
  const fields = (parameters: readonly Parameter[], produces: readonly string[] = []) =>
    html`${fieldsOf({ ...operation, parameters, produces }, 'put', definitions)}`.text;

  it('stand in the order of use, and JSON is the first media type', () => {
    const parameters = [
      { name: 'If-Match', in: 'header', type: 'string' },
      note,
      { name: 'limit', in: 'query', type: 'integer' },
      { name: 'id', in: 'path', type: 'string', required: true },
    ];
    const markup = fields(parameters, ['text/plain', 'application/json']);
    const names = Array.from(markup.matchAll(/ name="([^"]*)"/g), ([, name]) => name);
    expect(names).toEqual(['id', 'limit', 'note', 'If-Match', 'Accept']);
    expect(textOf(markup)).toMatch(/^id string required limit integer .* Accept application\/json text\/plain$/);
    expect(markup).toContain('data-do="tag"');
    expect(html`${fieldsOf({ ...operation, parameters }, 'get', definitions)}`.text).not.toContain('data-do="tag"');
    expect(fields([], ['text/plain'])).toBe('<input type="hidden" name="Accept" data-in="header" value="text/plain">');
  });

  it('offer a choice for booleans and enumerations, and no value for optional ones', () => {
    const open = fields([{ name: 'open', in: 'query', type: 'boolean' }]);
    expect([textOf(open), open]).toEqual(['open boolean – true false', expect.stringContaining('<option value="">')]);
    const size = fields([{ name: 'size', in: 'query', type: 'string', enum: ['A4', 'A5'], required: true }]);
    expect([textOf(size), size]).toEqual([
      'size string one of A4, A5 required A4 A5',
      expect.stringContaining('aria-required="true"'),
    ]);
  });

  it('say in two sentences what they are, and fold the rest', () => {
    const of = (description: string) => fields([{ name: 'id', in: 'path', description, 'x-example': 7 }]);
    expect(textOf(of('One. Two. Three. Four.'))).toBe('id One. Two. For example 7 . More Three. Four.');
    expect(of('One. Two.')).not.toContain('details');
    const headers = ['If-Match', 'X-Odd'].map((name) => ({ name, in: 'header', description: `On ${name}.` }));
    expect(textOf(fields(headers))).toBe('If-Match X-Odd About If-Match, X-Odd If-Match On If-Match. X-Odd On X-Odd.');
  });

  it('know the member of an item that is last in the path', () => {
    const ids = ['group', 'key'].map((member) => ({ name: 'id', in: 'path', 'x-member': member }));
    const keys = [ids.slice(0, 1), ids, [...ids, { name: 'part', in: 'path' }], []].map((parameters) => {
      const page = make({}, { paths: { '/a': { get: { ...operation, parameters } } } });
      return /data-key="(\w+)"/.exec(page)?.[1];
    });
    expect(keys).toEqual(['group', 'key', undefined, undefined]);
  });
});

it.each<[definition: Definition, example: unknown]>([
  [{ type: 'string', example: 'Hello' }, 'Hello'],
  [{ type: 'boolean', default: false }, false],
  [{ type: 'string', enum: ['A4', 'A5'] }, 'A4'],
  [{ type: 'integer', minimum: 1 }, 1],
  [{ type: 'number' }, 0],
  [{ type: 'number', minimum: 0, exclusiveMinimum: true }, 1],
  [{ type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 0.5 }, 0.5],
  [{ type: 'array', items: { type: 'string', maxLength: 3 } }, ['str']],
  [{ type: 'string', minLength: 8 }, 'string--'],
  [{ type: 'string', format: 'date-time' }, '2026-11-21T09:30:00Z'],
  [{ type: 'object' }, {}],
  [{ $ref: '#/definitions/Note' }, { id: '1', text: 'Hello', isDone: false }],
  [{ $ref: '#/definitions/Missing' }, null],
])('the example of %j is %j', (definition, example) => {
  expect(exampleOf(definition, definitions)).toEqual(example);
});

it("the example of a POST's body lacks the members that the service assigns to a new item", () => {
  expect(exampleBody(note.schema, 'put', definitions)).toEqual({ id: '1', text: 'Hello', isDone: false });
  expect(exampleBody(note.schema, 'post', definitions)).toEqual({ text: 'Hello', isDone: false });
  expect(exampleBody({}, 'post', definitions)).toEqual({});
});

it.each<[definition: Definition, text: string]>([
  [{ type: 'integer', minimum: 1, maximum: 1000, default: 50 }, 'integer from 1 to 1000, default 50'],
  [{ type: 'number', minimum: 0 }, 'number of at least 0'],
  [{ type: 'number', minimum: 0, exclusiveMinimum: true }, 'number above 0'],
  [{ type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 0.5 }, 'number above 0 and at most 0.5'],
  [{ type: 'number', minimum: 0, maximum: 1, exclusiveMaximum: true }, 'number at least 0 and below 1'],
  [{ type: 'string', format: 'uuid', minLength: 1, maxLength: 64 }, 'string (uuid) of 1 to 64 characters'],
  [{ type: 'string', enum: ['low', 'high'], default: 'low' }, 'string one of low, high, default "low"'],
  [{ type: 'string', pattern: '\\S' }, 'string, matching \\S'],
  [
    { type: 'array', items: { type: 'integer', maximum: 9 }, maxItems: 3, uniqueItems: true, 'x-nullable': true },
    'array of integer of at most 9, of at most 3 items, without duplicates, or null',
  ],
  [{ type: 'array', items: { $ref: '#/definitions/Note' } }, 'array of Note'],
  [{}, ''],
])('the text for the type %j is %j', (definition, text) => {
  expect(typeText(definition)).toBe(text);
});
