import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Browser, firefox, type Page } from 'playwright-core';
import { parcelOperations } from '../support/browser/documents.js';
import { connectBrowser, openOperation, openWindow, run } from '../support/browser/page.js';
import { scripted, startWithPage } from '../support/browser/served-pages.js';
import { type Served, serve } from '../support/service/serve.js';

const browsers: [name: string, start: () => Promise<Browser>][] = [['Chromium', connectBrowser]];
// Playwright drives some releases of Firefox only, so the one that happens to be installed is not taken.
const { FIREFOX_PATH: executablePath } = process.env;
if (executablePath)
  browsers.push(['Firefox', () => firefox.launch({ channel: 'moz-firefox', executablePath, timeout: 100_000 })]);

const service = scripted(startWithPage('/tasks/v2'));
let served: Served;

beforeAll(async () => {
  served = await serve(service);
});
afterAll(() => served?.stop());

describe.each(browsers)('in %s, behind a prefix,', (_, start) => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await start();
    page = await openWindow(browser);
  });
  afterAll(() => browser?.close());

  // Nothing that another test has typed is there.
  beforeEach(async () => {
    await page.goto(`${served.url}/api/parcel`);
    await page.evaluate('sessionStorage.clear()');
    service.reset();
  });

  it.each(['/swagger/ui', '/%73wagger/U%69/'])(
    'all operations can be tried out at %s, and both documents are found',
    async (path) => {
      await page.goto(`${served.url}${path}`);
      const statuses: string[] = [];
      for (const { operationId } of parcelOperations)
        statuses.push((await (await openOperation(page, operationId)).send()).slice(0, 3));
      expect(statuses).toEqual(['200', '201', '200', '204', '204', '204']);
      const item = service.received[2]?.path;
      expect(item).toMatch(/^\/api\/parcel\/[-\da-f]{36}$/);
      expect(service.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
        'GET /api/parcel',
        'POST /api/parcel',
        ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} ${item}`),
      ]);
      expect(await run(page, VERSIONS_OF_DOCUMENTS)).toEqual(['2.0', '3.1.0']);
    },
  );

  it('what is typed is sent by Control and Enter, and is there again after the page is left', async () => {
    await page.goto(`${served.url}/swagger/ui`);
    const { field, answerTo } = await openOperation(page, 'ApiParcelByIdGet');
    await field('id').fill('');
    await field('id').pressSequentially('typed 😀');
    expect(await answerTo(() => page.keyboard.press('Control+Enter'))).toMatch(/^404/);
    expect(service.received.map(({ path }) => path)).toEqual(['/api/parcel/typed%20%F0%9F%98%80']);
    await page.goto(`${served.url}/api/parcel`);
    await page.goto(`${served.url}/swagger/ui`);
    expect(await field('id').inputValue()).toBe('typed 😀');
  });
});

const VERSIONS_OF_DOCUMENTS = `
  const links = [...document.querySelectorAll('a[href$=".json"]')];
  const documents = await Promise.all(links.map(async ({ href }) => (await fetch(href)).json()));
  return documents.map(({ swagger, openapi }) => swagger ?? openapi);`;
