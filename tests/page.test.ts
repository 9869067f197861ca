import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from './support/browser.js';
import { type OfflineService, startOffline } from './support/offline.js';
import { startProxy } from './support/proxy.js';

let service: OfflineService;
let browser: Browser;

beforeAll(async () => {
  service = await startOffline();
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** Opens the page, and collects what should not happen on it: errors, violations of its policy, calls to other hosts. */
async function openPage(
  url: string,
  colorScheme: 'light' | 'dark' = 'light',
): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ colorScheme, viewport: { width: 1280, height: 880 } });
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

/** Tries an operation out on the page, as a person would. */
async function tryOut(page: Page, operationId: string, input: { id?: string; body?: object } = {}) {
  const operation = page.locator(`#operations-Todo-${operationId}`);
  if (!(await operation.locator('.execute').isVisible())) await operation.locator('.opblock-summary-control').click();
  if (input.id) await operation.locator('tr[data-param-name=id] input').fill(input.id);
  if (input.body) await operation.locator('textarea.body-param__text').fill(JSON.stringify(input.body));
  const answered = page.waitForResponse((response) => response.url().includes('/api/todo'));
  await operation.locator('.execute').click();
  const response = await answered;
  const status = response.status();
  await operation.locator('.live-responses-table .response-col_status', { hasText: String(status) }).waitFor();
  return { status, body: status === 204 ? '' : await response.text() };
}

describe.each([
  ['', '/swagger/ui'],
  ['', '/SWAGGER/UI/'],
  ['/dev', '/dev/swagger/ui'],
  ['/tasks/v2', '/tasks/v2/swagger/ui'],
])('behind the prefix %j, one request at a time, the page at %s', (prefix, path) => {
  it('shows and tries out all operations, without an error or a call elsewhere', async () => {
    const proxy = await startProxy(service.url, prefix);
    const { page, faults } = await openPage(`${proxy.url}${path}`);
    expect(await page.title()).toBe('To-do Item Service');
    expect(await page.locator('.opblock-summary-method').allTextContents()).toEqual([
      'GET',
      'POST',
      'GET',
      'PUT',
      'PATCH',
      'DELETE',
    ]);

    const created = await tryOut(page, 'ApiTodoPost', { body: { name: `Made behind "${prefix}"` } });
    expect(created.status).toBe(201);
    const { key: id } = JSON.parse(created.body);
    expect((await tryOut(page, 'ApiTodoGet')).body).toContain(id);
    expect((await tryOut(page, 'ApiTodoByIdPatch', { id, body: { isComplete: true } })).status).toBe(204);
    expect(JSON.parse((await tryOut(page, 'ApiTodoByIdGet', { id })).body)).toMatchObject({
      key: id,
      isComplete: true,
    });
    expect((await tryOut(page, 'ApiTodoByIdPut', { id, body: { key: id, name: 'Replaced' } })).status).toBe(204);
    expect((await tryOut(page, 'ApiTodoByIdDelete', { id })).status).toBe(204);
    expect((await tryOut(page, 'ApiTodoGet')).body).not.toContain(id);

    expect(faults).toEqual([]);
    await page.context().close();
    proxy.stop();
  });
});

describe('the page', () => {
  it('links to operations, and shows how long a request took', async () => {
    const { page, faults } = await openPage(`${service.url}/swagger/ui#/Todo/ApiTodoGet`);
    const operation = page.locator('#operations-Todo-ApiTodoGet');
    await operation.locator('.execute').click();
    await operation.locator('h5', { hasText: 'Request duration' }).waitFor();
    expect(page.url()).toContain('#/Todo/ApiTodoGet');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each([
    ['light', 'rgba(0, 0, 0, 0)'],
    ['dark', 'rgb(28, 32, 34)'],
  ] as const)('is %s when the reader has set so', async (scheme, background) => {
    const { page, faults } = await openPage(`${service.url}/swagger/ui`, scheme);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(background);
    expect(await page.evaluate('document.documentElement.lang')).toBe('en');
    expect(faults).toEqual([]);
    const folder = process.env.SCREENSHOTS;
    if (folder) await page.screenshot({ path: `${folder}/page-${scheme}.png` });
    await page.context().close();
  });
});
