import { describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/answer.js';
import { kinds } from '../support/kinds.js';
import { type Service, startService } from '../support/service.js';

const keysOf = (answer: Answer): string[] => answer.json.map((item: { key: string }) => item.key);

/** The path behind a list's link, without the prefix; undefined where the list ends. */
function nextOf(service: Service, { headers }: Answer): string | undefined {
  if (headers.link === undefined) return undefined;
  const [, path = ''] = /^<(.*)>; rel="next"$/.exec(headers.link) ?? [];
  expect(path.startsWith(`${service.prefix}/api/todo?`)).toBe(true);
  return path.slice(service.prefix.length);
}

/** Lists from a path on, by following the links; what `between` does is done after each part. */
async function follow(service: Service, path: string, between = async () => {}): Promise<string[][]> {
  const parts: string[][] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const answer = await service.call('GET', next);
    expect(answer.status).toBe(200);
    parts.push(keysOf(answer));
    next = nextOf(service, answer);
    await between();
  }
  return parts;
}

async function create(service: Service, count: number): Promise<string[]> {
  const keys: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    keys.push((await service.call('POST', '/api/todo', { body: { name: `item ${number}` } })).json.key);
  }
  return keys;
}

describe.each(kinds)('a list in parts, behind $name', (kind) => {
  it.each([1, 2, 3, 4, 5, 6, 1000])(
    'has at most %i items a part, and all of them in the order of the whole',
    async (limit) => {
      const service = startService(kind);
      await create(service, 5);
      const whole = keysOf(await service.call('GET', '/api/todo'));
      const parts = await follow(service, `/api/todo?limit=${limit}`);
      expect(parts.flat()).toEqual(whole);
      expect(parts.map((part) => part.length)).toEqual(
        Array.from({ length: Math.ceil(6 / limit) }, (_, index) => Math.min(limit, 6 - index * limit)),
      );
    },
  );

  it('goes on from a place without a limit', async () => {
    const service = startService(kind);
    await create(service, 3);
    const whole = keysOf(await service.call('GET', '/api/todo'));
    const next = nextOf(service, await service.call('GET', '/api/todo?limit=1')) as string;
    const rest = await service.call('GET', next.replace('limit=1&', ''));
    expect(keysOf(rest)).toEqual(whole.slice(1));
    expect(rest.headers).not.toHaveProperty('link');
  });

  it('takes the last of repeated parameters and ignores others', async () => {
    const service = startService(kind);
    await create(service, 2);
    expect(keysOf(await service.call('GET', '/api/todo?limit=1&Limit=x&limit=2&page=7'))).toHaveLength(2);
  });
});

describe('a list in parts', () => {
  it.each(['', '0', '-1', '+1', '1.5', '1e2', 'x', ' 1', '1001', '9'.repeat(5_000), '٣'])(
    'is refused with the limit %.20j, which the problem names',
    async (limit) => {
      const answer = await startService().call('GET', `/api/todo?limit=${encodeURIComponent(limit)}`);
      expect(answer.status).toBe(400);
      expect(answer.json.errors).toEqual([{ parameter: 'limit', detail: 'Must be an integer from 1 to 1000.' }]);
    },
  );

  it.each([
    '',
    'x',
    '1',
    '00000000-0000-4000-8000-000000000000',
    Buffer.from('1234567891').toString('base64url'),
    'A'.repeat(60),
    '\u0000',
    'é',
  ])('is refused from the made-up place %.20j on, which the problem names', async (after) => {
    const answer = await startService().call('GET', `/api/todo?after=${encodeURIComponent(after)}`);
    expect(answer.status).toBe(400);
    expect(answer.json.detail).toMatch(/query is wrong/);
    expect(answer.json.errors).toEqual([{ parameter: 'after', detail: expect.stringContaining('Link header') }]);
  });

  it('is refused from a place that was tampered with, wherever that was done', async () => {
    const service = startService();
    await create(service, 1);
    const next = nextOf(service, await service.call('GET', '/api/todo?limit=1')) as string;
    const after = next.slice(next.indexOf('after=') + 6);
    for (let index = 0; index < after.length; index += 1) {
      const tampered = after.slice(0, index) + (after[index] === 'A' ? 'B' : 'A') + after.slice(index + 1);
      expect((await service.call('GET', `/api/todo?after=${tampered}`)).status).toBe(400);
    }
    expect((await service.call('GET', `/api/todo?after=${after}=`)).status).toBe(400);
  });

  it('is refused to HEAD without content', async () => {
    const head = await startService().call('HEAD', '/api/todo?limit=0');
    expect(head).toMatchObject({ status: 400, text: '' });
  });

  it('leads on with HEAD, too', async () => {
    const service = startService();
    await create(service, 1);
    const head = await service.call('HEAD', '/api/todo?limit=1');
    expect(nextOf(service, head)).toMatch(/^\/api\/todo\?limit=1&after=[\w-]+$/);
  });

  it('has every item that stays just once, whatever is written meanwhile', async () => {
    const service = startService();
    const keys = await create(service, 350);
    const doomed = keys.filter((_, index) => index % 3 === 0);
    const staying = keys.filter((_, index) => index % 3 !== 0);
    let seen = 0;
    const parts = await follow(service, '/api/todo?limit=25', async () => {
      seen += 1;
      for (const key of doomed.splice(0, 10)) await service.call('DELETE', `/api/todo/${key}`);
      await service.call('PATCH', `/api/todo/${staying[seen]}`, { body: { isComplete: true } });
      if (seen < 5) await create(service, 3);
    });
    const listed = parts.flat();
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed).toEqual(expect.arrayContaining(staying));
  });
});
