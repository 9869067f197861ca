import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Route } from 'playwright-core';
import { openOperation } from '../support/browser/page.js';
import { jsonAnswer, servePages } from '../support/browser/served-pages.js';
import type { Fault } from '../support/dynamodb/faults.js';
import { REAL_TIME, useFaultyNetwork } from '../support/dynamodb/network.js';
import { startTables } from '../support/dynamodb/tables.js';
import { answerOf } from '../support/service/answer.js';
import type { Parcel } from '../support/service/parcels.js';
import { GENEROUS, keepInTables } from '../support/service/service.js';

const tables = startTables();
const network = tables.then(({ endpoint }) => useFaultyNetwork(REAL_TIME, endpoint, GENEROUS));
keepInTables(async () => ({ ...(await (await tables).create()), endpoint: (await network).endpoint }));

// Its clock stands still.
const pages = servePages({
  async prepare({ clock }) {
    await clock.install();
    await clock.pauseAt(Date.now() + 60_000);
  },
});

afterAll(async () => {
  await (await network).settled();
  await (await tables).stop();
});

const busy = (body: object, headers: Record<string, string> = { 'Retry-After': '30' }, status = 503) =>
  jsonAnswer(status, { type: 'about:blank', title: 'Service Unavailable', status, ...body }, headers);

const WRITES = ['ApiParcelPost', 'ApiParcelByIdPut', 'ApiParcelByIdPatch', 'ApiParcelByIdDelete'];

/** Opens an operation. One of an item is of an item that does not exist. */
async function open(operationId: string) {
  const operation = await openOperation(pages.page, operationId);
  if ((await operation.field('id').count()) > 0) await operation.field('id').fill('nobody');
  return operation;
}

const pass = (milliseconds: number) => pages.page.clock.runFor(milliseconds);

/** Longer than any wait that the page could have begun. */
const anHour = () => pass(3_600_000);

const count = () => pages.service.received.length;

describe('a write that may have been applied', () => {
  it.each([
    ['503 without `applied`', busy({})],
    ['503 with `applied` as text', busy({ applied: 'false' })],
    ['503 with `applied: true`', busy({ applied: true })],
    ['503 without a body', answerOf(503, { 'Retry-After': '30' }, Buffer.alloc(0))],
    ['503 with HTML', answerOf(503, { 'Content-Type': 'text/html', 'Retry-After': '30' }, Buffer.from('<h1>503'))],
    ['503 with null', answerOf(503, { 'Content-Type': 'application/json', 'Retry-After': '0' }, Buffer.from('null'))],
    ['502', busy({}, {}, 502)],
    ['504', busy({}, { 'Retry-After': '30' }, 504)],
  ])('is not sent again by itself: one click is one POST after %s', async (_, answer) => {
    const operation = await open('ApiParcelPost');
    pages.service.answerNext(answer);
    const text = await operation.send();
    expect(text).toMatch(new RegExp(`^${answer.status}`));
    expect(text).toMatch(/may have been/i);
    await anHour();
    expect(count()).toBe(1);
  });

  it.each(WRITES)('can be sent again by hand: %s', async (operationId) => {
    const operation = await open(operationId);
    pages.service.answerNext(busy({}));
    await operation.send();
    await anHour();
    expect(count()).toBe(1);
    await operation.answerTo(() => operation.button('Send again').click());
    const [first, ...again] = pages.service.received;
    expect(again).toEqual([first]);
    expect(await operation.button('Send again').isVisible()).toBe(false);
  });

  it('is not sent again by itself if the connection was cut', async () => {
    const operation = await open('ApiParcelPost');
    let tries = 0;
    await pages.page.route(`**/api/parcel`, (route) => {
      tries += 1;
      return route.abort('connectionreset');
    });
    await operation.button('Send').click();
    await operation.status.filter({ hasText: /No answer/ }).waitFor();
    await anHour();
    expect(tries).toBe(1);
    expect(await operation.status.textContent()).toMatch(/may have been/i);
    await pages.page.unroute(`**/api/parcel`);
  });
});

describe('a request that surely changed nothing', () => {
  it.each([
    ['ApiParcelGet', busy({})],
    ['ApiParcelGet', answerOf(503, { 'Retry-After': '30' }, Buffer.alloc(0))],
    ['ApiParcelByIdGet', busy({ applied: false })],
    ['ApiParcelGet', busy({ applied: false }, { 'Retry-After': '30' }, 429)],
    ...WRITES.map((operationId) => [operationId, busy({ applied: false })] as const),
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
    expect(await operation.status.locator('[aria-live=off]').textContent()).toBe('20 s');
    await pass(19_900);
    expect(count()).toBe(1);
    await operation.answerTo(() => pass(200));
    await anHour();
    const [first, ...again] = pages.service.received;
    expect(again).toEqual([first]);
  });

  it('is not sent again after Cancel', async () => {
    const operation = await open('ApiParcelGet');
    pages.service.answerNext(busy({}));
    await operation.send();
    await operation.button('Cancel').click();
    await operation.button('Cancel').waitFor({ state: 'hidden' });
    expect(await operation.status.textContent()).toMatch(/^Cancelled: nothing was changed/);
    expect(await operation.status.locator('.failed, .s5').count()).toBe(0);
    expect(await pages.page.evaluate('document.activeElement.closest("details[id]").id')).toBe('ApiParcelGet');
    await anHour();
    expect(count()).toBe(1);
    expect(await operation.send()).toMatch(/^200/);
  });

  it('is sent a limited number of times', async () => {
    const operation = await open('ApiParcelGet');
    pages.service.answerNext(...Array.from({ length: 100 }, () => busy({}, { 'Retry-After': '1' })));
    await operation.send();
    while (await operation.button('Cancel').isVisible()) {
      const before = count();
      await operation.answerTo(() => pass(1_000));
      expect(count()).toBe(before + 1);
    }
    expect(count()).toBeGreaterThan(1);
    expect(count()).toBeLessThan(12);
    await anHour();
    expect(await operation.status.textContent()).toMatch(/^503/);
  });

  it.each<[string, Record<string, string>]>([
    ['no Retry-After', {}],
    ['an hour', { 'Retry-After': '3600' }],
    ['a date long from now', { 'Retry-After': 'Wed, 21 Oct 2037 07:28:00 GMT' }],
    ['nonsense', { 'Retry-After': 'soon' }],
    ['a negative number', { 'Retry-After': '-1' }],
  ])('is not sent again by itself after %s', async (_, headers) => {
    const operation = await open('ApiParcelGet');
    pages.service.answerNext(busy({}, headers));
    expect(await operation.send()).toMatch(/^503/);
    await pass(600_000);
    expect(count()).toBe(1);
    expect(await operation.button('Cancel').isVisible()).toBe(false);
  });

  it.each([500, 501, 507, 404])('is not sent again after %i', async (status) => {
    const operation = await open('ApiParcelGet');
    pages.service.answerNext(busy({}, { 'Retry-After': '1' }, status));
    expect(await operation.send()).toMatch(new RegExp(`^${status}`));
    await anHour();
    expect(count()).toBe(1);
  });
});

describe('the Idempotency-Key of a POST', () => {
  it('is new for each click, and the same when the request is sent again', async () => {
    const operation = await open('ApiParcelPost');
    pages.service.answerNext(busy({ applied: false }, { 'Retry-After': '0' }), busy({}));
    expect(await operation.send()).toMatch(/^503/);
    await pass(1_000);
    await operation.button('Send again').waitFor();
    expect(await operation.answerTo(() => operation.button('Send again').click())).toMatch(/^201/);
    await operation.send();
    await operation.send({ 'Idempotency-Key': '"mine"' });
    const [first, second, third, fresh, typed] = pages.service.received.map((one) => one.headers['idempotency-key']);
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
    const [one, two, other] = pages.service.received.map(({ headers }) => headers['idempotency-key']);
    expect([one, two]).toEqual([first, first]);
    expect(other).not.toBe(first);
  });

  it('is forgotten if somebody empties its field', async () => {
    const post = await open('ApiParcelPost');
    pages.service.answerNext(busy({}));
    await post.send();
    await post.field('Idempotency-Key').fill('');
    await post.send();
    const [one, two] = pages.service.received.map(({ headers }) => headers['idempotency-key']);
    expect(two).not.toBe(one);
  });
});

/** For a write that succeeds: a POST writes two rows, the use of its key and the item. */
const NO_FAULT: Fault = {};

describe('one click on Send creates one item, and sending again by hand until it is there creates no other,', () => {
  it.each<[string, Fault[]]>([
    ['the table refuses each write', ['deny', 'deny']],
    ['the table refuses the item', [NO_FAULT, 'deny', NO_FAULT, 'deny']],
    ['the table has the use of the key, and its reply is lost', ['cut after', 'deny', 'deny']],
    ['the table has the item, and its reply is lost', [NO_FAULT, 'cut after', 'deny', NO_FAULT, 'deny']],
    ['the table has the item and says that it failed', [NO_FAULT, 'fail after', 'deny']],
    ['the item is late', [NO_FAULT, { late: 300 }, 'cut after', 'deny']],
    ['the item comes twice', [NO_FAULT, { again: 100 }]],
  ])('if %s', async (_fault, faults) => {
    (await network).misbehaveIn('PutItem', ...faults);
    await createsOne();
  });

  it.each<[string, (route: Route) => Promise<void>]>([
    ['the answer is lost', (route) => route.abort('connectionreset')],
    ['a gateway answers 502 instead', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' })],
    ['a gateway answers 503 instead', (route) => route.fulfill({ status: 503, headers: { 'Retry-After': '1' } })],
    ['a gateway answers 504 instead', (route) => route.fulfill({ status: 504, json: { message: 'timed out' } })],
  ])('if the item was created, and %s', async (_fault, answer) => {
    await pages.page.route(`**/api/parcel`, async (route) => {
      await route.fetch();
      await answer(route);
    });
    await createsOne(() => pages.page.unroute(`**/api/parcel`));
  });
});

/** Sends a POST of a text of its own, and again as the page offers or does by itself, until it returns 201. */
async function createsOne(mend = async () => {}): Promise<void> {
  const text = crypto.randomUUID();
  const post = await open('ApiParcelPost');
  await post.field('item').fill(JSON.stringify({ label: text }));
  await post.button('Send').click();
  const ways = [
    () => post.button('Send').click(),
    () => post.field('item').press('Control+Enter'),
    () => post.button('Send again').click(),
  ].values();
  for (let status = ''; !/^\s*201/.test(status); await setTimeout(5)) {
    status = (await post.status.textContent()) ?? '';
    if (/Sending it again in/.test(status)) await pass(2_000);
    if (!/may have been/.test(status)) continue;
    await mend();
    await ways.next().value?.();
  }
  const posts = pages.service.received.filter(({ method }) => method === 'POST');
  expect(new Set(posts.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  const { json } = await pages.service.call('GET', '/api/parcel');
  expect(json.filter((item: Parcel) => item.label === text)).toHaveLength(1);
}
