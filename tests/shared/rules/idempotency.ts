import { randomUUID } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import type { OpenStore } from '../../../shared/store/store.js';
import { expectStatus } from '../../support/service/answer.js';
import { PARCELS } from '../../support/service/parcels.js';
import { startService } from '../../support/service/service.js';

/** Declares the tests of what `Idempotency-Key` promises with a store (rules 29 to 31). */
export function describeIdempotency(openStore: OpenStore): void {
  const service = startService(undefined, { openStore });

  function post(idempotencyKey: string, body: unknown = { label: 'once' }) {
    return service.call('POST', PARCELS, { headers: { 'Idempotency-Key': idempotencyKey }, body });
  }

  const count = async (): Promise<number> => (await service.call('GET', PARCELS)).json.length;

  describe('POST the collection with an Idempotency-Key (rules 29 to 31)', () => {
    it('gets the same answer again and creates one item, in quotes or not, even if sent several times at once, or if the key is that of an item', async () => {
      const { key } = (await service.call('POST', PARCELS, { body: { label: 'another' } })).json;
      const before = await count();
      const [first, ...atOnce] = await Promise.all([key, key, `"${key}"`, key].map((again) => post(again)));
      expect(first).toMatchObject({ status: 201, json: { key: expect.not.stringMatching(key) } });
      for (const again of [...atOnce, await post(key)]) expect(again).toEqual(first);
      expect(await count()).toBe(before + 1);
    });

    it('gets the same answer after the item was changed or deleted, and does not undo that', async () => {
      const key = randomUUID();
      const first = await expectStatus(201, post(key));
      const path = `${PARCELS}/${first.json.key}`;
      await service.call('PATCH', path, { body: { fragile: true } });
      expect(await post(key)).toEqual(first);
      expect((await service.call('GET', path)).json).toMatchObject({ fragile: true });
      await service.call('DELETE', path);
      expect(await post(key)).toEqual(first);
      await expectStatus(404, service.call('GET', path));
    });

    it('gets the same answer if only the letter case of names, the order or defaults differ, and 422 otherwise', async () => {
      const key = randomUUID();
      const first = await expectStatus(201, post(key, { label: 'a', fragile: false }));
      const before = await count();
      expect(await post(key, '{ "key": "ignored", "pieces": 1, "LABEL": "a" }')).toEqual(first);
      const { json } = await expectStatus(422, post(key, { label: 'b' }));
      expect(json.detail).toMatch('Send this request with a new key.');
      expect(await count()).toBe(before);
    });

    it('gets the same answer for an hour, and creates another item after that', async () => {
      // Its end is in whole seconds, and still no millisecond of the hour is missing.
      const start = Math.floor(Date.now() / 1_000) * 1_000 + 999;
      const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
      const key = randomUUID();
      const first = await expectStatus(201, post(key));
      for (const milliseconds of [59 * 60_000, 60 * 60_000 - 1]) {
        clock.mockReturnValue(start + milliseconds);
        expect(await post(key)).toEqual(first);
      }
      clock.mockReturnValue(start + 60 * 60_000 + 1_000);
      const second = await expectStatus(201, post(key));
      expect(second.json.key).not.toBe(first.json.key);
      clock.mockRestore();
    });

    it('takes 1 to 64 visible characters: a token, or a string in quotes with quotes and backslashes escaped', async () => {
      const longest = 'x'.repeat(64);
      for (const key of ['"a,b;c"', String.raw`"\"\\"`, longest, `"${longest}"`, `"${String.raw`\\`.repeat(64)}"`])
        await expectStatus(201, post(key));
      const misquoted = ['""', '"a b"', '"a', String.raw`"\a"`, '"é"', '"a";b=1', `"${longest}x"`];
      for (const key of [...misquoted, '', 'a b', 'a,b', `${longest}x`]) {
        const { json } = await expectStatus(400, post(key, ''));
        expect(json.detail).toMatch('Idempotency-Key is malformed: send 1 to 64 visible characters in quotes');
      }
    });

    it('keeps the list in the order of keys, so that each item is on one page, if another POST comes at the same time', async () => {
      const posts = [post(randomUUID()), service.call('POST', PARCELS, { body: { label: 'another' } })];
      for (const posted of posts) await expectStatus(201, posted);
      const keys = (await service.call('GET', PARCELS)).json.map(({ key }: { readonly key: string }) => key);
      expect(keys).toEqual([...keys].sort());
    });

    it('does not use up its key if it is rejected', async () => {
      const key = randomUUID();
      await expectStatus(400, post(key, { label: ' ' }));
      await expectStatus(201, post(key));
    });
  });
}
