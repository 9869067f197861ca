import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startBrowser } from './support/browser.js';
import { type OfflineService, startOffline } from './support/offline.js';
import { openPage, tryOut } from './support/page.js';
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

describe.each([
  ['', '/swagger/ui'],
  ['', '/SWAGGER/UI/'],
  ['/dev', '/dev/swagger/ui'],
  ['/tasks/v2', '/tasks/v2/swagger/ui'],
])('behind the prefix %j, one request at a time, the page at %s', (prefix, path) => {
  it('shows and tries out all operations, without an error or a call elsewhere', async () => {
    const proxy = await startProxy(service.url, prefix);
    const { page, faults } = await openPage(browser, `${proxy.url}${path}`);
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
    expect(await page.locator('header a').getAttribute('href')).toBe(`${proxy.url}${prefix}/swagger/v1/swagger.json`);
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
    const { page, faults } = await openPage(browser, `${service.url}/swagger/ui#/Todo/ApiTodoGet`);
    const operation = page.locator('#operations-Todo-ApiTodoGet');
    await operation.locator('.execute').click();
    await operation.locator('h5', { hasText: 'Request duration' }).waitFor();
    expect(page.url()).toContain('#/Todo/ApiTodoGet');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each([
    ['light', 'rgb(246, 248, 247)'],
    ['dark', 'rgb(15, 21, 19)'],
  ] as const)('is %s when the reader has set so', async (colorScheme, background) => {
    const { page, faults } = await openPage(browser, `${service.url}/swagger/ui`, { colorScheme });
    expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe(background);
    expect(await page.evaluate('document.documentElement.lang')).toBe('en');
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
