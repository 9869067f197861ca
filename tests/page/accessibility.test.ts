import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { openOperation, phone, tryOut } from '../support/page.js';
import { servePages } from '../support/served-pages.js';

const pages = servePages();

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

/** Runs axe-core's rules, those of WCAG 2.2 up to level AA and those of good practice, on the page as it is now. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const results: AxeResults = await page.evaluate('axe.run(document, { resultTypes: ["violations"] })');
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, any, all, none }) => `${id}: ${target} ${[...any, ...all, ...none].map(({ message }) => message)}`,
    ),
  );
}

const SCHEMES = ['light', 'dark'] as const;

/** The same of the page in each scheme, which its styles alone tell apart. */
async function violationsInAll(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(SETTLED);
    found.push(...(await violations(page)).map((violation) => `${colorScheme}: ${violation}`));
  }
  return found;
}

describe('in a light and in a dark scheme, axe finds nothing wrong', () => {
  it.each([{}, phone])('with the page, in a window %j', async (window) => {
    const { page } = await pages.open(window);
    expect(await violationsInAll(page)).toEqual([]);
    await page.context().close();
  });

  it('with what is opened and executed, wrong or right, and a list that scrolls', async () => {
    const { page } = await pages.open();
    const post = await openOperation(page, 'ApiTodoPost');
    expect(await violationsInAll(page)).toEqual([]);
    for (let items = 0; items < 10; items += 1) await tryOut(page, 'ApiTodoPost');
    for (const control of await post.locator('.fold-control').all()) await control.click();
    await tryOut(page, 'ApiTodoByIdPut', { body: '{' });
    await tryOut(page, 'ApiTodoGet');
    await post.locator('.tablinks', { hasText: 'Model' }).first().click();
    await (await openOperation(page, 'ApiTodoByIdDelete')).locator('input').first().fill('');
    for (const summary of await page.locator('summary').all()) await summary.click();
    expect(await violationsInAll(page)).toEqual([]);
    await page.context().close();
  });
});

describe('the page', () => {
  it.each(SCHEMES)('shows the focus wherever the keyboard leads, in a %s scheme', async (colorScheme) => {
    const { page } = await pages.open({ colorScheme });
    await openOperation(page, 'ApiTodoByIdPut');
    await page.locator('h1').click();
    const outlines: string[] = [];
    for (let presses = 0; presses < 26; presses++) {
      await page.keyboard.press('Tab');
      outlines.push(await page.evaluate(OUTLINE));
    }
    expect(new Set(outlines)).toEqual(new Set(['solid 3px']));
    await page.context().close();
  });

  it('shows everything on a phone: nothing is wider than it, and summaries stay in two lines', async () => {
    const { page } = await pages.open(phone);
    expect(Math.max(...((await page.evaluate(LINES)) as number[]))).toBe(2);
    const post = await openOperation(page, 'ApiTodoPost');
    await tryOut(page, 'ApiTodoPost');
    for (const control of await post.locator('.fold-control').all()) await control.click();
    const put = await openOperation(page, 'ApiTodoByIdPut');
    await put.locator('.tablinks', { hasText: 'Model' }).first().click();
    await put.locator('.parameters .model-box').first().waitFor();
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      const widths = (await page.evaluate(WIDTHS)) as number[];
      expect(widths).toHaveLength(5);
      expect(Math.min(...widths)).toBeGreaterThan(280);
      expect(await page.evaluate(OVERFLOW)).toBeLessThanOrEqual(0);
      expect(await page.evaluate(OVERLAPS)).toEqual([]);
    }
    await page.context().close();
  });
});

/** When colours have come to where they were going. */
const SETTLED = 'Promise.allSettled(document.getAnimations().map((animation) => animation.finished))';

/** How much wider the page is than the window. */
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** What is drawn around what has the focus. */
const OUTLINE = `(({ outlineStyle, outlineWidth }) => outlineStyle + ' ' + outlineWidth)(getComputedStyle(document.activeElement))`;

/** How wide the descriptions of parameters are. */
const WIDTHS = `[...document.querySelectorAll('.is-open td.parameters-col_description')].map((one) => one.clientWidth)`;

/** How many lines each summary takes. */
const LINES = `[...document.querySelectorAll('.opblock-summary-description')]
  .map((one) => Math.round(one.clientHeight / Number.parseFloat(getComputedStyle(one).lineHeight)))`;

/** Which of the things to read or to press cover each other. */
const OVERLAPS = `(() => {
  const shown = [...document.querySelectorAll('h1, h2, h4, h5, p, pre, input, select, textarea, button, .parameter__name, .opblock-summary-method, .opblock-summary-path, .opblock-summary-description')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0);
  const covers = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  return shown.flatMap((one, index) => shown.slice(index + 1)
    .filter((other) => !one.contains(other) && !other.contains(one) && covers(one.getBoundingClientRect(), other.getBoundingClientRect()))
    .map((other) => one.outerHTML.slice(0, 80) + ' and ' + other.outerHTML.slice(0, 80)));
})()`;
