import { setTimeout } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';

/** The window of a laptop. */
export const LAPTOP = { width: 1280, height: 800 };

/** Connects to the browser of this run of the tests. */
export function connectBrowser(): Promise<Browser> {
  return chromium.connect(process.env.BROWSER_ENDPOINT as string);
}

/** Opens a window of its own in a browser. */
export async function openWindow(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: LAPTOP });
  // As long as a test may take: a busy machine takes more than half a minute for some steps.
  context.setDefaultTimeout(120_000);
  return context.newPage();
}

/** Opens an operation on the page, by its id. */
export async function openOperation(page: Page, operationId: string) {
  const element = page.locator(`details[id="${operationId}"]`);
  // The document may still be on its way after a reload on a busy machine.
  await element.waitFor({ state: 'attached' });
  await run(page, 'document.getElementById(given[0]).open = true;', operationId);
  const answer = (action: string, ...given: unknown[]) => run(page, ANSWER + action, operationId, ...given);
  return {
    element,
    /** The element that shows its answer. */
    status: element.getByRole('status').first(),
    button: (name: string | RegExp) => element.getByRole('button', { name, exact: true }),
    field: (name: string) => element.getByLabel(new RegExp(`^\\s*${name}\\b`)),
    /** Fills in fields by their names, clicks on Send, and returns the text of the answer. */
    send: (fields: Readonly<Record<string, string>> = {}) => answer(SEND, fields) as Promise<string>,
    /** Makes the page send in another way, and returns the text of the answer. */
    async answerTo(press: () => Promise<unknown>): Promise<string> {
      await answer('window.answer = nextAnswer();');
      await press();
      return page.evaluate('window.answer');
    },
  };
}

/**
 * Runs the body of an async function in the page. It is text, because code for a browser is not compiled with the tests. It
 * does a whole step at once, because finding, filling in and clicking elements from outside takes five times as long.
 *
 * @param given - The arguments of the function, in the array `given`.
 */
export function run(page: Page, script: string, ...given: readonly unknown[]): Promise<unknown> {
  return page.evaluate(`(async (...given) => { ${script} })(...${JSON.stringify(given)})`);
}

/** Waits until an expression is true in the page. The page's policy does not let Playwright look for it by itself. */
export async function until(page: Page, expression: string): Promise<void> {
  while (!(await page.evaluate(expression))) await setTimeout(10);
}

// The previous answer may have the same text, so this waits until the page has written a new one.
const ANSWER = `
  const operation = document.getElementById(given[0]);
  const status = operation.querySelector('[role=status]');
  const nextAnswer = () => new Promise((resolve) => {
    new MutationObserver((_changes, observer) => {
      if (!/^\\s*\\d{3}\\b/.test(status.textContent)) return;
      observer.disconnect();
      resolve(status.textContent.trim());
    }).observe(status, { childList: true, subtree: true, characterData: true });
  });`;

const SEND = `
  for (const [name, value] of Object.entries(given[1] ?? {})) {
    const field = [...operation.querySelectorAll('input, select, textarea')]
      .find(({ labels }) => labels?.[0]?.textContent.trim().startsWith(name));
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  const answer = nextAnswer();
  const button = [...operation.querySelectorAll('button')].find((one) => one.textContent.trim() === 'Send');
  button.focus();
  button.click();
  return answer;`;

/** Opens all that can be opened: a script for Playwright. */
export const OPEN_ALL = 'for (const one of document.querySelectorAll("details")) one.open = true';
