import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { makeAssets } from '../../../docs/generator/assets.js';
import { makePage } from '../../../docs/page/markup/page.js';

const make = (html: string) => makeAssets('{ "swagger": "2.0" }', '{ "openapi": "3.1.0" }', html);

it('the assets are both documents, and the page compressed and uncompressed, the same on every operating system', () => {
  const { document, openapi, 'page.identity': plain, 'page.gzip': compressed } = make('<p>page');
  const bodies = [document, openapi, plain].map((asset) => asset?.body);
  expect(bodies).toEqual(['{"swagger":"2.0"}', '{"openapi":"3.1.0"}', '<p>page']);
  const bytes = Buffer.from(compressed?.body as string, 'base64');
  expect(gunzipSync(bytes).toString()).toBe('<p>page');
  // This byte would name the operating system.
  expect(bytes[9]).toBe(0xff);
});

it('the page has a policy for its own style and script, and the header fields that scanners look for', () => {
  const { 'page.gzip': page } = make('<style>a {}</style><script type="x">g()</script><script>f()</script>');
  const { 'Content-Security-Policy': policy, ...headers } = page?.headers ?? {};
  // As `printf 'f()' | openssl dgst -sha256 -binary | base64` has them.
  expect(policy).toContain("; script-src 'sha256-GcEEE0IkDzIP5EQ6DXZaDPORqT5RTBELX8Fyzyg9yvo='; ");
  expect(policy).toContain("; style-src 'sha256-mkSHzL7faOU7/U/v8Umg+058R69+vN2A2xmE3Fz1q98='; ");
  expect(policy).toMatch(/; require-trusted-types-for 'script'; trusted-types 'none'$/);
  expect(headers).toMatchObject({
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': expect.stringMatching(/^accelerometer=\(\), camera=\(\), .*, xr-spatial-tracking=\(\)$/),
    'Referrer-Policy': 'no-referrer',
    'Strict-Transport-Security': 'max-age=63072000',
    'X-Frame-Options': 'DENY',
  });
});

it('the assets are what the last build wrote: if this fails, run npm run build', () => {
  const document = readFileSync('docs/swagger.json', 'utf8');
  const openapi = readFileSync('docs/openapi.json', 'utf8');
  for (const [name, response] of Object.entries(makeAssets(document, openapi, makePage(JSON.parse(document))))) {
    expect([name, JSON.parse(readFileSync(`dist/${name}.json`, 'utf8'))]).toEqual([name, response]);
  }
});
