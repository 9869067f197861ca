import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openOperation } from '../support/browser/page.js';
import { jsonAnswer, servePages } from '../support/browser/served-pages.js';
import { answerOf } from '../support/service/answer.js';
import type { Parcel } from '../support/service/parcels.js';

const pages = servePages();

// The clock of the page stands still.
beforeAll(async () => {
  const { clock } = pages.page;
  await clock.install();
  await clock.pauseAt(Date.now() + 60_000);
});

beforeEach(() => pages.open());

const busy = (body: object, headers: Record<string, string> = { 'Retry-After': '30' }, status = 503) =>
  jsonAnswer(status, { type: 'about:blank', title: 'Service Unavailable', status, ...body }, headers);

/** Opens an operation. One of an item is of an item that does not exist. */
async function open(operationId: string) {
  const operation = await openOperation(pages.page, operationId);
  if (operationId.includes('ById')) await operation.field('id').fill('nobody');
  return operation;
}

const pass = (milliseconds: number) => pages.page.clock.runFor(milliseconds);

/** Expects that nothing is sent, however long somebody waits. */
async function expectNoMore(): Promise<void> {
  const sent = count();
  await pass(3_600_000);
  expect(count()).toBe(sent);
}

const count = () => pages.service.received.length;

const keys = () => pages.service.received.map(({ headers }) => headers['idempotency-key']);

it.each([
  ['ApiParcelPost', '503 without `applied`', busy({})],
  ['ApiParcelPost', '503 with `applied` as text', busy({ applied: 'false' })],
  ['ApiParcelPost', '503 with HTML', answerOf(503, { 'Retry-After': '30' }, Buffer.from('<h1>503'))],
  ['ApiParcelPost', '503 with null', answerOf(503, { 'Retry-After': '0' }, Buffer.from('null'))],
  ['ApiParcelPost', '429', busy({}, { 'Retry-After': '30' }, 429)],
  ['ApiParcelPost', '502', busy({}, {}, 502)],
  ['ApiParcelPost', '504', busy({}, { 'Retry-After': '30' }, 504)],
  ['ApiParcelGet', '503 without Retry-After', busy({}, {})],
  ['ApiParcelGet', '503 and an hour', busy({}, { 'Retry-After': '3600' })],
  ['ApiParcelGet', '503 and a date', busy({}, { 'Retry-After': 'Wed, 21 Oct 2037 07:28:00 GMT' })],
  ['ApiParcelGet', '500', busy({}, { 'Retry-After': '1' }, 500)],
])('one click is one request, not sent again by itself: %s answered by %s', async (operationId, _, answer) => {
  const operation = await open(operationId);
  pages.service.answerNext(answer);
  const text = await operation.send();
  expect(text).toMatch(new RegExp(`^${answer.status}`));
  const said = 'It may have been done, or not. It has an Idempotency-Key, so sending it again cannot do it twice.';
  expect(text.includes(said)).toBe(operationId === 'ApiParcelPost');
  expect(await operation.button('Cancel').isVisible()).toBe(false);
  await expectNoMore();
});

describe('a write that may have been applied', () => {
  it('can be sent again by hand', async () => {
    const operation = await open('ApiParcelByIdDelete');
    pages.service.answerNext(busy({}));
    expect(await operation.send()).toContain('or not. Check whether it was, before you send it again.');
    await operation.answerTo(() => operation.button('Send again').click());
    const [first, ...again] = pages.service.received;
    expect(again).toEqual([first]);
    expect(await operation.button('Send again').isVisible()).toBe(false);
  });

  it('is not sent again by itself if the connection was cut, and a read is not said to have been applied', async () => {
    await pages.page.route(`**/api/parcel`, (route) => route.abort('connectionreset'));
    for (const [operationId, mayBeApplied] of [['ApiParcelPost', true] as const, ['ApiParcelGet', false] as const]) {
      const { button, status } = await open(operationId);
      await button('Send').click();
      await status.filter({ hasText: /^No answer/ }).waitFor();
      expect(await status.textContent()).toMatch(/not reached/);
      expect(/may have been/.test((await status.textContent()) ?? '')).toBe(mayBeApplied);
    }
    await pages.page.unroute(`**/api/parcel`);
    await expectNoMore();
  });
});

describe('a request that surely changed nothing (rules 20 and 21)', () => {
  it.each([
    ['ApiParcelGet', busy({})],
    ['ApiParcelByIdGet', answerOf(503, { 'Retry-After': '30' }, Buffer.alloc(0))],
    ['ApiParcelByIdPatch', busy({ applied: false })],
    ['ApiParcelPost', busy({ applied: false }, { 'Retry-After': '30' }, 429)],
  ] as const)('is sent again after Retry-After, and not before: %s', async (operationId, answer) => {
    const operation = await open(operationId);
    pages.service.answerNext(answer);
    const text = await operation.send();
    expect(text).toMatch(new RegExp(`^${answer.status}`));
    expect(text).toMatch(/30 s/);
    expect(text).not.toMatch(/may have been/i);
    await pass(10_000);
    // A screen reader is not told each second.
    expect(await operation.status.locator('[aria-live=off]').allTextContents()).toEqual(['20 s']);
    await pass(19_900);
    expect(count()).toBe(1);
    await operation.answerTo(() => pass(200));
    // The browser may ask for an answer that it keeps from another test.
    const [first, ...again] = pages.service.received.map(
      ({ headers: { 'if-none-match': _kept, ...headers }, ...sent }) => ({
        ...sent,
        headers,
      }),
    );
    expect(again).toEqual([first]);
  });

  it('is not sent again after Cancel', async () => {
    const operation = await open('ApiParcelGet');
    pages.service.answerNext(busy({}));
    await operation.send();
    await operation.button('Cancel').click();
    await operation.button('Cancel').waitFor({ state: 'hidden' });
    expect(await operation.status.textContent()).toMatch(/^Cancelled: nothing was changed/);
    await expectNoMore();
    expect(await operation.send()).toMatch(/^200/);
  });

  it('is sent a limited number of times', async () => {
    const operation = await open('ApiParcelGet');
    pages.service.answerNext(...Array.from({ length: 100 }, () => busy({}, { 'Retry-After': '1' })));
    await operation.send();
    for (let attempt = 2; attempt <= 5; attempt += 1) await operation.answerTo(() => pass(1_000));
    expect(count()).toBe(5);
    await expectNoMore();
    expect(await operation.status.textContent()).toMatch(/^503/);
  });
});

describe('the Idempotency-Key of a POST', () => {
  it('is new for each click, and the same when the request is sent again', async () => {
    const operation = await open('ApiParcelPost');
    pages.service.answerNext(busy({ applied: false }, { 'Retry-After': '0' }), busy({}));
    await operation.send();
    await operation.button('Send again').waitFor();
    expect(await operation.answerTo(() => operation.button('Send again').click())).toMatch(/^201/);
    await operation.send();
    await operation.send({ 'Idempotency-Key': '"mine"' });
    const [first, second, third, fresh, typed] = keys();
    expect(first).toMatch(/^"[!-~]{1,62}"$|^[!-~]{1,64}$/);
    expect([second, third]).toEqual([first, first]);
    expect(fresh).not.toBe(first);
    expect(typed).toBe('"mine"');
    await operation.field('Idempotency-Key').fill('');
  });

  it('stays as long as the outcome is open and the request is the same, also over a reload', async () => {
    const post = await open('ApiParcelPost');
    const key = () => post.field('Idempotency-Key').inputValue();
    pages.service.answerNext(busy({}));
    await post.send({ item: '{"label":"a"}' });
    const first = await key();
    await post.field('item').fill('{"label":"b"}');
    expect(await key()).toBe('');
    await post.field('item').fill('{"label":"a"}');
    expect(await key()).toBe(first);
    await pages.page.reload();
    const again = await open('ApiParcelPost');
    expect(await again.send()).toMatch(/^201/);
    expect(await key()).toBe('');
    await again.send();
    const [one, two, other] = keys();
    expect([one, two]).toEqual([first, first]);
    expect(other).not.toBe(first);
  });

  it('is forgotten if somebody empties its field', async () => {
    const post = await open('ApiParcelPost');
    pages.service.answerNext(busy({}));
    await post.send();
    await post.send({ 'Idempotency-Key': '' });
    expect(new Set(keys()).size).toBe(2);
  });

  it('lets one item be created, however often and by whatever way it is sent after its answers were lost', async () => {
    const label = crypto.randomUUID();
    const post = await open('ApiParcelPost');
    await post.field('item').fill(JSON.stringify({ label }));
    const lost = [502, 503, 504];
    await pages.page.route(`**/api/parcel`, async (route) => {
      const response = await route.fetch();
      const status = lost.shift();
      await route.fulfill(status ? { status, body: 'lost' } : { response });
    });
    const click = () => post.button('Send').click();
    for (const press of [click, click, () => post.field('item').press('Control+Enter')])
      expect(await post.answerTo(press)).toMatch(/may have been/);
    expect(await post.answerTo(() => post.button('Send again').click())).toMatch(/^201/);
    await pages.page.unroute(`**/api/parcel`);
    expect(new Set(keys()).size).toBe(1);
    const { json } = await pages.service.call('GET', '/api/parcel');
    expect(json.filter((item: Parcel) => item.label === label)).toHaveLength(1);
  });
});
