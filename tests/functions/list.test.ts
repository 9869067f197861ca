import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { LARGEST_CONTENT, LARGEST_RESULT } from '../../shared/gateway/gateway.js';
import { listed } from '../../shared/http/answer.js';
import { route } from '../../shared/routing/route.js';
import { type Gateway, gateways, typicalGateways } from '../support/gateways/gateways.js';
import type { Answer } from '../support/service/answer.js';
import { anItem, CHANGE, COLLECTION } from '../support/service/resource.js';
import { loadHandler, type Service, startService } from '../support/service/service.js';

const keysOf = (answer: Answer): string[] => answer.json.map((item: { key: string }) => item.key);

/** The path behind a list's link, without the prefix; undefined where the list ends. */
function nextOf(service: Service, { headers }: Answer): string | undefined {
  if (headers.link === undefined) return undefined;
  const [, path = ''] = /^<(.*)>; rel="next"$/.exec(headers.link) ?? [];
  expect(path.startsWith(`${service.prefix}${COLLECTION}?`)).toBe(true);
  return path.slice(service.prefix.length);
}

/** Lists from a path on, by following the links; what `between` does is done after each page. */
async function follow(service: Service, path: string, between = async () => {}): Promise<string[][]> {
  const pages: string[][] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const answer = await service.call('GET', next);
    expect(answer.status).toBe(200);
    pages.push(keysOf(answer));
    next = nextOf(service, answer);
    await between();
  }
  return pages;
}

async function create(service: Service, count: number): Promise<string[]> {
  const keys: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    keys.push((await service.call('POST', COLLECTION, { body: anItem(`item ${number}`) })).json.key);
  }
  return keys;
}

describe.each(typicalGateways)('a list page by page, behind $name', (gateway) => {
  const service = startService(gateway);
  const created = create(service, 5);

  it.each([1, 2, 3, 4, 5, 6, 1000])(
    'has at most %i items a page, and all of them in the order of their creation',
    async (limit) => {
      const keys = await created;
      const whole = keysOf(await service.call('GET', COLLECTION));
      expect(whole.slice(1)).toEqual(keys);
      const pages = await follow(service, `${COLLECTION}?limit=${limit}`);
      expect(pages.flat()).toEqual(whole);
      expect(pages.map((page) => page.length)).toEqual(
        Array.from({ length: Math.ceil(6 / limit) }, (_, index) => Math.min(limit, 6 - index * limit)),
      );
    },
  );

  it('has the last key of a page as the cursor of the next one', async () => {
    await created;
    const page = await service.call('GET', `${COLLECTION}?limit=4`);
    expect(nextOf(service, page)).toBe(`${COLLECTION}?limit=4&after=${keysOf(page)[3]}`);
  });

  it('goes on behind any GUID, in either letter case, without a limit or with one', async () => {
    const keys = await created;
    const behind = async (after: string, limit = '') =>
      keysOf(await service.call('GET', `${COLLECTION}?after=${after}${limit}`));
    expect(await behind(keys[1] as string)).toEqual(keys.slice(2));
    expect(await behind((keys[1] as string).toUpperCase(), '&limit=1')).toEqual(keys.slice(2, 3));
    expect(await behind(keys[4] as string)).toEqual([]);
    expect(await behind('ffffffff-ffff-4fff-bfff-ffffffffffff')).toEqual([]);
    expect((await behind('00000000-0000-0000-0000-000000000000')).slice(1)).toEqual(keys);
  });

  it('takes the last of repeated parameters and ignores others', async () => {
    await created;
    expect(keysOf(await service.call('GET', `${COLLECTION}?limit=1&Limit=x&limit=2&page=7`))).toHaveLength(2);
  });

  it.each([
    ['limit=0', 'limit', 'Must be an integer from 1 to 1000, not 0.'],
    ['limit=1001', 'limit', 'Must be an integer from 1 to 1000, not 1001.'],
    ['limit=', 'limit', 'Must be an integer from 1 to 1000, not "".'],
    ['after=1', 'after', expect.stringMatching(/^Must be a GUID such as ".*", not "1"\.$/)],
    ['after=', 'after', expect.stringMatching(/not ""\.$/)],
  ])('is refused with %s, and the problem names the parameter', async (query, parameter, detail) => {
    const answer = await service.call('GET', `${COLLECTION}?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.json.detail).toBe('The query is not valid; see errors.');
    expect(answer.json.errors).toEqual([{ parameter, detail }]);
  });

  it('has its link for HEAD, too, and a 400 without content', async () => {
    await created;
    const head = await service.call('HEAD', `${COLLECTION}?limit=1`);
    expect(nextOf(service, head)).toMatch(new RegExp(`^${COLLECTION}\\?limit=1&after=[\\w-]+$`));
    expect(await service.call('HEAD', `${COLLECTION}?limit=0`)).toMatchObject({ status: 400, text: '' });
  });
});

describe('a list page by page', () => {
  it('has every item that stays exactly once and in order, whatever is written meanwhile', async () => {
    const service = startService();
    const keys = await create(service, 60);
    const doomed = keys.filter((_, index) => index % 3 === 0);
    const staying = keys.filter((_, index) => index % 3 !== 0);
    let seen = 0;
    const pages = await follow(service, `${COLLECTION}?limit=7`, async () => {
      seen += 1;
      for (const key of doomed.splice(0, 4)) await service.call('DELETE', `${COLLECTION}/${key}`);
      await service.call('PATCH', `${COLLECTION}/${staying[seen]}`, { body: CHANGE });
      if (seen < 5) await create(service, 2);
    });
    const listed = pages.flat();
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed.filter((key) => staying.includes(key))).toEqual(staying);
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
  /** Answers with the parameters, each page being the last but one. */
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

  describe.each(typicalGateways)('behind $name', (gateway) => {
    /** Lists with a query, and then what the link leads to. */
    async function listTwice(sent: string) {
      const service = startService(gateway);
      const { json, headers } = await service.call('GET', `/api/parameters?${sent}`);
      const [, path = ''] = /^<([!-~]*)>; rel="next"$/.exec(headers.link ?? '') ?? [];
      expect(path.startsWith(`${service.prefix}/api/parameters?`)).toBe(true);
      return { first: json, path, next: (await service.call('GET', path.slice(service.prefix.length))).json };
    }

    it.each([
      ['open=true', { open: true }],
      ['open=false&limit=5', { limit: 5, open: false }],
      ['text=a%20b%2Bc%26d%3De%23%25%3E%22', { text: 'a b+c&d=e#%>"' }],
      ['text=%C3%A4%F0%9F%98%80&open=true', { text: 'ä😀', open: true }],
      ['text=&limit=1', { limit: 1, text: '' }],
    ])('keeps each parameter that the caller sent: %s', async (sent, values) => {
      const { first, next } = await listTwice(sent);
      expect(first).toEqual(values);
      expect(next).toEqual({ ...values, after: NEXT });
    });

    it('has the last value of a parameter, a new cursor, and nothing that is not declared', async () => {
      const { path } = await listTwice('open=true&open=false&page=7&after=00000000-0000-0000-0000-000000000000&Text=x');
      expect(path.replace(/^.*\?/, '')).toBe(`open=false&after=${NEXT}`);
    });

    it('is refused for what is no boolean', async () => {
      const { status, json } = await startService(gateway).call('GET', '/api/parameters?open=yes');
      expect(status).toBe(400);
      expect(json.errors).toEqual([{ parameter: 'open', detail: 'Must be true or false, not "yes".' }]);
    });
  });

  it('has room in a result under the longest prefix and for the longest origin, and what is longer is refused', async () => {
    const origin = `https://${'a'.repeat(241)}.example.com:65535`;
    const handle = loadHandler({ CORS_ORIGINS: origin });
    const list = async (query: string) => {
      const sent = { method: 'GET', path: '/api/parameters', query, headers: { Origin: origin }, body: undefined };
      const event = (gateways[0] as Gateway).event(sent) as { requestContext: object };
      const path = `/${'p'.repeat(511)}/api/parameters`;
      const result = await handle({ ...event, requestContext: { ...event.requestContext, path } });
      return result as { statusCode: number; headers: Record<string, string>; body: string };
    };
    const longest = await list(`limit=1&text=${'%22'.repeat(166)}`);
    expect(longest.headers.Link?.length).toBeGreaterThan(1_000);
    const bytes = Buffer.byteLength(JSON.stringify({ ...longest, body: '' }));
    expect(bytes).toBeLessThanOrEqual(LARGEST_RESULT - LARGEST_CONTENT);
    expect(await list((longest.headers.Link as string).replace(/^.*\?|>.*$/g, ''))).toMatchObject({
      statusCode: 200,
      headers: longest.headers,
    });
    const { statusCode, body } = await list(`limit=1&text=${'%22'.repeat(167)}`);
    expect(statusCode).toBe(400);
    expect(JSON.parse(body).errors).toEqual([{ parameter: 'text', detail: expect.stringContaining('be shorter') }]);
  });
});
