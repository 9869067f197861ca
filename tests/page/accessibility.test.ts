import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../support/browser.js';
import { openOperation, openPage, phone, tryOut } from '../support/page.js';
import { type Served, serve } from '../support/serve.js';
import { startService } from '../support/service.js';

jest.setTimeout(60_000);

let service: Served;
let browser: Browser;

beforeAll(async () => {
  service = await serve(startService());
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
  service?.stop();
});

const AXE = readFileSync('tests/node_modules/axe-core/axe.min.js', 'utf8');

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

describe.each(['light', 'dark'] as const)('in a %s scheme, axe finds nothing wrong', (colorScheme) => {
  it.each([{}, phone])('with the page, in a window %j', async (window) => {
    const { page } = await openPage(browser, `${service.url}/swagger/ui`, { colorScheme, ...window });
    expect(await violations(page)).toEqual([]);
    await page.context().close();
  });

  it('with what is opened and executed, wrong or right, and a list that scrolls', async () => {
    const { page } = await openPage(browser, `${service.url}/swagger/ui`, { colorScheme });
    const post = await openOperation(page, 'ApiTodoPost');
    expect(await violations(page)).toEqual([]);
    for (let items = 0; items < 10; items += 1) await tryOut(page, 'ApiTodoPost');
    for (const control of await post.locator('.fold-control').all()) await control.click();
    await tryOut(page, 'ApiTodoByIdPut', { body: '{' });
    await tryOut(page, 'ApiTodoGet');
    await post.locator('.tablinks', { hasText: 'Model' }).first().click();
    await (await openOperation(page, 'ApiTodoByIdDelete')).locator('input').first().fill('');
    for (const summary of await page.locator('summary').all()) await summary.click();
    expect(await violations(page)).toEqual([]);
    await page.context().close();
  });
});

describe.each(['light', 'dark'] as const)('in a %s scheme', (colorScheme) => {
  it('the focus can be seen wherever the keyboard leads', async () => {
    const { page } = await openPage(browser, `${service.url}/swagger/ui`, { colorScheme });
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

  it('a phone shows everything: nothing is wider than it, and summaries stay in two lines', async () => {
    const { page } = await openPage(browser, `${service.url}/swagger/ui`, { colorScheme, ...phone });
    expect(Math.max(...((await page.evaluate(LINES)) as number[]))).toBe(2);
    const post = await openOperation(page, 'ApiTodoPost');
    await tryOut(page, 'ApiTodoPost');
    for (const control of await post.locator('.fold-control').all()) await control.click();
    const put = await openOperation(page, 'ApiTodoByIdPut');
    await put.locator('.tablinks', { hasText: 'Model' }).first().click();
    await put.locator('.parameters .model-box').first().waitFor();
    const widths = (await page.evaluate(WIDTHS)) as number[];
    expect(widths).toHaveLength(5);
    expect(Math.min(...widths)).toBeGreaterThan(280);
    expect(
      await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    ).toBeLessThanOrEqual(0);
    expect(await page.evaluate(OVERLAPS)).toEqual([]);
    await page.context().close();
  });
});

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
