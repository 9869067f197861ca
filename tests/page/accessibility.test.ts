import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { openOperation } from '../support/browser/page.js';
import { jsonAnswer } from '../support/browser/scripted.js';
import { servePages } from '../support/browser/served-pages.js';
import { INVALID, OPERATIONS } from '../support/service/resource.js';

const pages = servePages();

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
// A scheme changes nothing but colours.
const RULES_ON_COLOURS = ['color-contrast', 'link-in-text-block'];
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Brings the page into each of its states in turn. */
const STATES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  closed: async () => {},
  'all open, answered, failed and busy': async (page) => {
    await (await openOperation(page, OPERATIONS.create)).send();
    await (await openOperation(page, OPERATIONS.list)).send();
    const put = await openOperation(page, OPERATIONS.replace);
    await put.field('item').fill(JSON.stringify(INVALID));
    await put.send();
    const remove = await openOperation(page, OPERATIONS.remove);
    pages.service.answerNext(jsonAnswer(503, { type: 'about:blank', title: 'Service Unavailable', status: 503 }));
    await remove.send();
    const patch = await openOperation(page, OPERATIONS.patch);
    pages.service.answerNext(new Promise(() => {}));
    await patch.button('Send').click();
    await patch.button('Cancel').waitFor();
    const find = await openOperation(page, OPERATIONS.find);
    await find.field('id').fill('');
    await find.button('Send').click();
    await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
  },
};

/** What axe finds by some rules, also in what is out of sight. */
async function violations(page: Page, rules: readonly string[]): Promise<string[]> {
  const options = { runOnly: rules, resultTypes: ['violations'] };
  const results: AxeResults = await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`);
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, any, all, none }) => `${id}: ${target} ${[...any, ...all, ...none].map(({ message }) => message)}`,
    ),
  );
}

describe.each(Object.entries(STATES))('axe finds nothing wrong with the page, %s', (_, bring) => {
  it('at any width from a phone to a desk, in a light scheme and in a dark one', async () => {
    const { page } = await pages.open({ reducedMotion: 'reduce' });
    await bring(page);
    await page.evaluate(AXE);
    for (const width of [320, 360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme: 'light' });
      expect([width, await violations(page, RULES)]).toEqual([width, []]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect([width, await violations(page, RULES_ON_COLOURS)]).toEqual([width, []]);
    }
  });
});

describe('whoever cannot see the page', () => {
  it('is told of answers: the live region is there before them, and the body in it is not read out', async () => {
    const { page } = await pages.open();
    const list = await openOperation(page, OPERATIONS.list);
    expect(await list.element.getByRole('status').count()).toBeGreaterThan(0);
    await page.evaluate(`window.region = document.querySelector("#${OPERATIONS.list} [role=status]")`);
    await list.send();
    expect(await page.evaluate('window.region.isConnected && /^200/.test(window.region.textContent.trim())')).toBe(
      true,
    );
    expect(
      await page.evaluate('window.region.querySelector("pre").closest("[aria-live], [role=status]") !== window.region'),
    ).toBe(true);
  });

  it('finds one heading a part, in order, and one main part', async () => {
    const { page } = await pages.open();
    const levels = (await page.evaluate(
      '[...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].map(({ tagName }) => Number(tagName[1]))',
    )) as number[];
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    for (const [index, level] of levels.entries()) expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
    expect(await page.getByRole('main').count()).toBe(1);
    expect(await page.evaluate('document.documentElement.lang')).toBe('en');
  });
});
