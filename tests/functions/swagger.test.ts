import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { typicalGateways } from '../support/gateways/gateways.js';
import { startService } from '../support/service/service.js';

const committed = (name: string) => JSON.parse(readFileSync(`docs/${name}`, 'utf8'));

describe.each(typicalGateways)('behind $name', (gateway) => {
  const service = startService(gateway);

  describe('GET /swagger/v1/swagger.json', () => {
    it.each(['/swagger/v1/swagger.json', '/Swagger/V1/SWAGGER.JSON', '/swagger/v1/swagger.json/'])(
      'answers the document at %s',
      async (path) => {
        const answer = await service.call('GET', path);
        expect(answer.status).toBe(200);
        expect(answer.headers['content-type']).toBe('application/json');
        expect(answer.headers['cache-control']).toBe('no-cache');
        expect(answer.headers['x-content-type-options']).toBe('nosniff');
        expect(answer.json).toEqual(committed('swagger.json'));
        expect(answer.json.basePath).toBe('/');
      },
    );
  });

  describe('GET /swagger/v1/openapi.json', () => {
    it('answers the same in OpenAPI 3.1', async () => {
      const answer = await service.call('GET', '/swagger/v1/openapi.json');
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toBe('application/json');
      expect(answer.json).toEqual(committed('openapi.json'));
      expect(answer.json.openapi).toBe('3.1.0');
    });
  });

  describe('GET /swagger/ui', () => {
    it.each(['/swagger/ui', '/swagger/ui/', '/SWAGGER/UI/'])('answers the page at %s', async (path) => {
      const answer = await service.call('GET', path, { headers: { 'Accept-Encoding': 'gzip, deflate, br' } });
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.headers['content-encoding']).toBe('gzip');
      expect(answer.headers.vary).toBe('Accept-Encoding');
      expect(gunzipSync(answer.content).toString()).toMatch(/^<!doctype html>\n<html lang="en">/);
    });
  });

  it.each(['/', '/swagger', '/Swagger/'])('%s leads to the page, under whatever prefix', async (path) => {
    const answer = await service.call('GET', path);
    expect(answer.status).toBe(302);
    expect(answer.headers.location).toBe(`${gateway.prefix}/swagger/ui`);
    expect(answer.text).toBe('');
  });
});

describe.each(['/swagger/v1/swagger.json', '/swagger/v1/openapi.json', '/swagger/ui'])('%s', (path) => {
  const service = startService();
  const get = (headers: Record<string, string> = {}) => service.call('GET', path, { headers });

  it('has a strong entity tag, and answers 304 to a caller that has it', async () => {
    const { etag } = (await get()).headers as { etag: string };
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*', ' * ']) {
      const answer = await get({ 'If-None-Match': known });
      expect(answer.status).toBe(304);
      expect(answer.text).toBe('');
      expect(answer.headers).toMatchObject({ etag, 'cache-control': 'no-cache' });
      expect(answer.headers).not.toHaveProperty('content-type');
    }
    expect((await get({ 'If-None-Match': '"other"' })).status).toBe(200);
  });

  it('serves HEAD', async () => {
    const { headers } = await get();
    expect(await service.call('HEAD', path)).toMatchObject({ status: 200, headers, text: '' });
  });

  it('matches no other method', async () => {
    const answer = await service.call('POST', path, { body: {} });
    expect(answer.status).toBe(404);
    expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
  });
});

describe('the page', () => {
  const service = startService();
  const get = (accept: string) => service.call('GET', '/swagger/ui', { headers: { 'Accept-Encoding': accept } });

  it.each([
    ['gzip', 'gzip'],
    ['br;q=1.0, GZIP;q=0.1', 'gzip'],
    ['gzip;q=0', undefined],
    ['identity', undefined],
    ['br', undefined],
    ['', undefined],
  ])('with Accept-Encoding: %j is sent in the coding %s', async (accept, coding) => {
    expect((await get(accept)).headers['content-encoding']).toBe(coding);
  });

  it('is the same compressed and plain, under different entity tags', async () => {
    const [compressed, plain] = [await get('gzip'), await get('identity')];
    expect(gunzipSync(compressed.content).toString()).toBe(plain.text);
    expect(compressed.headers.etag).not.toBe(plain.headers.etag);
  });

  it('is one response of less than 20 kB', async () => {
    expect((await get('gzip')).content.length).toBeLessThan(20_000);
  });

  it('admits its own parts by hash, and nothing else', async () => {
    const { headers, text } = await get('identity');
    const policy = headers['content-security-policy'] as string;
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[\w+/]{43}='; style-src 'sha256-[\w+/]{43}='; /);
    expect(policy).toMatch(
      /img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-/,
    );
    expect(policy).not.toMatch(/unsafe|https?:/);
    expect(text).not.toMatch(/<(script|link|img)[^>]* (src|href)="(?!data:)/);
  });
});
