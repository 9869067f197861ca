import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../support/browser/browser.js';
import { anItem, COLLECTION, FIRST, TEXT } from '../support/service/resource.js';
import { type OfflineService, startOffline } from '../support/start/offline.js';

let service: OfflineService;
let browser: Browser;
let elsewhere: Server;
let page: Page;

beforeAll(async () => {
  service = await startOffline();
  browser = await startBrowser();
  elsewhere = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end('<body>'));
  await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
});

afterAll(async () => {
  elsewhere?.close();
  await browser?.close();
  await service?.stop();
});

beforeEach(async () => {
  page = await browser.newPage();
});

const names = async () =>
  (await service.call('GET', COLLECTION)).json.map((item: Record<string, unknown>) => item[TEXT]);

describe('a page of another site, in a real browser', () => {
  const open = () => page.goto(`http://localhost:${(elsewhere.address() as AddressInfo).port}/`);

  it('changes nothing, by a body of no media type, a beacon, a form, or calls that the emulator lets all pages make', async () => {
    await open();
    const url = `${service.url}${COLLECTION}`;
    const refused: string[] = [];
    page.on('response', (response) => response.status() === 403 && refused.push(response.request().method()));
    const [{ key }] = (await service.call('GET', COLLECTION)).json;
    // As text: what runs in the browser is not compiled with what runs here.
    await page.evaluate(`(async () => {
      const item = '${JSON.stringify({ key, ...anItem('forged') })}';
      const [list, one] = ['${url}', '${url}/${key}'];
      const headers = { 'Content-Type': 'application/json' };
      await fetch(list, { method: 'POST', mode: 'no-cors', body: new Blob([item]) });
      navigator.sendBeacon(list, new Blob([item]));
      await fetch(list, { method: 'POST', headers, body: item });
      await fetch(one, { method: 'PUT', headers, body: item });
      await fetch(one, { method: 'PATCH', headers, body: item });
      await fetch(one, { method: 'DELETE' });
    })()`);
    await page.setContent(
      `<form method=post enctype=text/plain action="${url}"><input name='${JSON.stringify(anItem('forged')).slice(0, -1)},"x":"' value='"}'></form>`,
    );
    await Promise.all([page.waitForNavigation(), page.evaluate('document.forms[0].submit()')]);
    expect(refused.sort()).toEqual(['DELETE', 'PATCH', 'POST', 'POST', 'POST', 'POST', 'PUT']);
    expect(await names()).toEqual([FIRST[TEXT]]);
  });

  it('does not get the page into a frame', async () => {
    await open();
    await page.setContent(`<iframe src="${service.url}/swagger/ui"></iframe>`);
    await page.waitForLoadState('networkidle');
    expect(await page.frames()[1]?.locator('h1').count()).toBe(0);
  });
});
