import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { FIRST_KEY } from '../../shared/store/key.js';
import { expectStatus } from '../support/service/answer.js';
import { PARCELS } from '../support/service/parcels.js';
import { startService } from '../support/service/service.js';

// Keys of an instance ascend, even if the clock is set back. So each test has a later year than the one before.
let year = 2030;
beforeEach(() => {
  year += 1;
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** Runs the guide's code for a key. */
function createdAt(key: string): Date {
  const [, code] = /^```js\n(const createdAt = .*?)^```/ms.exec(readFileSync('docs/your-own.md', 'utf8')) ?? [];
  return new Function('key', `${code}; return createdAt;`)(key);
}

it("the time of an item's creation is read from its key as docs/your-own.md shows, to the millisecond", async () => {
  const { call } = await startService();
  jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(year, 4, 6, 7, 8, 9, 123));
  const { json } = await expectStatus(201, call('POST', PARCELS, { body: { label: 'Books' } }));
  expect(createdAt(json.key).toISOString()).toBe(`${year}-05-06T07:08:09.123Z`);
});

it('with an Idempotency-Key it is the time of the first attempt, and the first item of a table has time 0', async () => {
  const { call } = await startService();
  const post = () => call('POST', PARCELS, { body: { label: 'Books' }, headers: { 'Idempotency-Key': '"a"' } });
  const now = jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(year, 0, 1));
  await expectStatus(201, post());
  now.mockReturnValue(Date.UTC(year, 0, 1, 0, 10));
  const { json } = await expectStatus(201, post());
  expect(createdAt(json.key)).toEqual(new Date(Date.UTC(year, 0, 1)));
  expect(createdAt(FIRST_KEY)).toEqual(new Date(0));
});
