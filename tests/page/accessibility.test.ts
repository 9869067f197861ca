import { expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { RULES, violations } from '../support/browser/axe.js';
import { documentInSections, parcelOperations, parcelsDocument } from '../support/browser/documents.js';
import { OPEN_ALL, openOperation, run, until } from '../support/browser/page.js';
import { jsonAnswer, servePages } from '../support/browser/served-pages.js';

const pages = servePages();

const RULES_ON_COLOURS = ['color-contrast', 'link-in-text-block'];
const NO_COLOURS = Object.fromEntries(RULES_ON_COLOURS.map((rule) => [rule, { enabled: false }]));

/** Opens all of a page that has a filter and asks for tokens, with operations answered, rejected, under way, and not sent. */
async function openEverything(): Promise<Page> {
  const page = await pages.open('', documentInSections);
  const open = (operationId: string) => openOperation(page, operationId);
  await page.getByLabel('Filter').fill('/');
  await (await open('ApiParcelPost')).send();
  await (await open('ApiParcelByIdPut')).send({ item: '{"label":" ","fragile":"yes"}' });
  pages.service.answerNext(jsonAnswer(503, { type: 'about:blank', title: 'Service Unavailable', status: 503 }));
  await (await open('ApiParcelByIdDelete')).send();
  pages.service.answerNext(jsonAnswer(401, { type: 'about:blank', title: 'Unauthorized', status: 401 }));
  await (await open('ApiParcelGet')).send();
  const patch = await open('ApiParcelByIdPatch');
  pages.service.answerNext(new Promise(() => {}));
  await patch.button('Send').click();
  await patch.button('Cancel').waitFor();
  const find = await open('ApiParcelByIdGet');
  await find.field('id').fill('');
  await find.button('Send').click();
  await page.evaluate(OPEN_ALL);
  return page;
}

/** Makes the window as wide, and waits for the next frame, after which the page observes sizes. */
async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 640 });
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
}

/** How light the background is: from 0 to 255. */
async function lightness(page: Page): Promise<number> {
  const painted = (await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')) as string;
  return Math.max(...(painted.match(/\d+/g)?.map(Number) ?? []));
}

it('axe finds nothing wrong with the page in a light scheme and in a dark one, at a desk and on a phone', async () => {
  const page = await openEverything();
  expect(await page.evaluate(LOOSE_TEXTS)).toEqual([]);
  await resize(page, 1280);
  expect(await violations(page, RULES)).toEqual([]);
  expect(await lightness(page)).toBeGreaterThan(225);
  // A scheme changes nothing but colours, and a width no colours.
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page, RULES_ON_COLOURS)).toEqual([]);
  expect(await lightness(page)).toBeLessThan(50);
  await resize(page, 360);
  expect(await violations(page, RULES, NO_COLOURS)).toEqual([]);
});

/** Elements that are wider than the window and don't scroll by themselves. */
const OVERFLOW = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth > clientWidth ? [...document.querySelectorAll('body *')]
    .filter((one) => one.getBoundingClientRect().right > clientWidth + 1).map((one) => one.outerHTML.slice(0, 120)) : [];
})()`;

/** Texts and controls that lie over each other. */
const OVERLAPS = `(() => {
  const shown = [...document.querySelectorAll('h1, h2, h3, h4, p, pre, label, input, select, textarea, button, dt, dd, summary > *')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length === 1)
    .map((one) => [one, one.getBoundingClientRect()]);
  const covers = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  return shown.flatMap(([one, area], index) => shown.slice(index + 1)
    .filter(([other, its]) => covers(area, its) && !one.contains(other) && !other.contains(one))
    .map(([other]) => one.outerHTML.slice(0, 80) + ' and ' + other.outerHTML.slice(0, 80)));
})()`;

/** Texts in flex boxes beside elements, which Firefox makes items of their own, also around a `wbr`. Chromium does not show that. */
const LOOSE_TEXTS = `[...document.querySelectorAll('body *')].filter((one) => getComputedStyle(one).display.endsWith('flex'))
  .flatMap(({ childNodes }) => [...childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() && childNodes.length > 1))
  .map((node) => node.data)`;

/** Controls that are smaller than a finger may need (WCAG 2.2, 2.5.8), or have no border, which is all that forced colours leave. */
const SMALL = `[...document.querySelectorAll('summary, button, input, select, textarea')].filter((one) => {
  const { width, height } = one.getBoundingClientRect();
  const isBare = one.localName !== 'summary' && getComputedStyle(one).borderTopStyle === 'none';
  return one.checkVisibility() && width > 0 && (Math.min(width, height) < 24 || isBare);
}).map((one) => one.outerHTML)`;

/** Blocks without a name, that a screen reader reads out by itself, that can't be scrolled by keyboard, or that needn't. */
const WRONG_BLOCKS = `[...document.querySelectorAll('pre')].filter((one) => !one.ariaLabel ||
  one.closest('[role=status], [aria-live]')?.matches('[role=status]') ||
  (one.scrollHeight > one.clientHeight) !== (one.tabIndex === 0)).map((one) => one.outerHTML)`;

/** Text spacing that readers may set (WCAG 2.2, 1.4.12). */
const SPACING = `
  const style = new CSSStyleSheet();
  style.replaceSync('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }');
  document.adoptedStyleSheets.push(style);`;

it('the page has no horizontal scroll bar, nothing over anything else and no small target, at a desk, at 400 % zoom, and with wide text spacing', async () => {
  const page = await pages.open();
  const word = 'long'.repeat(100);
  pages.service.answerNext(
    jsonAnswer(200, Array(20).fill({ key: word, [word]: [word] }), { 'X-Long': word }),
    jsonAnswer(400, { title: word, status: 400, detail: word, errors: [{ pointer: word, detail: word }] }),
  );
  await (await openOperation(page, 'ApiParcelGet')).send();
  await (await openOperation(page, 'ApiParcelByIdGet')).send({ id: word });
  await page.evaluate(OPEN_ALL);
  // Buttons that are shown on occasion.
  await run(page, `for (const button of document.querySelectorAll('button')) button.hidden = false`);
  for (const width of [1280, 320]) {
    await resize(page, width);
    const wrong = await page.evaluate(`[${OVERFLOW}, ${OVERLAPS}, ${SMALL}, ${WRONG_BLOCKS}]`);
    expect([width, wrong]).toEqual([width, [[], [], [], []]]);
  }
  // Texts of one and a half and of twice the usual size, which readers may set, on a phone.
  await resize(page, 360);
  for (const size of ['24px', '32px']) {
    await page.evaluate(`document.documentElement.style.fontSize = '${size}'`);
    expect([size, await page.evaluate(`[${OVERFLOW}, ${OVERLAPS}]`)]).toEqual([size, [[], []]]);
  }
  await page.evaluate(`document.documentElement.style.fontSize = ''`);
  await run(page, SPACING);
  expect(await page.evaluate(`[${OVERFLOW}, ${OVERLAPS}]`)).toEqual([[], []]);
  expect(await page.evaluate(`document.querySelectorAll('pre[tabindex]').length`)).toBeGreaterThan(0);
  const headings = await page.locator('h1, h2, h3, h4').allTextContents();
  expect(headings.filter((text, index) => headings.indexOf(text) !== index)).toEqual([]);
});

it('the page can be read as a whole without scripts, and then offers nothing that would do nothing', async () => {
  const browser = pages.page.context().browser() as Browser;
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(`${pages.url}/swagger/ui`);
  expect(await page.locator('h1').textContent()).toContain(parcelsDocument.info.title);
  for (const { operationId, responses } of parcelOperations) {
    const text = (await page.locator(`details[id="${operationId}"]`).textContent())?.replace(/\s+/g, ' ');
    for (const [status, { description }] of Object.entries(responses)) {
      for (const part of [status, (description as string).split('`')[0]]) expect(text).toContain(part);
    }
  }
  const models = await page.getByRole('heading', { name: / model$/ }).allTextContents();
  expect(models).toEqual(Object.keys(parcelsDocument.definitions).map((name) => `${name} model`));
  expect(await page.getByRole('button').count()).toBe(0);
  await page.close();
});

it('the page can be used by keyboard alone, with the focus always visible', async () => {
  const page = await pages.open();
  await tabTo(page, `focused.matches('#ApiParcelByIdDelete > summary')`);
  await page.keyboard.press('Enter');
  // A moment after it was opened, the page scrolls to it.
  await until(page, `location.hash === '#ApiParcelByIdDelete'`);
  await tabTo(page, `focused.name === 'id'`);
  await page.keyboard.type('nobody');
  await tabTo(page, `focused.textContent === 'Send'`);
  await page.keyboard.press('Space');
  await page.getByRole('status').filter({ hasText: /^404/ }).waitFor();
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Send');
  expect(pages.service.received.map(({ path }) => path)).toEqual(['/api/parcel/nobody']);
});

/** Presses Tab until the focus is on the element that is wanted, and checks that both it and its focus are always visible. */
async function tabTo(page: Page, isWanted: string): Promise<void> {
  for (let presses = 0; presses < 250; presses += 1) {
    await page.keyboard.press('Tab');
    const { isFound, ...seen } = (await run(
      page,
      `const focused = document.activeElement;
      const { outlineStyle, outlineWidth } = getComputedStyle(focused);
      const { top, bottom, width, height } = focused.getBoundingClientRect();
      const isSeen = width > 0 && height > 0 && bottom > 0 && top < innerHeight;
      return { isFound: ${isWanted}, isSeen, outline: outlineStyle + ' ' + outlineWidth };`,
    )) as { isFound: boolean };
    expect(seen).toEqual({ isSeen: true, outline: 'solid 2px' });
    if (isFound) return;
  }
  throw new Error('The Tab key does not lead there.');
}
