import { setTimeout } from 'node:timers/promises';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';

/** The page in a browser. */
export interface OpenPage {
  readonly page: Page;
  /** What should never happen: errors of scripts, what the page's policy has stopped, requests to other hosts. */
  readonly faults: string[];
}

/** An operation on the page, opened. */
export interface Operation {
  readonly element: Locator;
  /** Where its answer stands. */
  readonly status: Locator;
  field(name: string): Locator;
  button(name: string | RegExp): Locator;
  /** Presses Send, or makes the page send in another way, and gives the text of the answer. */
  send(press?: () => Promise<unknown>): Promise<string>;
}

/** A window on a laptop. */
export const laptop = { viewport: { width: 1280, height: 800 } };

/**
 * Opens the page.
 *
 * @param browser - The browser.
 * @param url - Where the page is.
 * @param options - Of the browser's window, such as its colour scheme.
 * @returns The page, in a context of its own.
 */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext({ ...laptop, ...options });
  // As long as a test may take: a busy machine takes more than half a minute for some steps.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => isFault(message.type(), message.text()) && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('dialog', (dialog) => {
    faults.push(dialog.message());
    dialog.dismiss();
  });
  page.on('request', (request) => request.url().startsWith(new URL(url).origin) || faults.push(request.url()));
  await page.goto(url);
  return { page, faults };
}

/**
 * Opens an operation on the page, as a person would.
 *
 * @param page - The page.
 * @param operationId - Of the operation.
 * @returns The operation.
 */
export async function openOperation(page: Page, operationId: string): Promise<Operation> {
  const element = page.locator(`details[id="${operationId}"]`);
  if ((await element.getAttribute('open')) === null) await element.locator('> summary').press('Enter');
  const status = element.getByRole('status').first();
  const button: Operation['button'] = (name) => element.getByRole('button', { name, exact: true });
  return {
    element,
    status,
    button,
    field: (name) => element.getByLabel(new RegExp(`^\\s*${name}\\b`)),
    async send(press = () => button('Send').press('Enter')) {
      await within(status, `void (element.nextAnswer = ${NEXT_ANSWER})`);
      await press();
      return within<string>(status, 'element.nextAnswer');
    },
  };
}

/**
 * Evaluates an expression in the page. It is text, because what runs in a browser is not compiled with what runs here.
 *
 * @param locator - Finds the element that the expression knows as `element`.
 * @param expression - The expression, or a promise of it.
 */
export function within<Value>(locator: Locator, expression: string): Promise<Value> {
  return locator.evaluate(new Function('element', `return ${expression}`) as () => Value);
}

/**
 * Waits until an expression is true in the page. The page's policy does not let Playwright look for it by itself.
 *
 * @param page - The page.
 * @param expression - The expression.
 */
export async function until(page: Page, expression: string): Promise<void> {
  while (!(await page.evaluate(expression))) await setTimeout(10);
}

// The answer before may have the same text, so this waits until the page has written a new one.
const NEXT_ANSWER = `new Promise((resolve) => {
  new MutationObserver((_changes, observer) => {
    if (!/^\\s*\\d{3}\\b/.test(element.textContent)) return;
    observer.disconnect();
    resolve(element.textContent.trim());
  }).observe(element, { childList: true, subtree: true, characterData: true });
})`;

/** The browser reports each answer that is an error, and tests provoke those. */
function isFault(type: string, text: string): boolean {
  return type === 'error' && !/^Failed to load resource:/.test(text);
}
