import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type Document, makePage } from '../../../shared/swagger/page.js';

const notes = {
  info: { title: 'Notes', version: 'v<1>', description: 'Keeps notes & "more".' },
  paths: {},
  definitions: {},
};

/** Makes a page of a template and parts. */
function make(template: string, parts: Readonly<Record<string, string>> = {}, described: Document = notes): string {
  const folder = mkdtempSync(join(tmpdir(), 'todo-page-'));
  mkdirSync(join(folder, 'ui'));
  const files = { 'ui.html': template, 'swagger-ui.css': '', 'swagger-ui-bundle.js': '', ...parts };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return makePage(described, folder, folder);
}

describe('the page', () => {
  it('has its parts where the template asks for them', () => {
    const template = '<%~ it.style("own") %> @layer { <%~ it.swaggerUi.style() %> } <%~ it.swaggerUi.script() %>';
    const parts = { 'ui/own.css': 'a {}', 'swagger-ui.css': 'b {}', 'swagger-ui-bundle.js': "$&('$1')" };
    expect(make(template, parts)).toBe("a {} @layer { b {} } $&('$1')");
  });

  it('has its own script bundled', () => {
    const parts = { 'ui/main.js': "import { it } from './it.js'; alert(it);", 'ui/it.js': "export const it = 'this';" };
    expect(make('<%~ it.script("main") %>', parts)).toMatch(/^\(\(\)=>\{.*"this".*alert\(.*\}\)\(\);\n$/);
  });

  it('says what the document says, escaped', () => {
    const template = '<%= it.info.version %> <%= it.info.description %>';
    expect(make(template)).toBe('v&lt;1&gt; Keeps notes &amp; &quot;more&quot;.');
  });

  it('has the document inside, which ends no element however it reads', () => {
    const described = { ...notes, info: { ...notes.info, title: '</script><script>alert()' } };
    const data = make('<%~ it.data %>', {}, described);
    expect(data).not.toContain('<');
    expect(JSON.parse(data)).toEqual(described);
  });

  it('keeps a script from ending its element or opening a comment', () => {
    const script = "f('<!--', '</SCRIPT>', '<script>', '<b>')";
    const parts = { 'swagger-ui-bundle.js': script, 'ui/main.js': `alert('</script>');` };
    expect(make('<%~ it.swaggerUi.script() %>', parts)).toBe("f('\\x3C!--', '\\x3C/SCRIPT>', '\\x3Cscript>', '<b>')");
    expect(make('<%~ it.script("main") %>', parts)).not.toContain('</script');
  });

  it('refuses a style that would end its element', () => {
    expect(() => make('<%~ it.style("own") %>', { 'ui/own.css': 'a { content: "</Style>" }' })).toThrow(
      /own\.css can't stand inside a page/,
    );
  });

  it('refuses a part that is not there', () => {
    expect(() => make('<%~ it.style("none") %>')).toThrow(/ENOENT.*none\.css/);
  });
});

const document = JSON.parse(readFileSync('docs/swagger.json', 'utf8'));

describe('the plain list in the page', () => {
  const plainList = (described: Document) => makePage(described).split('<noscript>')[0] as string;
  const html = plainList(document);

  it('has every operation, with its parameters and responses, under its tag', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods as object));
    for (const { operationId, parameters, responses } of operations) {
      const listed = html.slice(html.indexOf(`data-operation="${operationId}"`)).split('</details>')[0];
      for (const { name } of parameters) expect(listed).toContain(`<dt>${name} <small>in `);
      for (const status of Object.keys(responses)) expect(listed).toContain(`<dt>${status}`);
    }
    expect(html.match(/<h2>.*<\/h2>/g)).toEqual(['<h2>Todo</h2>']);
    expect(html).toContain('<dt>200 <small>array of TodoItem</small></dt><dd>OK</dd>');
    expect(html).toContain('<dt>204</dt><dd>No Content</dd>');
  });

  it('has the definitions, with the members of their members', () => {
    expect(html).toContain('<summary>TodoItem</summary>');
    expect(html).toContain('<dt>name <small>string, required</small></dt>');
    expect(html).toContain('<dt>isComplete <small>boolean, default false</small></dt>');
    expect(html).toMatch(/<dt>errors <small>array of object<\/small><\/dt><dd>[^<]*<dl>\s*<div><dt>pointer/);
  });

  it('escapes what is no HTML, shows code as code, and has no empty parts', () => {
    const operation = {
      tags: ['Notes'],
      summary: 'Counts `notes` <all>.',
      operationId: 'Count',
      parameters: [],
      responses: { 204: { description: 'No Content' } },
    };
    const counting = plainList({ ...notes, paths: { '/notes/{id}': { get: operation } } });
    expect(counting).toContain('<span class="words">Counts <code>notes</code> &lt;all&gt;.</span>');
    expect(counting).toContain('<span class="path"><wbr>/notes<wbr>/{id}</span>');
    expect(counting).not.toContain('Parameters');
    expect(counting).toContain('<title>Notes</title>');
  });
});
