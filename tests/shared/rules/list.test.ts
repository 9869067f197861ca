import { expect, it } from '@jest/globals';
import type { Answer } from '../../support/service/answer.js';
import { PARCELS } from '../../support/service/parcels.js';
import { startService } from '../../support/service/service.js';

const service = startService();
const keysOf = (answer: Answer): string[] => answer.json.map((item: { key: string }) => item.key);

async function create(count: number): Promise<string[]> {
  const keys: string[] = [];
  while (keys.length < count)
    keys.push((await service.call('POST', PARCELS, { body: { label: `item ${keys.length}` } })).json.key);
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

it('a list has at most as many items a page as asked for, and continues behind any GUID, in either letter case', async () => {
  const keys = await create(5);
  for (const [limit, lengths] of Object.entries({ 1: [1, 1, 1, 1, 1, 1], 4: [4, 2], 5: [5, 1], 6: [6] })) {
    const pages = await follow(`${PARCELS}?limit=${limit}`);
    expect(pages.flat().slice(1)).toEqual(keys);
    expect(pages.map(({ length }) => length)).toEqual(lengths);
  }
  const behind = async (after: string) => keysOf(await service.call('GET', `${PARCELS}?after=${after}`));
  expect(await behind(keys[1] as string)).toEqual(keys.slice(2));
  expect(await behind(`${keys[1]?.toUpperCase()}&limit=1`)).toEqual(keys.slice(2, 3));
  expect(await behind('ffffffff-ffff-4fff-bfff-ffffffffffff')).toEqual([]);
  expect((await behind('00000000-0000-0000-0000-000000000000')).slice(1)).toEqual(keys);
});

it('a list has every item that is there all the time exactly once and in order, whatever is written meanwhile', async () => {
  const keys = await create(15);
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
