import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { makeAssets } from '../../../docs/generator/assets.js';
import { makePage } from '../../../docs/page/markup/page.js';
import type { Response } from '../../../shared/http/message.js';
import { startBrowser } from '../../support/browser/installed.mjs';
import { type Gateway, gateways } from '../../support/gateways/gateways.js';
import { listen } from '../../support/listen.js';
import { type Answer, answerOf } from '../../support/service/answer.js';
import { openApi, type Service, startService } from '../../support/service/service.js';
import { parcelsDocument } from '../documents.js';

/** The window of a laptop. */
export const LAPTOP = { width: 1280, height: 800 };

/** The most milliseconds that a step of a test may take on a busy machine: all that it waits for is in the page already. */
const STEP = 30_000;

/**
 * Serves the service of parcels with its page, and opens the page anew for each test of the file that calls this.
 *
 * @param document - What the page is made from.
 * @param prefix - What the service has in front of its paths: that of a gateway.
 * @param end - An end for the page's URL, such as a fragment.
 */
export function servePage({ document = parcelsDocument, prefix = '', end = '' } = {}) {
  const service = startService(gateways.find((one) => one.prefix === prefix) as Gateway);
  const assets = makeAssets(document, openApi, makePage(document));
  const files: Readonly<Record<string, Response<200>>> = {
    '/swagger/ui': assets['page.identity'],
    '/swagger/v1/swagger.json': assets.swagger,
    '/swagger/v1/openapi.json': assets.openapi,
  };
  const received: { method: string; path: string; headers: Record<string, string>; body: string | undefined }[] = [];
  const answers: (Answer | Promise<Answer>)[] = [];
  const call: Service['call'] = (method, path, request = {}) => {
    const { headers = {}, body } = request;
    received.push({ method, path, headers, body: body as string | undefined });
    return Promise.resolve(answers.shift() ?? service.call(method, path, request));
  };
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const headers = request.headers as Record<string, string>;
    const body = (await buffer(request)).toString();
    // As custom domains of API Gateway take a path.
    const path = (request.url ?? '').replace(/^\/+/, '/').slice(prefix.length);
    const file = files[path.replace(/\/?(\?.*)?$/, '')];
    if (file) return response.writeHead(200, file.headers).end(file.body);
    const {
      status,
      headers: fields,
      content,
    } = await call(request.method ?? '', path, { headers, ...(body && { body }) });
    return response.writeHead(status, fields).end(content);
  });
  let browser: Browser;
  const opened = {
    page: undefined as unknown as Page,
    /** The URL of the service. */
    url: '',
    call: service.call,
    /** The requests to the service since the test began: the path without the prefix, but with the query. */
    received,
    /** Answers the next requests, in this order, in place of the real service. */
    answerNext: (...next: readonly (Answer | Promise<Answer>)[]) => void answers.push(...next),
    /** Errors in scripts, violations of the page's policy, requests to other hosts, dialogs. A test fails if any is left. */
    faults: [] as string[],
    /** Runs an expression in the page. It is text, because code for a browser is not compiled with the tests. */
    run: <Value>(expression: string) => opened.page.evaluate(expression) as Promise<Value>,
    operation: (id: string) => operationOf(opened, id),
  };

  beforeAll(async () => {
    browser = await startBrowser();
    opened.url = `http://${await listen(server)}${prefix}`;
  });
  // A page that a test has left with a request under way asks before it is left, so each test gets one of its own.
  beforeEach(async () => {
    const page = await browser.newPage({ viewport: LAPTOP, colorScheme: 'light' });
    page.setDefaultTimeout(STEP);
    // Browsers also report each answer that is an error, but tests provoke those.
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load'))
        opened.faults.push(message.text());
    });
    page.on('pageerror', (error) => opened.faults.push(error.message));
    page.on('dialog', (dialog) => opened.faults.push(dialog.type()) && dialog.dismiss());
    page.on(
      'request',
      (request) => request.url().startsWith(new URL(opened.url).origin) || opened.faults.push(request.url()),
    );
    opened.page = page;
    await page.goto(`${opened.url}/swagger/ui${end}`);
    received.length = 0;
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
      const text = (await operation.element.getByRole('status').textContent()) ?? '';
      expect(text).toMatch(/^\s*(\d{3}\b|No answer|Cancelled)/);
      return text.trim();
    },
    /** What a screen reader announces of a field. */
    async announced(name: string): Promise<{ isInvalid: boolean; hasFocus: boolean; description: string }> {
      const found = `const described = field.getAttribute('aria-describedby').split(' ');
        return {
          isInvalid: field.getAttribute('aria-invalid') === 'true',
          hasFocus: field === document.activeElement,
          description: described.map((id) => document.getElementById(id)?.textContent).join(' ').trim(),
        };`;
      const fieldId = await operation.field(name).getAttribute('id');
      return opened.page.evaluate(
        `(() => { const field = document.getElementById('${fieldId}'); ${found} })()`,
      ) as never;
    },
  };
  return operation;
}

/** Makes an answer with JSON, with the media type of problems if it is one. */
export function jsonAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  const type = status < 400 ? 'application/json; charset=utf-8' : 'application/problem+json';
  return answerOf(status, { 'Content-Type': type, ...headers }, Buffer.from(JSON.stringify(body)));
}
