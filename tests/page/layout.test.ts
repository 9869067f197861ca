import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openOperation } from '../support/browser/page.js';
import { jsonAnswer } from '../support/browser/scripted.js';
import { servePages } from '../support/browser/served-pages.js';
import { OPERATIONS } from '../support/service/resource.js';

const pages = servePages();

const OPEN_ALL = 'for (const one of document.querySelectorAll("details")) one.open = true';

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
  return shown.flatMap(([one, place], index) => shown.slice(index + 1)
    .filter(([other, its]) => covers(place, its) && !one.contains(other) && !other.contains(one))
    .map(([other]) => one.outerHTML.slice(0, 80) + ' and ' + other.outerHTML.slice(0, 80)));
})()`;

async function answeredWithLongWords(page: Page): Promise<void> {
  const word = 'long'.repeat(100);
  const list = await openOperation(page, OPERATIONS.list);
  pages.service.answerNext(jsonAnswer(200, [{ key: word, name: word, [word]: [word] }], { 'X-Long': word }));
  await list.send();
  const find = await openOperation(page, OPERATIONS.find);
  await find.field('id').fill(word);
  pages.service.answerNext(
    jsonAnswer(400, { title: word, status: 400, detail: word, errors: [{ pointer: word, detail: word }] }),
  );
  await find.send();
  await page.evaluate(OPEN_ALL);
}

describe('the page', () => {
  it.each([
    ['a desk', 1920],
    ['a laptop', 1280],
    ['a laptop at 200 %', 640],
    ['a laptop at 400 %, or a small phone', 320],
  ])('has no horizontal scroll bar and nothing over anything else on %s', async (_, width) => {
    const { page } = await pages.open({ viewport: { width, height: 640 } });
    await answeredWithLongWords(page);
    expect(await page.evaluate(OVERFLOW)).toEqual([]);
    expect(await page.evaluate(OVERLAPS)).toEqual([]);
  });

  it('bears the spacing of text that readers may set (WCAG 2.2, 1.4.12)', async () => {
    const { page } = await pages.open({ viewport: { width: 320, height: 640 }, bypassCSP: true });
    await answeredWithLongWords(page);
    await page.addStyleTag({
      content: '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }',
    });
    expect(await page.evaluate(OVERFLOW)).toEqual([]);
    expect(await page.evaluate(OVERLAPS)).toEqual([]);
  });

  it.each([
    ['light', (lightness: number) => lightness > 225],
    ['dark', (lightness: number) => lightness < 50],
  ] as const)('is %s when the reader has set so', async (colorScheme, fits) => {
    const { page } = await pages.open({ colorScheme });
    const background = (await page.evaluate(
      'getComputedStyle(document.body).backgroundColor + getComputedStyle(document.documentElement).backgroundColor',
    )) as string;
    const painted = background.replace(/rgba\(0, 0, 0, 0\)/g, '');
    expect(Math.min(...(painted.match(/\d+/g) ?? ['-1']).map(Number).filter((part) => fits(part)))).not.toBe(
      Number.POSITIVE_INFINITY,
    );
    expect((painted.match(/\d+/g) ?? ['-1']).slice(0, 3).map(Number).every(fits)).toBe(true);
  });

  it('keeps borders and focus in forced colours', async () => {
    const { page } = await pages.open({ forcedColors: 'active' });
    const post = await openOperation(page, OPERATIONS.create);
    // Only whoever uses the keyboard is shown the focus of buttons.
    await page.keyboard.press('Tab');
    for (const control of [post.button('Send'), post.field('item'), post.button('Copy as curl')]) {
      await control.focus();
      const style = 'getComputedStyle(document.activeElement)';
      expect(await page.evaluate(`${style}.borderTopStyle + ' ' + ${style}.outlineStyle`)).toMatch(
        /^(solid|outset|inset) (solid|auto|double)$/,
      );
    }
  });

  it('moves nothing where less motion is wanted', async () => {
    const { page } = await pages.open({ reducedMotion: 'reduce' });
    pages.service.answerNext(new Promise(() => {}));
    const list = await openOperation(page, OPERATIONS.list);
    await list.button('Send').click();
    await list.button('Cancel').waitFor();
    expect(
      await page.evaluate(
        'document.getAnimations().map(({ effect }) => effect.getTiming().duration).filter((one) => one > 1)',
      ),
    ).toEqual([]);
    expect(await page.evaluate('getComputedStyle(document.documentElement).scrollBehavior')).toBe('auto');
  });

  it('is black on white on paper, without buttons', async () => {
    const { page } = await pages.open({ colorScheme: 'dark' });
    await openOperation(page, OPERATIONS.create);
    await page.emulateMedia({ media: 'print', colorScheme: 'light' });
    expect(await page.getByRole('button', { name: 'Send' }).first().isVisible()).toBe(false);
    expect(await page.evaluate(OVERFLOW)).toEqual([]);
  });
});

describe('without scripts, the page', () => {
  it('can be read as a whole, links to both documents, and offers nothing that would do nothing', async () => {
    const { page } = await pages.open({ javaScriptEnabled: false });
    const { info, paths, definitions } = (await pages.service.call('GET', '/swagger/v1/swagger.json')).json;
    expect(await page.locator('h1').textContent()).toContain(info.title);
    for (const { operationId, parameters, responses } of Object.values<object>(paths).flatMap((methods) =>
      Object.values(methods),
    )) {
      const element = page.locator(`details[id="${operationId}"]`);
      await element.locator('> summary').click();
      const labels = (await element.locator('label').allInnerTexts()).map((label) => label.trim().split(/\s/)[0]);
      for (const { name } of parameters) expect(labels).toContain(name);
      const text = (await element.textContent())?.replace(/\s+/g, ' ');
      for (const [status, { description }] of Object.entries<{ description: string }>(responses)) {
        expect(text).toContain(status);
        expect(text).toContain(description.split('`')[0]);
      }
    }
    for (const name of Object.keys(definitions))
      expect(await page.locator('.model').getByRole('heading', { name, exact: true }).count()).toBe(1);
    for (const name of ['Send', 'Cancel', 'Copy as curl']) {
      for (const button of await page.getByRole('button', { name }).all()) expect(await button.isVisible()).toBe(false);
    }
    for (const format of ['swagger', 'openapi']) {
      expect(
        (await page.request.get((await page.locator(`a[href$="${format}.json"]`).evaluate(HREF)) as string)).status(),
      ).toBe(200);
    }
  });
});

const HREF = new Function('link', 'return link.href') as () => string;
