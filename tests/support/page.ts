import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** The page in a browser. */
export interface OpenPage {
  readonly page: Page;
  /** What should not happen: errors, violations of the page's policy, calls to other hosts, refused calls. */
  readonly faults: string[];
}

/** A window on a desk; `phone` is one to hold. */
export const desk = { viewport: { width: 1280, height: 880 } };
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

/**
 * Opens the page, and waits until operations can be tried out.
 *
 * @param browser - The browser.
 * @param url - Where the page is.
 * @param options - Of the browser's window, such as its colour scheme.
 * @returns The page, in a context of its own.
 */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext({ ...desk, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => request.url().startsWith(new URL(url).origin) || faults.push(request.url()));
  page.on('response', (response) => response.status() >= 400 && faults.push(`${response.status()} ${response.url()}`));
  await page.goto(url);
  await page.waitForSelector('.opblock');
  return { page, faults };
}

/**
 * Opens an operation on the page, as a person would.
 *
 * @param page - The page.
 * @param operationId - Of the operation.
 * @returns The operation.
 */
export async function openOperation(page: Page, operationId: string) {
  const operation = page.locator(`#operations-Todo-${operationId}`);
  if (!(await operation.locator('.execute').isVisible())) await operation.locator('.opblock-summary-control').click();
  await operation.locator('.execute').waitFor();
  return operation;
}

/**
 * Tries an operation out on the page, as a person would.
 *
 * @param page - The page.
 * @param operationId - Of the operation.
 * @param input - What to fill in; what is left out stays as the page has it.
 * @returns What was sent, and what the page shows of the answer.
 */
export async function tryOut(page: Page, operationId: string, input: { id?: string; body?: object | string } = {}) {
  const operation = await openOperation(page, operationId);
  const { id, body } = input;
  if (id !== undefined) await operation.locator('tr[data-param-name=id] input').fill(id);
  if (body) await operation.locator('textarea').fill(typeof body === 'string' ? body : JSON.stringify(body));
  // Else the answer before could be taken for the next one.
  const clear = operation.locator('.btn-clear');
  if (await clear.isVisible()) await clear.click();
  const answered = page.waitForResponse((response) => response.url().includes('/api/todo'));
  await operation.locator('.execute').click();
  const response = await answered;
  const status = response.status();
  await operation.locator('.live-responses-table .response-col_status', { hasText: String(status) }).waitFor();
  const shown = operation.locator('.live-responses-table .highlight-code pre');
  return {
    status,
    request: response.request(),
    body: status === 204 ? '' : await response.text(),
    shown: status === 204 ? '' : await shown.textContent(),
  };
}
