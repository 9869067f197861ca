import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { makeAssets, securityHeaders } from '../../../docs/generator/assets.js';
import { makePage } from '../../../docs/page/markup/page.js';
import type { Document } from '../../../docs/page/markup/swagger-document.js';
import { documentOf, documentWithTokens, parcelsDocument } from '../../support/browser/documents.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const notes: Document = {
  info: { title: 'Notes', version: 'v<1>', description: 'Keeps `a <b>` & "more".' },
  paths: {},
  definitions: {},
};

const folder = temporaryFolder();

/** Makes a page of a style and a script. */
function make(parts: Readonly<Record<string, string>> = {}, document: Document = notes): string {
  for (const [name, text] of Object.entries({ 'style.css': '', 'browser/main.ts': '', ...parts })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return makePage(document, folder);
}

describe('the page', () => {
  it('has its style and its script inside, minified', () => {
    const html = make({
      'style.css': 'a {\n  color: red;\n}\n',
      'browser/main.ts': "import { it } from './it.js';\nalert(it as string);",
      'browser/it.ts': "export const it: string = '$&';",
    });
    expect(html).toMatch(/<style>a\{color:red\}\n?<\/style>.*<script>.*\$&.*<\/script>/s);
    expect(html).not.toContain('import');
  });

  it('says what the document says, escaped, and code as code', () => {
    const html = make();
    expect(html).toContain('<h1>Notes <small>v&#60;1&#62;</small></h1>');
    expect(html).toContain('<p>Keeps <code>a &#60;b&#62;</code> &#38; &#34;more&#34;.</p>');
  });

  it('keeps a script from ending its element or opening a comment', () => {
    const html = make({ 'browser/main.ts': `alert('</script>', '<!--', '<Script>', '<b>');` });
    expect(html.match(/<\/?script|<!--/gi)).toEqual(['<script', '</script']);
    expect(html).toContain("'<b>'".replaceAll("'", '"'));
  });

  it('rejects a style that would end its element, and a folder in which a part is missing', () => {
    expect(() => make({ 'style.css': 'a { --x: </Style> }' })).toThrow(/style\.css can't stand inside a page/);
    expect(() => makePage(notes, join(folder, 'nowhere'))).toThrow(/style\.css/);
  });

  it('has operations under their tags, in the order of the document', () => {
    const operation = { summary: '', parameters: [], responses: {} };
    const paths = {
      '/a': { get: { ...operation, operationId: 'one', tags: ['A'] } },
      '/b': {
        get: { ...operation, operationId: 'two', tags: ['B'] },
        put: { ...operation, operationId: 'three', tags: ['A'] },
      },
    };
    const found = make({}, { ...notes, paths }).matchAll(
      /<h2 id="tag-(\w)"|<details class="operation \w+" id="(\w+)"/g,
    );
    expect(Array.from(found, ([, tag, id]) => tag ?? id)).toEqual(['A', 'one', 'three', 'B', 'two']);
  });

  it('tells once what all operations answer alike, and nothing of answers that say nothing', () => {
    const schema = {
      type: 'object',
      properties: { nested: { type: 'array', items: { type: 'object', properties: { 'deep <b>': {} } } } },
    };
    const responses = {
      200: { description: 'OK', schema },
      204: {},
      299: { headers: { ETag: { type: 'string' } } },
      500: { description: 'It <failed>.', schema, examples: { 'application/json': { title: 'Out of order' } } },
    };
    const operation = { tags: ['A'], summary: '', operationId: '', parameters: [], responses };
    const paths = { '/a': { get: operation, put: { ...operation, tags: [] } } };
    const html = make({}, { ...notes, paths, definitions: { Failure: schema } });
    expect(
      html.match(/<b class="s5">500<\/b> <span>Out of order<\/span><\/dt><dd data-about>It &#60;failed&#62;\./g),
    ).toHaveLength(2);
    expect(html.match(/&#34;title&#34;: &#34;Out of order&#34;/g)).toHaveLength(1);
    expect(html).toMatch(/<b class="s2">204<\/b> <span>No Content<\/span><\/dt><dd data-about><\/dd><\/div>/);
    expect(html).toMatch(/<code>nested<\/code>.*<code>deep &#60;b&#62;<\/code>/);
  });
});

describe('the page of parcels', () => {
  const html = makePage(parcelsDocument);

  it('loads nothing else, and has no script or style in attributes, which its policy would block', () => {
    const outside = html.replace(/<(style|script)>.*?<\/\1>/gs, '');
    expect(outside.match(/\s(on\w+|style|srcset|action|formaction)=/gi)).toBeNull();
    expect(outside.match(/\s(src|href)="(?!#|data:|v1\/)[^"]*"/gi)).toBeNull();
    expect(/<style>(.*)<\/style>/s.exec(html)?.[1]).not.toMatch(/@import|url\((?!["']?data:)/i);
  });

  it('has the field for a token where operations ask for one, and no code for it where none does', () => {
    const { securityDefinitions: _, ...undeclared } = documentWithTokens;
    expect(makePage(documentWithTokens)).toMatch(/<input type="password" id="token".*Bearer \$TOKEN/s);
    expect(makePage(undeclared)).not.toMatch(/\$TOKEN|id="token"/);
    expect(html).not.toMatch(/\$TOKEN|id="token"/);
  });

  it.each([
    ['three resources of eleven members', 17_000, documentOf(3)],
    ['ten resources of eleven members', 24_000, documentOf(10)],
  ])('takes no more bytes than it may, compressed, for %s: %i', (_, most, described) => {
    const { 'page.gzip': compressed } = makeAssets('{}', '{}', makePage(described));
    expect(Buffer.from(compressed?.body as string, 'base64').length).toBeLessThanOrEqual(most);
  });
});

describe("the page's header fields", () => {
  const html = '<style>a {}</style><script type="application/json">{}</script><script>f()</script>';
  const fields = securityHeaders(html);

  it('admit its scripts and styles by hash, and nothing else', () => {
    // As `printf 'f()' | openssl dgst -sha256 -binary | base64` has them.
    expect(fields['Content-Security-Policy']?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'sha256-GcEEE0IkDzIP5EQ6DXZaDPORqT5RTBELX8Fyzyg9yvo='",
      "style-src 'sha256-mkSHzL7faOU7/U/v8Umg+058R69+vN2A2xmE3Fz1q98='",
      'img-src data:',
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
  });

  it('are those that scanners look for', () => {
    expect(fields).toMatchObject({
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Permissions-Policy': expect.stringMatching(/^accelerometer=\(\), camera=\(\), .*, xr-spatial-tracking=\(\)$/),
      'Referrer-Policy': 'no-referrer',
      'Strict-Transport-Security': 'max-age=63072000',
      'X-Frame-Options': 'DENY',
    });
  });
});
