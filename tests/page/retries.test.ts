import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import swagger from '../../docs/swagger.json';
import { openOperation } from '../support/browser/page.js';
import { jsonAnswer } from '../support/browser/scripted.js';
import { servePages } from '../support/browser/served-pages.js';
import { answerOf } from '../support/service/answer.js';
import { COLLECTION, OPERATIONS } from '../support/service/resource.js';

const pages = servePages();

const busy = (body: object, headers: Record<string, string> = { 'Retry-After': '30' }, status = 503) =>
  jsonAnswer(status, { type: 'about:blank', title: 'Service Unavailable', status, ...body }, headers);

let still: Promise<Page> | undefined;

/** Opens an operation on a page whose clock stands still, its id filled in. */
async function openStill(operationId: string) {
  still ??= stop();
  const page = await still;
  const operation = await openOperation(page, operationId);
  if ((await operation.field('id').count()) > 0) await operation.field('id').fill('nobody');
  return { page, operation };
}

async function stop(): Promise<Page> {
  const { page } = await pages.shared();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  return page;
}

const WRITES = [OPERATIONS.create, OPERATIONS.replace, OPERATIONS.patch, OPERATIONS.remove];

/** Long enough for any wait that the page could have begun. */
const anHour = (page: Page) => page.clock.runFor(3_600_000);

const count = () => pages.service.received.length;

describe('a write that may have been applied', () => {
  it.each([
    ['503 without a word about it', busy({})],
    ['503 that says "false" as text', busy({ applied: 'false' })],
    ['503 that was applied', busy({ applied: true })],
    ['503 without a body', answerOf(503, { 'Retry-After': '30' }, Buffer.alloc(0))],
    ['503 of HTML', answerOf(503, { 'Content-Type': 'text/html', 'Retry-After': '30' }, Buffer.from('<h1>503'))],
    ['503 of null', answerOf(503, { 'Content-Type': 'application/json', 'Retry-After': '0' }, Buffer.from('null'))],
    ['502', busy({}, {}, 502)],
    ['504', busy({}, { 'Retry-After': '30' }, 504)],
  ])('is sent once and not again by itself: one click is one POST after %s', async (_, answer) => {
    const { page, operation } = await openStill(OPERATIONS.create);
    pages.service.answerNext(answer);
    const text = await operation.send();
    expect(text).toMatch(new RegExp(`^${answer.status}`));
    expect(text).toMatch(/may have been/i);
    await anHour(page);
    expect(count()).toBe(1);
  });

  it.each(WRITES)('can be sent again by hand: %s', async (operationId) => {
    const { page, operation } = await openStill(operationId);
    pages.service.answerNext(busy({}));
    await operation.send();
    await anHour(page);
    expect(count()).toBe(1);
    await operation.send(() => operation.button('Send again').click());
    const [first, second] = pages.service.received;
    expect([second?.method, second?.path, second?.body]).toEqual([first?.method, first?.path, first?.body]);
    expect(count()).toBe(2);
    expect(await operation.button('Send again').isVisible()).toBe(false);
  });

  it('is not sent again where the connection was cut', async () => {
    const { page, operation } = await openStill(OPERATIONS.create);
    let tries = 0;
    await page.route(`**${COLLECTION}`, (route) => {
      tries += 1;
      return route.abort('connectionreset');
    });
    await operation.button('Send').click();
    await operation.status.filter({ hasText: /No answer/ }).waitFor();
    await anHour(page);
    expect(tries).toBe(1);
    expect(await operation.status.textContent()).toMatch(/may have been/i);
    await page.unroute(`**${COLLECTION}`);
  });
});

describe('a request that surely changed nothing', () => {
  it.each([
    [OPERATIONS.list, busy({})],
    [OPERATIONS.list, answerOf(503, { 'Retry-After': '30' }, Buffer.alloc(0))],
    [OPERATIONS.find, busy({ applied: false })],
    [OPERATIONS.list, busy({ applied: false }, { 'Retry-After': '30' }, 429)],
    ...WRITES.map((operationId) => [operationId, busy({ applied: false })] as const),
    [OPERATIONS.create, busy({ applied: false }, { 'Retry-After': '30' }, 429)],
  ] as const)('is sent again after Retry-After, and not before: %s', async (operationId, answer) => {
    const { page, operation } = await openStill(operationId);
    pages.service.answerNext(answer);
    const text = await operation.send();
    expect(text).toMatch(new RegExp(`^${answer.status}`));
    expect(text).toMatch(/30 s/);
    expect(text).not.toMatch(/may have been/i);
    await page.clock.runFor(29_900);
    expect(count()).toBe(1);
    await operation.send(() => page.clock.runFor(200));
    expect(count()).toBe(2);
    const [first, second] = pages.service.received;
    expect(second).toEqual(first);
    await anHour(page);
    expect(count()).toBe(2);
  });

  it('that was created the second time is there once', async () => {
    const { json: before } = await pages.service.call('GET', COLLECTION);
    const { page, operation } = await openStill(OPERATIONS.create);
    pages.service.answerNext(busy({ applied: false }));
    await operation.send();
    expect(await operation.send(() => page.clock.runFor(31_000))).toMatch(/^201/);
    expect((await pages.service.call('GET', COLLECTION)).json).toHaveLength(before.length + 1);
  });

  it('waits no longer when that is stopped', async () => {
    const { page, operation } = await openStill(OPERATIONS.list);
    pages.service.answerNext(busy({}));
    await operation.send();
    await operation.button('Cancel').click();
    await operation.button('Cancel').waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.activeElement.closest("details[id]").id')).toBe(OPERATIONS.list);
    await anHour(page);
    expect(count()).toBe(1);
    expect(await operation.send()).toMatch(/^200/);
  });

  it('is not sent for ever', async () => {
    const { page, operation } = await openStill(OPERATIONS.list);
    pages.service.answerNext(...Array.from({ length: 100 }, () => busy({}, { 'Retry-After': '1' })));
    await operation.send();
    while (await operation.button('Cancel').isVisible()) {
      const before = count();
      await operation.send(() => page.clock.runFor(1_000));
      expect(count()).toBe(before + 1);
    }
    expect(count()).toBeGreaterThan(1);
    expect(count()).toBeLessThan(12);
    await anHour(page);
    expect(await operation.status.textContent()).toMatch(/^503/);
  });

  it.each([
    ['no Retry-After', {}],
    ['an hour', { 'Retry-After': '3600' }],
    ['a date long from now', { 'Retry-After': 'Wed, 21 Oct 2037 07:28:00 GMT' }],
    ['nonsense', { 'Retry-After': 'soon' }],
    ['less than nothing', { 'Retry-After': '-1' }],
  ])('is not sent again by itself after %s', async (_, headers) => {
    const { page, operation } = await openStill(OPERATIONS.list);
    pages.service.answerNext(busy({}, headers as Record<string, string>));
    expect(await operation.send()).toMatch(/^503/);
    await page.clock.runFor(600_000);
    expect(count()).toBe(1);
    expect(await operation.button('Cancel').isVisible()).toBe(false);
  });

  it.each([500, 501, 507, 404])('is not sent again after %i', async (status) => {
    const { page, operation } = await openStill(OPERATIONS.list);
    pages.service.answerNext(busy({}, { 'Retry-After': '1' }, status));
    expect(await operation.send()).toMatch(new RegExp(`^${status}`));
    await anHour(page);
    expect(count()).toBe(1);
  });
});

describe('a request that its operation lets carry an Idempotency-Key', () => {
  it('has a fresh one for each click, and the same one whenever it is sent again', async () => {
    const { post } = swagger.paths[COLLECTION];
    const key = { name: 'Idempotency-Key', in: 'header', type: 'string', required: false, description: 'A key.' };
    const parameters = [...post.parameters.filter(({ in: part }) => part === 'body'), key];
    pages.serveInstead({ ...swagger, paths: { [COLLECTION]: { post: { ...post, parameters } } } });
    const { page } = await pages.open();
    await page.clock.install();
    const operation = await openOperation(page, OPERATIONS.create);
    pages.service.answerNext(busy({ applied: false }, { 'Retry-After': '0' }), busy({}));
    expect(await operation.send()).toMatch(/^503/);
    await page.clock.runFor(1_000);
    await operation.button('Send again').waitFor();
    expect(await operation.send(() => operation.button('Send again').click())).toMatch(/^201/);
    await operation.send();
    const [first, second, third, fresh] = pages.service.received.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^"[!-~]{1,62}"$|^[!-~]{1,64}$/);
    expect([second, third]).toEqual([first, first]);
    expect(fresh).not.toBe(first);
    await operation.field('Idempotency-Key').fill('"mine"');
    await operation.send();
    expect(pages.service.received.at(-1)?.headers['idempotency-key']).toBe('"mine"');
  });
});
