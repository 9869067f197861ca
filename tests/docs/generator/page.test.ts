import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { securityHeaders } from '../../../docs/generator/assets.js';
import { type Document, makePage } from '../../../docs/generator/page.js';
import { COLLECTION, SCHEMA } from '../../support/service/resource.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const notes: Document = {
  info: { title: 'Notes', version: 'v<1>', description: 'Keeps `a <b>` & "more".' },
  paths: {},
  definitions: {},
};

const folder = temporaryFolder();

/** Makes a page of a template, a style and a script. */
function make(template: string, parts: Readonly<Record<string, string>> = {}, document: Document = notes): string {
  const files = { 'page.eta': template, 'style.css': '', 'main.ts': '', ...parts };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return makePage(document, folder);
}

describe('the page', () => {
  it('has its style and its script inside, minified', () => {
    const parts = {
      'style.css': 'a {\n  color: red;\n}\n',
      'main.ts': "import { it } from './it.js';\nalert(it as string);",
      'it.ts': "export const it: string = '$&';",
    };
    const html = make('<%~ it.style() %>|<%~ it.script() %>', parts);
    expect(html).toMatch(/^a\{color:red\}\n?\|.*\$&.*$/s);
    expect(html).not.toContain('import');
  });

  it('says what the document says, escaped, and code as code', () => {
    expect(make('<%= it.info.version %> <%~ it.text(it.info.description) %> <%~ it.text() %>|')).toBe(
      'v&lt;1&gt; Keeps <code>a &lt;b&gt;</code> &amp; &quot;more&quot;. |',
    );
  });

  it('keeps a script from ending its element or opening a comment', () => {
    const html = make('<%~ it.script() %>', { 'main.ts': `alert('</script>', '<!--', '<Script>', '<b>');` });
    expect(html).not.toMatch(/<\/?script|<!--/i);
    expect(html).toContain('<b>');
  });

  it('rejects a style that would end its element', () => {
    expect(() => make('<%~ it.style() %>', { 'style.css': 'a { --x: </Style> }' })).toThrow(
      /style\.css can't stand inside a page/,
    );
  });

  it('rejects a folder in which a part is missing', () => {
    expect(() => makePage(notes, join(folder, 'nowhere'))).toThrow(/ENOENT.*page\.eta/);
  });

  it('links types to their definitions, and has operations under their tags, in the order of the document', () => {
    const operation = { summary: '', operationId: '', parameters: [], responses: {} };
    const document = {
      ...notes,
      paths: {
        '/a': { get: { ...operation, tags: ['A'] } },
        '/b': { get: { ...operation, tags: ['B'] }, put: { ...operation, tags: ['A'] } },
      },
    };
    const template = `<% for (const { tag, operations } of it.sections) { %><%= tag %>:<%= operations.map(({ method, path }) => method + path) %> <% } %>
<%~ it.typeOf({ schema: { items: { $ref: '#/definitions/No"te' } } }) %> <%~ it.typeOf({ type: '<b>' }) %> <%= it.reasonOf('404') + it.reasonOf('299') %> <%= it.example({ type: 'boolean' }) %>`;
    expect(make(template, {}, document)).toBe(
      'A:get/a,put/b B:get/b array of <a href="#model-No%22te">No&quot;te</a> &lt;b&gt; Not Found false',
    );
  });
});

describe('the page that is served', () => {
  const document = JSON.parse(readFileSync('docs/swagger.json', 'utf8'));
  const html = makePage(document);

  it('loads nothing else, and has no script or style in attributes, which its policy would block', () => {
    const outside = html.replace(/<(style|script)>.*?<\/\1>/gs, '');
    expect(outside.match(/\s(on\w+|style|srcset|action|formaction)=/gi)).toBeNull();
    expect(outside.match(/\s(src|href)="(?!#|data:|v1\/)[^"]*"/gi)).toBeNull();
    expect(/<style>(.*)<\/style>/s.exec(html)?.[1]).not.toMatch(/@import|url\((?!["']?data:)/i);
    const policy = securityHeaders(html)['Content-Security-Policy'];
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|https?:|\*/);
    expect(policy?.match(/'sha256-/g)).toHaveLength(2);
  });

  it('is made of parts that do not name the resource', () => {
    const known = new RegExp(`${COLLECTION}|${SCHEMA.title}`, 'i');
    for (const name of readdirSync('docs/page')) {
      expect([name, known.exec(readFileSync(`docs/page/${name}`, 'utf8'))]).toEqual([name, null]);
    }
  });
});

const WITH_SCRIPTS = '<style>a {}</style><script type="application/json">{}</script><script>f()</script>';

describe("the page's header fields", () => {
  it('admit its scripts and styles by hash, and nothing else', () => {
    // As `printf 'f()' | openssl dgst -sha256 -binary | base64` has them.
    expect(securityHeaders(WITH_SCRIPTS)['Content-Security-Policy']).toBe(
      [
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
      ].join('; '),
    );
  });

  it('are those that scanners look for', () => {
    expect(securityHeaders(WITH_SCRIPTS)).toMatchObject({
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Permissions-Policy': expect.stringMatching(/^accelerometer=\(\), camera=\(\), .*, xr-spatial-tracking=\(\)$/),
      'Referrer-Policy': 'no-referrer',
      'Strict-Transport-Security': 'max-age=63072000',
      'X-Frame-Options': 'DENY',
    });
  });
});
