import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { makeAssets } from '../../../shared/swagger/assets.js';

const parts = mkdtempSync(join(tmpdir(), 'todo-parts-'));
const template = '<style>/* a.css */</style><script>/* a.js */</script>';

function make(css: string, js: string) {
  writeFileSync(join(parts, 'a.css'), css);
  writeFileSync(join(parts, 'a.js'), js);
  return makeAssets('{ "swagger": "2.0" }', template, parts);
}

describe('the assets', () => {
  it('are the document, and the page compressed and plain', () => {
    const assets = make('p {}', "$&('$1')");
    expect(assets.document?.body).toBe('{"swagger":"2.0"}');
    expect(assets['page.identity']?.body).toBe("<style>p {}</style><script>$&('$1')</script>");
    expect(gunzipSync(Buffer.from(assets['page.gzip']?.body as string, 'base64')).toString()).toBe(
      assets['page.identity']?.body,
    );
  });

  it('are the same wherever they are made', () => {
    expect(make('p {}', 'a()')).toEqual(make('p {}', 'a()'));
    expect(Buffer.from(make('', '')['page.gzip']?.body as string, 'base64')[9]).toBe(0xff);
  });

  it('change their entity tags when they change', () => {
    const [one, other] = [make('p {}', 'a()'), make('p {}', 'b()')];
    expect(one.document?.headers.ETag).toBe(other.document?.headers.ETag);
    expect(one['page.identity']?.headers.ETag).not.toBe(other['page.identity']?.headers.ETag);
  });

  it('have entity tags of one length, of letters, digits and what may stand in a name', () => {
    const tags = Array.from({ length: 20 }, (_, index) => make('', `f(${index})`)['page.identity']?.headers.ETag);
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]{27}"$/);
    expect(tags.join('')).toMatch(/-/);
  });

  it('keep a script from ending its element or opening a comment', () => {
    const { body } = make('', "f('<!--', '</SCRIPT>', '<script>', '<b>')")['page.identity'] ?? {};
    expect(body).toContain("<script>f('\\x3C!--', '\\x3C/SCRIPT>', '\\x3Cscript>', '<b>')</script>");
  });

  it('refuse a style that would end its element', () => {
    expect(() => make('a { content: "</Style>" }', '')).toThrow(/a\.css can't stand inside a page/);
  });

  it('are what the build has put beside the code: if this fails, run npm run build', () => {
    const made = makeAssets(
      readFileSync('docs/swagger.json', 'utf8'),
      readFileSync('docs/ui.html', 'utf8'),
      'node_modules/swagger-ui-dist',
    );
    for (const [name, response] of Object.entries(made)) {
      expect([name, JSON.parse(readFileSync(`dist/${name}.json`, 'utf8'))]).toEqual([name, response]);
    }
  });
});
