import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { makeAssets } from '../../../docs/generator/assets.js';
import { makePage } from '../../../docs/page/markup/page.js';

const make = (html: string) => makeAssets('{ "swagger": "2.0" }', '{ "openapi": "3.1.0" }', html);

describe('the assets', () => {
  it('are both documents, and the page compressed and uncompressed, the same on every operating system', () => {
    const { document, openapi, 'page.identity': plain, 'page.gzip': compressed } = make('<p>page');
    expect([document?.body, openapi?.body, plain?.body]).toEqual([
      '{"swagger":"2.0"}',
      '{"openapi":"3.1.0"}',
      '<p>page',
    ]);
    const bytes = Buffer.from(compressed?.body as string, 'base64');
    expect(gunzipSync(bytes).toString()).toBe('<p>page');
    // This byte would name the operating system.
    expect(bytes[9]).toBe(0xff);
  });

  it('change their entity tags when they change', () => {
    const [one, other] = [make('<p>one'), make('<p>other')];
    expect(one.document?.headers.ETag).toBe(other.document?.headers.ETag);
    expect(one['page.identity']?.headers.ETag).not.toBe(other['page.identity']?.headers.ETag);
  });

  it('have entity tags of the same length, of letters, digits, - and _', () => {
    const tags = Array.from({ length: 20 }, (_, index) => make(`<p>${index}`)['page.identity']?.headers.ETag);
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]{27}"$/);
    expect(tags.join('')).toMatch(/-/);
  });

  it('are what the last build wrote: if this fails, run npm run build', () => {
    const document = readFileSync('docs/swagger.json', 'utf8');
    const openapi = readFileSync('docs/openapi.json', 'utf8');
    for (const [name, response] of Object.entries(makeAssets(document, openapi, makePage(JSON.parse(document))))) {
      expect([name, JSON.parse(readFileSync(`dist/${name}.json`, 'utf8'))]).toEqual([name, response]);
    }
  });
});
