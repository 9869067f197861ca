// Serves the service of parcels with its page, and loads the page anew for each test of the file that imports this.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { makeAssets } from '../../../docs/generator/assets.js';
import { toSwagger2 } from '../../../docs/generator/swagger2.js';
import { makePage } from '../../../docs/page/markup/page.js';
import type { SwaggerDocument } from '../../../docs/page/markup/swagger.js';
import { startBrowser } from '../../support/browser/installed.mjs';
import { gateways } from '../../support/gateways/gateways.js';
import { listen } from '../../support/listen.js';
import { type Answer, answerOf } from '../../support/service/answer.js';
import { openApi, openApiWithTokens, startService } from '../../support/service/service.js';

/** The prefix of the service, which one of the gateways has. */
const PREFIX = '/tasks/v2';

const gateway = gateways.find(({ prefix }) => prefix === PREFIX);

export const { call } = startService({}, gateway);

/** The URL of the service. */
export let url: string;

export let page: Page;

/** The requests to the service since the test began: the path without the prefix, but with the query. */
export const received: { method: string; path: string; headers: Record<string, string> }[] = [];

/** Errors in scripts, violations of the page's policy, which forbids other hosts, and dialogs. A test fails if any is left. */
export const faults: string[] = [];

/** The answers to the next requests, in this order, instead of the service's own. */
export const answers: (Answer | Promise<Answer>)[] = [];

/** Runs an expression in the page. It is text, because code for a browser is not compiled with the tests. */
export function run<Value>(expression: string): Promise<Value> {
  return page.evaluate(expression);
}

const [assets, withTokens] = [openApi, openApiWithTokens].map((description) => {
  const document = toSwagger2(description) as SwaggerDocument;
  return makeAssets(document, description, makePage(document));
});
const files = new Map([
  ['/swagger/ui', assets?.['page.identity']],
  ['/swagger/with-tokens', withTokens?.['page.identity']],
  ['/swagger/v1/swagger.json', assets?.swagger],
  ['/swagger/v1/openapi.json', assets?.openapi],
]);
const server = createServer(async (request, response) => {
  const { method = '', url = '' } = request;
  const headers = request.headers as Record<string, string>;
  const body = await text(request);
  // Like custom domains of API Gateway, takes several slashes at the beginning for one.
  const path = url.replace(/^\/+/, '/').slice(PREFIX.length);
  const file = files.get(path.replace(/\/?(\?.*)?$/, ''));
  if (file) return response.writeHead(200, file.headers).end(file.body);
  received.push({ method, path, headers });
  const answer = await (answers.shift() ?? call(method, path, { headers, ...(body && { body }) }));
  return response.writeHead(answer.status, answer.headers).end(answer.content);
});
let browser: Browser;

/** Whether the page is being left after a test. It may ask first, and then is left all the same. */
let isLeaving = false;

// One page for all tests, because each further one would take as long as a test.
beforeAll(async () => {
  browser = await startBrowser();
  url = `http://${await listen(server)}${PREFIX}`;
  page = await browser.newPage();
  // Long enough for a busy machine, because all that a step waits for is in the page already.
  page.setDefaultTimeout(30_000);
  // Browsers also report each answer that is an error, but tests provoke those.
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load')) faults.push(message.text());
  });
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('dialog', (dialog) => (isLeaving ? dialog.accept() : faults.push(dialog.type()) && dialog.dismiss()));
});
beforeEach(async () => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 800 });
  isLeaving = true;
  await page.goto(`${url}/swagger/ui`);
  isLeaving = false;
  received.length = 0;
  answers.length = 0;
});
afterEach(() => {
  expect(faults.splice(0)).toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  server.close().closeAllConnections();
});

export function operation(id: string) {
  const operation = {
    id,
    get element() {
      return page.locator(`details[id="${id}"]`);
    },
    /** By the beginning of its label. */
    field: (name: string) => operation.element.getByLabel(new RegExp(`^\\s*${name}\\b`)),
    button: (name: string | RegExp) => operation.element.getByRole('button', { name, exact: true }),
    open: () => operation.element.evaluate((one) => one.setAttribute('open', '')),
    /** Fills in fields by their names, and clicks on Send. */
    async send(fields: Readonly<Record<string, string>> = {}): Promise<string> {
      await operation.open();
      for (const [name, value] of Object.entries(fields)) await operation.field(name).fill(value);
      await operation.button('Send').click();
      return operation.answer();
    },
    /** The text of the answer, once nothing is under way. When a click has returned, the page has removed the former one. */
    async answer(): Promise<string> {
      await operation.element.locator('form:not([aria-busy])').waitFor();
      const answer = (await operation.element.getByRole('status').textContent()) ?? '';
      expect(answer).toMatch(/^\s*(\d{3}\b|No answer|Cancelled)/);
      return answer.trim();
    },
    /** What a screen reader announces of a field. */
    announced: (name: string): Promise<{ isInvalid: boolean; hasFocus: boolean; description: string }> =>
      operation.field(name).evaluate((field) => ({
        isInvalid: field.ariaInvalid === 'true',
        hasFocus: field.matches(':focus'),
        description: field.ariaDescribedByElements
          .map((one: { textContent: string }) => one.textContent)
          .join(' ')
          .trim(),
      })),
  };
  return operation;
}

/** Makes an answer with JSON. From status 400, its media type is that of problems. */
export function jsonAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  const type = status < 400 ? 'application/json; charset=utf-8' : 'application/problem+json';
  return answerOf(status, { 'Content-Type': type, ...headers }, Buffer.from(JSON.stringify(body)));
}
