import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { makeAssets } from '../../docs/generator/assets.js';
import { exampleBodyOf, exampleOf, indented } from '../../docs/page/markup/examples.js';
import { html } from '../../docs/page/markup/html.js';
import { inputsOf } from '../../docs/page/markup/inputs.js';
import { makePage } from '../../docs/page/markup/page.js';
import type { Definition, Document, Parameter } from '../../docs/page/markup/swagger-document.js';
import { typeOf } from '../../docs/page/markup/type-text.js';
import { documentWithTokens, parcelsDocument } from '../support/browser/documents.js';
import { temporaryFolder } from '../support/temporary-folder.js';

// What the page of parcels does not show, or not to a browser. tests/page has the rest.

const info = { title: 'Notes', version: 'v1', description: 'Keeps `a <b>` & "more".' };
const operation = { tags: ['A'], summary: '', operationId: 'one', parameters: [], responses: {} };
const folder = temporaryFolder();

/** Makes a page of a style and a script. */
function make(parts: Readonly<Record<string, string>> = {}, document: Partial<Document> = {}): string {
  for (const [name, text] of Object.entries({ 'style.css': '', 'browser/main.ts': '', ...parts })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return makePage({ info, paths: {}, definitions: {}, ...document }, folder);
}

describe('the page', () => {
  it('has its style and its script inside, minified, and keeps the script from ending its element or opening a comment', () => {
    const page = make({
      'style.css': 'a {\n  color: red;\n}\n',
      'browser/main.ts': "import { it } from './it.js';\nalert(it as string);",
      'browser/it.ts': "export const it: string = ['$&', '</script>', '<!--', '<Script>', '<b>'].join();",
    });
    expect(page).toMatch(/<style>a\{color:red\}\n?<\/style>.*<script>.*"\$&".*"<b>".*<\/script>/s);
    expect(page.match(/<\/?script|<!--|import/gi)).toEqual(['<script', '</script']);
  });

  it('rejects a style that would end its element, and a folder in which a part is missing', () => {
    expect(() => make({ 'style.css': 'a { --x: </Style> }' })).toThrow(/style\.css can't stand inside a page/);
    expect(() => makePage(parcelsDocument, join(folder, 'nowhere'))).toThrow(/style\.css/);
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
    expect(page).toContain('<p>Keeps <code>a &#60;b&#62;</code> &#38; &#34;more&#34;.</p>');
    const found = page.matchAll(/<h2 id="tag-(\w*)"|<details class="operation \w+" id="(\w+)"/g);
    expect(Array.from(found, ([, tag, id]) => tag ?? id)).toEqual(['A', 'one', 'three', 'B', 'two', '', 'four']);
  });

  it('knows the key of listed items from the path of one, not from a path below it', () => {
    const id = (name: string, example: string) => ({ name, in: 'path', type: 'string', 'x-example': example });
    const properties = { key: { type: 'string', example: 'k' }, part: { type: 'string', example: 'p' } };
    const items = { type: 'object', properties };
    const paths = {
      '/a/{id}/parts/{part}': { get: { ...operation, parameters: [id('id', 'k'), id('part', 'p')] } },
      '/a/{id}': { get: { ...operation, parameters: [id('id', 'k')] } },
      '/a': { get: { ...operation, responses: { 200: { description: '', schema: { type: 'array', items } } } } },
    };
    expect(make({}, { paths }).match(/data-key="\w+"/g)).toEqual(['data-key="key"']);
  });

  it('tells once what all operations answer alike, and nothing of answers that say nothing', () => {
    const schema = {
      type: 'object',
      properties: { nested: { type: 'array', items: { type: 'object', properties: { deep: {} } } } },
    };
    const responses = {
      200: { description: 'OK', schema },
      204: {},
      299: { headers: { ETag: { type: 'string' } } },
      500: { description: 'It failed.', schema, examples: { 'application/json': { title: 'Out of order' } } },
    };
    const other = { description: '', schema, examples: { 'application/json': { title: 'Overloaded' } } };
    const paths = {
      '/a': { get: { ...operation, responses }, put: { ...operation, responses } },
      '/b': { get: { ...operation, responses: { 500: other } } },
    };
    const page = make({}, { paths, definitions: { Failure: schema } });
    expect(
      page.match(/<b class="s5">500<\/b> <span>Out of order<\/span><\/dt><dd data-about>It failed\./g),
    ).toHaveLength(2);
    expect(page.match(/&#34;title&#34;: &#34;Out of order&#34;/g)).toHaveLength(1);
    expect(page.match(/&#34;title&#34;: &#34;Overloaded&#34;/g)).toHaveLength(1);
    expect(page).toMatch(/<b class="s2">204<\/b> <span>No Content<\/span><\/dt><dd data-about><\/dd><\/div>/);
    expect(page).toMatch(/<code>nested<\/code>.*<code>deep<\/code>/);
  });

  it('has the field for a token where operations ask for one, and no code for it where none does', () => {
    const { securityDefinitions: _, ...undeclared } = documentWithTokens;
    expect(makePage(documentWithTokens)).toMatch(/<input type="password" id="token".*Bearer \$TOKEN/s);
    const token = { type: 'apiKey', name: 'Authorization', in: 'header' } as const;
    expect(makePage({ ...documentWithTokens, securityDefinitions: { token } })).toContain('> Sent in Authorization,');
    for (const open of [undeclared, parcelsDocument]) expect(makePage(open)).not.toMatch(/\$TOKEN|id="token"/);
  });

  it('has the example of a success at its operation, a description for search engines, and an icon whose URL is one', () => {
    const page = makePage(parcelsDocument);
    const operation = /<details class="operation get" id="ApiParcelByIdGet">.*?<details class="operation/s.exec(
      page,
    )?.[0];
    const example = exampleOf({ $ref: '#/definitions/Parcel' }, parcelsDocument.definitions);
    expect(operation).toContain(html`${indented(example)}`.text);
    expect(page).toContain(`<meta name="description" content="${parcelsDocument.info.description}">`);
    const icon = /<link rel="icon" href="([^"]*)"/.exec(page)?.[1] as string;
    expect(new URL(icon).href).toBe(icon);
    expect(icon).not.toMatch(/ /);
    expect(decodeURIComponent(icon)).toMatch(/<svg .*<\/svg>$/);
  });

  it('takes at most 25,000 bytes, compressed, for ten resources of eleven members', () => {
    const { 'page.gzip': compressed } = makeAssets('{}', '{}', makePage(ofTenResources()));
    expect(Buffer.from(compressed?.body as string, 'base64').length).toBeLessThanOrEqual(25_000);
  });
});

/** Makes a document of parcels under ten names, with other members and descriptions. */
function ofTenResources(): Document {
  const names = 'Invoice Customer Parcel Store Booking Employee Contract Ticket Recipe Car'.split(' ');
  const documents = names.map((name): Document => {
    const text = JSON.stringify(parcelsDocument)
      .replaceAll('Parcel', name)
      .replaceAll('parcel', name.toLowerCase())
      .replaceAll(/"(label|note|service|day|due|pieces|weight|fragile|sizes)"/g, `"$1Of${name}"`)
      .replaceAll(/(What|How|When|Whether) ([^"]*)\bit\b/g, `$1 $2the ${name}`);
    return JSON.parse(text);
  });
  const all = (part: 'paths' | 'definitions') => Object.assign({}, ...documents.map((document) => document[part]));
  return { info, paths: all('paths'), definitions: all('definitions') };
}

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
    html`${inputsOf({ ...operation, parameters, produces }, 'put', definitions, 'f')}`.text;

  it('stand in the order of use: path, query, body, header fields, media types', () => {
    const parameters = [
      { name: 'If-Match', in: 'header', type: 'string' },
      note,
      { name: 'limit', in: 'query', type: 'integer' },
      { name: 'id', in: 'path', type: 'string', required: true },
    ];
    const markup = fields(parameters, ['text/plain', 'application/json']);
    const names = Array.from(markup.matchAll(/ name="([^"]*)"/g), ([, name]) => name);
    expect(names).toEqual(['id', 'limit', 'note', 'If-Match', 'Accept']);
    const hidden = '<input type="hidden" name="Accept" data-for="header" value="text/plain">';
    expect(fields([], ['text/plain'])).toBe(hidden);
  });

  it('offer a choice for booleans and enumerations, and no value for optional ones', () => {
    const open = fields([{ name: 'open', in: 'query', type: 'boolean' }]);
    expect(open).toMatch(/<select .*<option value="">–<\/option><option>true<\/option><option>false<\/option>/);
    const size = fields([{ name: 'size', in: 'query', type: 'string', enum: ['A4', 'A5'], required: true }]);
    expect(size).toMatch(/aria-required="true"><option>A4<\/option><option>A5<\/option><\/select>/);
  });

  it('say in one or two short sentences what they are, and fold the rest', () => {
    const of = (description: string) => fields([{ name: 'id', in: 'path', description, 'x-example': 7 }]);
    expect(of('One. Two. Three. Four.')).toMatch(
      /-about">One\. Two\. For example <code>7<\/code>\.<\/p>.*<p>Three\. Four\./,
    );
    const long = `Two ${'and more '.repeat(15)}.`;
    expect(of(`One. ${long}`)).toMatch(new RegExp(`-about">One\\. For .*More</summary><p>${long}</p>`));
    expect(of('One.')).not.toContain('details');
    const headers = ['If-Match', 'X-Odd'].map((name) => ({ name, in: 'header', description: 'Tags.', required: true }));
    expect(fields(headers)).toMatch(/<summary>About If-Match, X-Odd<\/summary>.*Tags\..*Tags\./);
  });

  it('mark the member of a body that must be the id in the path, by its example', () => {
    const path = { name: 'id', in: 'path', type: 'string', 'x-example': '1' };
    expect(fields([path, note])).toContain('data-key="id"');
    expect(fields([{ ...path, 'x-example': '2' }, note])).not.toContain('data-key');
    expect(fields([path, { name: 'note', in: 'body' }])).not.toContain('data-key');
  });
});

describe('the example', () => {
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
  ])('of %j is %j', (definition, example) => {
    expect(exampleOf(definition, definitions)).toEqual(example);
  });

  it("of a POST's body lacks the members that the service assigns to a new item", () => {
    expect(exampleBodyOf(note.schema, 'put', definitions)).toEqual({ id: '1', text: 'Hello', isDone: false });
    expect(exampleBodyOf(note.schema, 'post', definitions)).toEqual({ text: 'Hello', isDone: false });
    expect(exampleBodyOf({}, 'post', definitions)).toEqual({});
  });
});

it.each<[definition: Definition, text: string]>([
  [{ type: 'integer', minimum: 1, maximum: 1000, default: 50 }, 'integer from 1 to 1000, default 50'],
  [{ type: 'number', minimum: 0 }, 'number of at least 0'],
  [{ type: 'number', minimum: 0, exclusiveMinimum: true }, 'number above 0'],
  [{ type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 0.5 }, 'number above 0 and at most 0.5'],
  [{ type: 'string', format: 'uuid', minLength: 1, maxLength: 64 }, 'string (uuid) of 1 to 64 characters'],
  [{ type: 'string', enum: ['low', 'high'], default: 'low' }, 'string one of low, high, default &#34;low&#34;'],
  [{ type: 'string', pattern: '^<\\d+>$' }, 'string, matching <code>^&#60;\\d+&#62;$</code>'],
  [{ type: 'boolean', 'x-nullable': true }, 'boolean or null'],
  [
    { type: 'array', items: { type: 'integer', maximum: 9 }, maxItems: 3, uniqueItems: true, 'x-nullable': true },
    'array of integer of at most 9, of at most 3 items, without duplicates, or null',
  ],
  [{ type: 'array', items: { $ref: '#/definitions/No"te' } }, 'array of <a href="#model-No%22te">No&#34;te</a>'],
  [{}, ''],
])('the text for the type %j is %j', (definition, text) => {
  expect(html`${typeOf(definition)}`.text).toBe(text);
});
