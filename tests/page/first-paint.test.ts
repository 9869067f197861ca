import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../support/browser.js';
import { desk, openPage, phone } from '../support/page.js';
import { startService } from '../support/service.js';

jest.setTimeout(60_000);

const COMMITTED = JSON.parse(readFileSync('docs/swagger.json', 'utf8'));
const service = startService();
let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});

afterAll(() => browser?.close());

/** Serves the page and nothing else: what comes after a text in it only when it is told so. */
async function serve(pauseBefore = '</html>') {
  const { headers, text } = await service.call('GET', '/swagger/ui');
  const [start, rest] = [text.slice(0, text.indexOf(pauseBefore)), text.slice(text.indexOf(pauseBefore))];
  const waiting: ServerResponse[] = [];
  const refused: string[] = [];
  const server = createServer(({ url }, response) => {
    if (url !== '/swagger/ui') {
      refused.push(`${url}`);
      response.writeHead(503).end();
      return;
    }
    response.writeHead(200, headers).write(start);
    waiting.push(response);
    if (pauseBefore === '</html>') response.end(rest);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/swagger/ui`,
    refused,
    finish() {
      for (const response of waiting) response.end(rest);
    },
    stop: () => server.close().closeAllConnections(),
  };
}

const OPERATIONS = [
  'GET /api/todo',
  'POST /api/todo',
  ...['GET', 'PUT', 'PATCH', 'DELETE'].map((m) => `${m} /api/todo/{id}`),
];

describe('the page without scripts', () => {
  it.each([{ ...desk }, { ...phone }])(
    'lists the operations, with what they take and answer, in a window %j',
    async (window) => {
      const served = await serve();
      const context = await browser.newContext({ ...window, javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(served.url);
      expect(await page.locator('h1').textContent()).toContain('To-do Item Service');
      const summaries = page.locator('.operation summary');
      expect((await summaries.allTextContents()).map((text) => text.trim().split(/\s+/).slice(0, 2).join(' '))).toEqual(
        OPERATIONS,
      );
      await summaries.nth(3).click();
      const opened = page.locator('.operation').nth(3);
      for (const text of [
        'id',
        'in path, string, required',
        'If-Match',
        'in body, TodoItem, required',
        '404',
        'No item has this key.',
      ]) {
        expect(await opened.textContent()).toContain(text);
      }
      expect(await page.locator('noscript').textContent()).toContain('Scripts are off');
      expect(served.refused).toEqual([]);
      await context.close();
      served.stop();
    },
  );
});

describe('the page', () => {
  it('has the document inside: it needs no other request, and is driven by what is served', async () => {
    const served = await serve();
    const { page, faults } = await openPage(browser, served.url);
    const inside = JSON.parse(
      await page.locator('#document').evaluate(({ textContent }: { textContent: string }) => textContent),
    );
    for (const operations of Object.values<object>(inside.paths)) {
      for (const { responses } of Object.values<{ responses: object }>(operations as never)) {
        for (const response of Object.values(responses)) delete response.examples;
      }
    }
    const plain = JSON.parse(JSON.stringify(COMMITTED, (name, value) => (name === 'examples' ? undefined : value)));
    expect(inside).toEqual(plain);
    expect(inside.paths['/api/todo'].get.produces[0]).toBe('text/plain');
    expect(await page.locator('.opblock').count()).toBe(6);
    expect([faults, served.refused]).toEqual([[], []]);
    await page.context().close();
    served.stop();
  });

  it('shows the operations while the script is on its way, and leaves them where they are when it takes over', async () => {
    const served = await serve('<style>@layer');
    const context = await browser.newContext(desk);
    const page = await context.newPage();
    await page.goto(served.url, { waitUntil: 'commit' });
    const summaries = page.locator('.operation summary');
    await summaries.nth(5).waitFor();
    const places = await Promise.all([0, 3, 5].map((index) => summaries.nth(index).boundingBox()));
    served.finish();
    await page.waitForSelector('.opblock');
    const controls = page.locator('.opblock-summary-control');
    const now = await Promise.all([0, 3, 5].map((index) => controls.nth(index).boundingBox()));
    for (const [index, place] of places.entries()) {
      for (const side of ['x', 'y', 'width', 'height'] as const) {
        expect(Math.abs((now[index]?.[side] as number) - (place?.[side] as number))).toBeLessThanOrEqual(2);
      }
    }
    expect(await page.locator('main').count()).toBe(1);
    await context.close();
    served.stop();
  });

  it('keeps open what was opened before the script came, and the focus where it was', async () => {
    const served = await serve('<style>@layer');
    const context = await browser.newContext(desk);
    const page = await context.newPage();
    await page.goto(served.url, { waitUntil: 'commit' });
    await page.locator('.operation summary').nth(1).click();
    served.finish();
    await page.locator('#operations-Todo-ApiTodoPost .execute').waitFor();
    expect(await page.locator('.opblock.is-open').count()).toBe(1);
    expect(await page.evaluate('document.activeElement.closest(".opblock").id')).toBe('operations-Todo-ApiTodoPost');
    await context.close();
    served.stop();
  });
});
