import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { makeAssets } from '../../../docs/generator/assets.js';
import type { OpenApi } from '../../../docs/generator/openapi.js';
import { toSwagger2 } from '../../../docs/generator/swagger2.js';
import { makePage } from '../../../docs/page/markup/page.js';
import type { Document } from '../../../docs/page/markup/swagger.js';
import type { Response } from '../../../shared/http/message.js';
import { startBrowser } from '../../support/browser/installed.mjs';
import { gateways } from '../../support/gateways/gateways.js';
import { listen } from '../../support/listen.js';
import { type Answer, answerOf } from '../../support/service/answer.js';
import { startService } from '../../support/service/service.js';

/** What the service has in front of its paths: that of a gateway. */
const PREFIX = '/tasks/v2';

/** Serves the service of parcels with the page of its description, and opens the page anew for each test of the file that calls this. */
export function servePage(openApi: OpenApi) {
  const service = startService(
    {},
    gateways.find(({ prefix }) => prefix === PREFIX),
  );
  const document = toSwagger2(openApi) as Document;
  const assets = makeAssets(document, openApi, makePage(document));
  const files: Readonly<Record<string, Response<200>>> = {
    '/swagger/ui': assets['page.identity'],
    '/swagger/v1/swagger.json': assets.swagger,
    '/swagger/v1/openapi.json': assets.openapi,
  };
  const answers: (Answer | Promise<Answer>)[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request;
    const headers = request.headers as Record<string, string>;
    const body = await text(request);
    // As custom domains of API Gateway take a path.
    const path = url.replace(/^\/+/, '/').slice(PREFIX.length);
    const file = files[path.replace(/\/?(\?.*)?$/, '')];
    if (file) return response.writeHead(200, file.headers).end(file.body);
    opened.received.push({ method, path, headers, body });
    const answer = await (answers.shift() ?? service.call(method, path, { headers, ...(body && { body }) }));
    return response.writeHead(answer.status, answer.headers).end(answer.content);
  });
  let browser: Browser;
  const opened = {
    page: undefined as unknown as Page,
    /** The URL of the service. */
    url: '',
    call: service.call,
    /** The requests to the service since the test began: the path without the prefix, but with the query. */
    received: [] as { method: string; path: string; headers: Record<string, string>; body: string }[],
    /** Answers the next requests, in this order, in place of the real service. */
    answerNext: (...next: readonly (Answer | Promise<Answer>)[]) => void answers.push(...next),
    /** Errors in scripts, violations of the page's policy, which forbids other hosts, and dialogs. A test fails if any is left. */
    faults: [] as string[],
    /** Runs an expression in the page. It is text, because code for a browser is not compiled with the tests. */
    run: <Value>(expression: string) => opened.page.evaluate(expression) as Promise<Value>,
    operation: (id: string) => operationOf(opened, id),
  };

  beforeAll(async () => {
    browser = await startBrowser();
    opened.url = `http://${await listen(server)}${PREFIX}`;
  });
  // A page that a test has left with a request under way asks before it is left, so each test gets one of its own.
  beforeEach(async () => {
    const { faults } = opened;
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
    // On a busy machine. All that a step waits for is in the page already.
    page.setDefaultTimeout(30_000);
    // Browsers also report each answer that is an error, but tests provoke those.
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load')) faults.push(message.text());
    });
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('dialog', (dialog) => faults.push(dialog.type()) && dialog.dismiss());
    opened.page = page;
    await page.goto(`${opened.url}/swagger/ui`);
    opened.received.length = 0;
    answers.length = 0;
  });
  afterEach(async () => {
    await opened.page.close();
    expect(opened.faults.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    server.close().closeAllConnections();
  });
  return opened;
}

function operationOf(opened: { readonly page: Page }, id: string) {
  const operation = {
    get element() {
      return opened.page.locator(`details[id="${id}"]`);
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
    /** The text of the answer, once nothing is under way. The page has removed the one before when a click has returned. */
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

/** Makes an answer with JSON, with the media type of problems if it is one. */
export function jsonAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  const type = status < 400 ? 'application/json; charset=utf-8' : 'application/problem+json';
  return answerOf(status, { 'Content-Type': type, ...headers }, Buffer.from(JSON.stringify(body)));
}
