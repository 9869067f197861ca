import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { LARGEST_CONTENT, LARGEST_RESULT } from '../../shared/gateway/gateway.js';
import { listed } from '../../shared/http/answer.js';
import { route } from '../../shared/routing/route.js';
import { restUnder, typicalGateways } from '../support/gateways/gateways.js';
import { anItem, COLLECTION } from '../support/service/resource.js';
import { startService } from '../support/service/service.js';

describe('a list page by page', () => {
  const service = startService();

  beforeAll(async () => {
    for (let number = 1; number <= 5; number += 1) {
      await service.call('POST', COLLECTION, { body: anItem(`item ${number}`) });
    }
  });

  it.each([1, 4, 5, 6, 1000])('has at most %i items a page, and all of them in order', async (limit) => {
    const pages: unknown[][] = [];
    for (let path: string | undefined = `${COLLECTION}?limit=${limit}`; path !== undefined; ) {
      const { json, headers } = await service.call('GET', path);
      pages.push(json);
      expect(pages.length).toBeLessThanOrEqual(6);
      path = /^<(.*)>; rel="next"$/.exec(headers.link ?? '')?.[1]?.slice(service.prefix.length);
    }
    expect(pages.flat()).toEqual((await service.call('GET', COLLECTION)).json);
    expect(pages.map((page) => page.length)).toEqual(
      Array.from({ length: Math.ceil(6 / limit) }, (_, index) => Math.min(limit, 6 - index * limit)),
    );
  });

  it.each([
    ['limit=0', 'limit', 'Must be an integer from 1 to 1000, not 0.'],
    ['limit=1001', 'limit', 'Must be an integer from 1 to 1000, not 1001.'],
    ['after=1', 'after', expect.stringMatching(/^Must be a GUID such as ".*", not "1"\.$/)],
  ])('is answered 400 with %s, and the problem names the parameter', async (query, parameter, detail) => {
    const answer = await service.call('GET', `${COLLECTION}?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.json.detail).toBe('The query is not valid; see errors.');
    expect(answer.json.errors).toEqual([{ parameter, detail }]);
  });
});

describe('the link of a list with filters', () => {
  const NEXT = '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47';
  const query = {
    limit: { type: 'integer' },
    after: { type: 'string', format: 'uuid' },
    open: { type: 'boolean' },
    text: { type: 'string' },
  } as const;
  /** Answers with the parameters, as a page that always has a next one. */
  const listParameters = route({
    method: 'GET',
    template: '/api/parameters',
    query,
    answers: { 200: { headers: ['Link'] } },
    run: async ({ request, query }) =>
      listed(request, '/api/parameters', { json: JSON.stringify(query), next: NEXT }, query),
  });

  beforeAll(() => {
    jest.doMock('../../functions/routes.js', () => ({ routes: [listParameters] }));
  });

  afterAll(() => {
    jest.dontMock('../../functions/routes.js');
  });

  it.each(typicalGateways)('has each parameter that the caller sent, behind $name', async (gateway) => {
    const service = startService(gateway);
    for (const [sent, values] of [
      ['open=true', { open: true }],
      ['text=a%20b%2Bc%26d%3De%23%25%3E%22&limit=5', { limit: 5, text: 'a b+c&d=e#%>"' }],
      ['text=%C3%A4%F0%9F%98%80&open=false', { open: false, text: 'ä😀' }],
      ['text=', { text: '' }],
    ]) {
      const { json, headers } = await service.call('GET', `/api/parameters?${sent}`);
      expect(json).toEqual(values);
      const [, path = ''] = /^<([!-~]*)>; rel="next"$/.exec(headers.link ?? '') ?? [];
      expect(path.startsWith(`${service.prefix}/api/parameters?`)).toBe(true);
      const next = await service.call('GET', path.slice(service.prefix.length));
      expect(next.json).toEqual({ ...json, after: NEXT });
    }
  });

  it('has the last value of a parameter, a new cursor, and nothing that is not declared', async () => {
    const sent = 'open=true&open=false&page=7&after=00000000-0000-0000-0000-000000000000&Text=x';
    const { headers } = await startService().call('GET', `/api/parameters?${sent}`);
    expect(headers.link?.replace(/^.*\?/, '')).toBe(`open=false&after=${NEXT}>; rel="next"`);
  });

  it('fits into a result with the longest prefix and origin; a longer query is answered 400', async () => {
    const origin = `https://${'a'.repeat(241)}.example.com:65535`;
    const prefix = `/${'p'.repeat(511)}`;
    const service = startService(restUnder(prefix), { CORS_ORIGINS: origin });
    const list = (query: string) => service.call('GET', `/api/parameters?${query}`, { headers: { Origin: origin } });
    const { headers } = await list(`limit=1&text=${'%22'.repeat(166)}`);
    expect(headers.link?.length).toBeGreaterThan(1_000);
    const bytes = Buffer.byteLength(JSON.stringify({ statusCode: 200, headers, body: '', isBase64Encoded: false }));
    expect(bytes).toBeLessThanOrEqual(LARGEST_RESULT - LARGEST_CONTENT);
    expect(await list(headers.link?.replace(/^.*\?|>.*$/g, '') as string)).toMatchObject({ status: 200, headers });
    const { status, json } = await list(`limit=1&text=${'%22'.repeat(167)}`);
    expect(status).toBe(400);
    expect(json.errors).toEqual([{ parameter: 'text', detail: expect.stringContaining('be shorter') }]);
  });
});
