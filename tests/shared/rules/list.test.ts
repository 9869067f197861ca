import { describe, expect, it } from '@jest/globals';
import { LARGEST_CONTENT, LARGEST_RESULT } from '../../../shared/gateway/gateway.js';
import { listed } from '../../../shared/http/answer.js';
import { route } from '../../../shared/routing/route.js';
import { restUnder, typicalGateways } from '../../support/gateways/gateways.js';
import type { Answer } from '../../support/service/answer.js';
import { PARCELS } from '../../support/service/parcels.js';
import { startService } from '../../support/service/service.js';

const keysOf = (answer: Answer): string[] => answer.json.map((item: { key: string }) => item.key);

describe('a list page by page', () => {
  const service = startService();
  const created = create(5);

  async function create(count: number): Promise<string[]> {
    const keys: string[] = [];
    while (keys.length < count) {
      keys.push((await service.call('POST', PARCELS, { body: { label: `item ${keys.length}` } })).json.key);
    }
    return keys;
  }

  /** Gets the page at a path and all later ones, by their links, and calls `between` after each. Returns the keys page by page. */
  async function follow(path: string, between = async () => {}): Promise<string[][]> {
    const pages: string[][] = [];
    for (let next: string | undefined = path; next !== undefined; ) {
      const answer: Answer = await service.call('GET', next);
      pages.push(keysOf(answer));
      expect(pages.length).toBeLessThan(50);
      next = /^<(.*)>; rel="next"$/.exec(answer.headers.link ?? '')?.[1]?.slice(service.prefix.length);
      await between();
    }
    return pages;
  }

  it.each([
    [1, [1, 1, 1, 1, 1, 1]],
    [4, [4, 2]],
    [5, [5, 1]],
    [6, [6]],
  ])('has at most %i items a page, and all of them in order', async (limit, lengths) => {
    const pages = await follow(`${PARCELS}?limit=${limit}`);
    expect(pages.flat().slice(1)).toEqual(await created);
    expect(pages.map(({ length }) => length)).toEqual(lengths);
  });

  it('continues behind any GUID, in either letter case, with a limit or without', async () => {
    const keys = await created;
    const behind = async (after: string, limit = '') =>
      keysOf(await service.call('GET', `${PARCELS}?after=${after}${limit}`));
    expect(await behind(keys[1] as string)).toEqual(keys.slice(2));
    expect(await behind((keys[1] as string).toUpperCase(), '&limit=1')).toEqual(keys.slice(2, 3));
    expect(await behind('ffffffff-ffff-4fff-bfff-ffffffffffff')).toEqual([]);
    expect((await behind('00000000-0000-0000-0000-000000000000')).slice(1)).toEqual(keys);
  });

  it('has every item that is there all the time exactly once and in order, whatever is written meanwhile', async () => {
    const keys = [...(await created), ...(await create(10))];
    const doomed = keys.filter((_, index) => index % 3 === 0);
    const staying = keys.filter((_, index) => index % 3 !== 0);
    let seen = 0;
    const pages = await follow(`${PARCELS}?limit=3`, async () => {
      seen += 1;
      for (const key of doomed.splice(0, 2)) await service.call('DELETE', `${PARCELS}/${key}`);
      await service.call('PATCH', `${PARCELS}/${staying[seen]}`, { body: { fragile: true } });
      if (seen < 4) await create(1);
    });
    const found = pages.flat();
    expect(new Set(found).size).toBe(found.length);
    expect(found.filter((key) => staying.includes(key))).toEqual(staying);
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

  it.each(typicalGateways)('has each parameter that the caller sent, behind $name', async (gateway) => {
    const service = startService(gateway, { routes: [listParameters] });
    for (const [sent, values] of [
      ['open=true', { open: true }],
      ['text=a%20b%2Bc%26d%3De%23%25%3E%22%C3%A4%F0%9F%98%80&limit=5', { limit: 5, text: 'a b+c&d=e#%>"ä😀' }],
      ['text=&open=true&open=false&page=7&Text=x', { text: '', open: false }],
    ]) {
      const { json, headers } = await service.call('GET', `/api/parameters?${sent}`);
      expect(json).toEqual(values);
      const [, path = ''] = /^<([!-~]*)>; rel="next"$/.exec(headers.link ?? '') ?? [];
      expect(path.startsWith(`${service.prefix}/api/parameters?`)).toBe(true);
      const next = await service.call('GET', path.slice(service.prefix.length));
      expect(next.json).toEqual({ ...json, after: NEXT });
    }
  });

  it('fits into a result with the longest prefix and origin; a longer query returns 400', async () => {
    const origin = `https://${'a'.repeat(241)}.example.com:65535`;
    const prefix = `/${'p'.repeat(511)}`;
    const service = startService(restUnder(prefix), { corsOrigins: [origin], routes: [listParameters] });
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
