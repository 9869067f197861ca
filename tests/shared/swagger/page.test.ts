import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Document } from '../../../shared/swagger/listing.js';
import { makePage } from '../../../shared/swagger/page.js';

const document: Document = {
  info: { title: 'Notes', version: 'v<1>', description: 'Keeps notes & "more".' },
  paths: {},
  definitions: {},
};

/** Makes a page of a template and parts. */
function make(template: string, parts: Readonly<Record<string, string>> = {}, described: Document = document): string {
  const folder = mkdtempSync(join(tmpdir(), 'todo-page-'));
  mkdirSync(join(folder, 'ui'));
  const files = { 'ui.html': template, 'swagger-ui.css': '', 'swagger-ui-bundle.js': '', 'ui/main.js': '', ...parts };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return makePage(described, folder, folder);
}

describe('the page', () => {
  it('has its parts where comments of their names stand', () => {
    const template =
      '<style>/* own.css */ @layer { /* swagger-ui.css */ }</style><script>/* swagger-ui-bundle.js */</script>';
    const parts = { 'ui/own.css': 'a {}', 'swagger-ui.css': 'b {}', 'swagger-ui-bundle.js': "$&('$1')" };
    expect(make(template, parts)).toBe("<style>a {} @layer { b {} }</style><script>$&('$1')</script>");
  });

  it('has its own script bundled', () => {
    const parts = { 'ui/main.js': "import { it } from './it.js'; alert(it);", 'ui/it.js': "export const it = 'this';" };
    expect(make('/* main.js */', parts)).toMatch(/^\(\(\)=>\{.*"this".*alert\(.*\}\)\(\);\n$/);
  });

  it('says what the document says, escaped', () => {
    expect(make('<!-- version --> <!-- description -->')).toBe('v&lt;1&gt; Keeps notes &amp; &quot;more&quot;.');
  });

  it('has the document inside, which ends no element however it reads', () => {
    const described = { ...document, info: { ...document.info, title: '</script><script>alert()' } };
    const html = make('<!-- document -->', {}, described);
    const [, json] = /^<script type="application\/json" id="document">([^<]+)<\/script>$/.exec(html) ?? [];
    expect(JSON.parse(json as string)).toEqual(described);
  });

  it('keeps a script from ending its element or opening a comment', () => {
    const script = "f('<!--', '</SCRIPT>', '<script>', '<b>')";
    const parts = { 'swagger-ui-bundle.js': script, 'ui/main.js': `alert('</script>');` };
    expect(make('/* swagger-ui-bundle.js */', parts)).toBe("f('\\x3C!--', '\\x3C/SCRIPT>', '\\x3Cscript>', '<b>')");
    expect(make('/* main.js */', parts)).not.toContain('</script');
  });

  it('refuses a style that would end its element', () => {
    expect(() => make('/* own.css */', { 'ui/own.css': 'a { content: "</Style>" }' })).toThrow(
      /own\.css can't stand inside a page/,
    );
  });

  it('refuses a part that is not there', () => {
    expect(() => make('/* none.css */')).toThrow(/ENOENT.*none\.css/);
  });

  it('has the title of the document', () => {
    const { info } = JSON.parse(readFileSync('docs/swagger.json', 'utf8'));
    const template = readFileSync('docs/ui.html', 'utf8');
    expect(template).toContain(`<title>${info.title}</title>`);
    expect(template).toContain(`<h1>${info.title} <small>`);
  });
});
