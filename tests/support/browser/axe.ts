import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { run } from './page.js';

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
export const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** How many pixels of a page are beside its window, as an expression. */
export const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** Lists what axe finds wrong with a page as it is now, also outside the window, by rule and element. */
export async function violations(page: Page, runOnly: readonly string[] = RULES, rules = {}): Promise<unknown[]> {
  await page.evaluate(AXE);
  const options = { runOnly, rules, resultTypes: ['violations'] };
  const results = (await run(page, 'return axe.run(document, given[0])', options)) as AxeResults;
  return results.violations.map(({ id, nodes }) => [id, nodes.map((node) => [node.target, node.failureSummary])]);
}
