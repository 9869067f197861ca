import { describe, expect, it } from '@jest/globals';
import { typicalGateways } from '../support/gateways/gateways.js';
import type { Answer } from '../support/service/answer.js';
import { type Service, startService } from '../support/service/service.js';

const keysOf = (answer: Answer): string[] => answer.json.map((item: { key: string }) => item.key);

/** The path behind a list's link, without the prefix; undefined where the list ends. */
function nextOf(service: Service, { headers }: Answer): string | undefined {
  if (headers.link === undefined) return undefined;
  const [, path = ''] = /^<(.*)>; rel="next"$/.exec(headers.link) ?? [];
  expect(path.startsWith(`${service.prefix}/api/todo?`)).toBe(true);
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
    keys.push((await service.call('POST', '/api/todo', { body: { name: `item ${number}` } })).json.key);
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
      const whole = keysOf(await service.call('GET', '/api/todo'));
      expect(whole.slice(1)).toEqual(keys);
      const pages = await follow(service, `/api/todo?limit=${limit}`);
      expect(pages.flat()).toEqual(whole);
      expect(pages.map((page) => page.length)).toEqual(
        Array.from({ length: Math.ceil(6 / limit) }, (_, index) => Math.min(limit, 6 - index * limit)),
      );
    },
  );

  it('has the last key of a page as the cursor of the next one', async () => {
    await created;
    const page = await service.call('GET', '/api/todo?limit=4');
    expect(nextOf(service, page)).toBe(`/api/todo?limit=4&after=${keysOf(page)[3]}`);
  });

  it('goes on behind any GUID, in either letter case, without a limit or with one', async () => {
    const keys = await created;
    const behind = async (after: string, limit = '') =>
      keysOf(await service.call('GET', `/api/todo?after=${after}${limit}`));
    expect(await behind(keys[1] as string)).toEqual(keys.slice(2));
    expect(await behind((keys[1] as string).toUpperCase(), '&limit=1')).toEqual(keys.slice(2, 3));
    expect(await behind(keys[4] as string)).toEqual([]);
    expect(await behind('ffffffff-ffff-4fff-bfff-ffffffffffff')).toEqual([]);
    expect((await behind('00000000-0000-0000-0000-000000000000')).slice(1)).toEqual(keys);
  });

  it('takes the last of repeated parameters and ignores others', async () => {
    await created;
    expect(keysOf(await service.call('GET', '/api/todo?limit=1&Limit=x&limit=2&page=7'))).toHaveLength(2);
  });

  it.each([
    ['limit=0', 'limit', 'Must be an integer from 1 to 1000, not 0.'],
    ['limit=1001', 'limit', 'Must be an integer from 1 to 1000, not 1001.'],
    ['limit=', 'limit', 'Must be an integer from 1 to 1000, not "".'],
    ['after=1', 'after', expect.stringMatching(/^Must be a GUID such as ".*", not "1"\.$/)],
    ['after=', 'after', expect.stringMatching(/not ""\.$/)],
  ])('is answered 400 with %s, and the problem names the parameter', async (query, parameter, detail) => {
    const answer = await service.call('GET', `/api/todo?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.json.detail).toBe('The query is not valid; see errors.');
    expect(answer.json.errors).toEqual([{ parameter, detail }]);
  });

  it('has its link for HEAD, too, and a 400 without content', async () => {
    await created;
    const head = await service.call('HEAD', '/api/todo?limit=1');
    expect(nextOf(service, head)).toMatch(/^\/api\/todo\?limit=1&after=[\w-]+$/);
    expect(await service.call('HEAD', '/api/todo?limit=0')).toMatchObject({ status: 400, text: '' });
  });
});

describe('a list page by page', () => {
  it('has every item that stays exactly once and in order, whatever is written meanwhile', async () => {
    const service = startService();
    const keys = await create(service, 60);
    const doomed = keys.filter((_, index) => index % 3 === 0);
    const staying = keys.filter((_, index) => index % 3 !== 0);
    let seen = 0;
    const pages = await follow(service, '/api/todo?limit=7', async () => {
      seen += 1;
      for (const key of doomed.splice(0, 4)) await service.call('DELETE', `/api/todo/${key}`);
      await service.call('PATCH', `/api/todo/${staying[seen]}`, { body: { isComplete: true } });
      if (seen < 5) await create(service, 2);
    });
    const listed = pages.flat();
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed.filter((key) => staying.includes(key))).toEqual(staying);
  });
});
