import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { gateways, restUnder } from '../support/gateways/gateways.js';
import { startDeployed } from '../support/service/deployed.js';

const service = startDeployed();
const get = (path: string, headers: Record<string, string> = {}) => service.call('GET', path, { headers });

const committed = (name: string) => JSON.parse(readFileSync(`docs/${name}`, 'utf8'));

it.each(['swagger.json', 'openapi.json'])('GET /swagger/v1/%s answers the document', async (name) => {
  const { status, headers, json } = await get(`/swagger/v1/${name}`);
  expect(status).toBe(200);
  expect(headers).toEqual({
    'content-type': 'application/json',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    etag: expect.any(String),
  });
  expect(json).toEqual({ ...committed(name), ...(name === 'openapi.json' && { servers: [{ url: service.prefix }] }) });
});

it.each([...gateways, restUnder("/$&a,b/$'c%20d")])(
  'behind $name, the OpenAPI document leads clients to where they got it, with an entity tag for each prefix: $prefix',
  async (gateway) => {
    const { call, prefix } = startDeployed(gateway);
    const path = '/swagger/v1/openapi.json';
    const { json, headers } = await call('GET', path);
    expect(json).toEqual({ ...committed('openapi.json'), servers: [{ url: prefix || '/' }] });
    const known = { 'If-None-Match': `"other", ${headers.etag}` };
    expect(await call('GET', path, { headers: known })).toMatchObject({ status: 304, headers: { etag: headers.etag } });
    for (const other of ['', '/other'].filter((other) => other !== prefix)) {
      const elsewhere = await startDeployed(restUnder(other)).call('GET', path, { headers: known });
      expect(elsewhere).toMatchObject({ status: 200, json: { servers: [{ url: other || '/' }] } });
    }
    expect((await call('GET', '/swagger/v1/swagger.json')).json).toEqual(committed('swagger.json'));
  },
);

const PATHS = ['/swagger/v1/swagger.json', '/swagger/v1/openapi.json', '/swagger/ui'];

it.each(PATHS)('%s has a strong entity tag, and answers 304 to a caller who has it', async (path) => {
  const gzip = { 'Accept-Encoding': 'gzip' };
  const { etag } = (await get(path, gzip)).headers as { etag: string };
  expect(etag).toMatch(/^"[\w-]{27}[!#-~]*"$/);
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await get(path, { ...gzip, 'If-None-Match': known });
    expect(answer).toMatchObject({ status: 304, text: '', headers: { etag, 'cache-control': 'no-cache' } });
    expect(answer.headers).not.toHaveProperty('content-type');
    expect(answer.headers).not.toHaveProperty('content-encoding');
  }
  for (const other of ['"other"', 'malformed']) expect((await get(path, { 'If-None-Match': other })).status).toBe(200);
});

describe('the page', () => {
  it('is compressed if Accept-Encoding allows it, with an entity tag of its own', async () => {
    const compressed = await get('/swagger/ui', { 'Accept-Encoding': 'gzip, deflate, br' });
    const plain = await get('/swagger/ui', { 'Accept-Encoding': 'gzip;q=0' });
    for (const { headers } of [compressed, plain])
      expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', vary: 'Accept-Encoding' });
    expect([compressed, plain].map(({ headers }) => headers['content-encoding'])).toEqual(['gzip', undefined]);
    expect(gunzipSync(compressed.content).toString()).toBe(plain.text);
    expect(compressed.headers.etag).not.toBe(plain.headers.etag);
  });

  it('has a policy that allows its own script and style by hash, and nothing else', async () => {
    const { headers, text } = await get('/swagger/ui');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/]{43}='; style-src 'sha256-[\w+/]{43}='; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'$/,
    );
    expect(text).not.toMatch(/<(script|link|img)[^>]* (src|href)="(?!data:)/);
  });
});
