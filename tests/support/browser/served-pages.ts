import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { makeAssets } from '../../../docs/generator/assets.js';
import { makePage } from '../../../docs/page/markup/page.js';
import type { Document } from '../../../docs/page/markup/swagger-document.js';
import type { Response } from '../../../shared/http/message.js';
import { route } from '../../../shared/routing/route.js';
import { type Gateway, gateways } from '../gateways/gateways.js';
import { type Answer, answerOf } from '../service/answer.js';
import { type Served, serve } from '../service/serve.js';
import { openApi, parcelRoutes, type Service, startService } from '../service/service.js';
import { parcelsDocument } from './documents.js';
import { connectBrowser, LAPTOP, openWindow } from './page.js';

/** Serves a service with its page, usually that of parcels, to a browser, for all tests of the file that calls this. */
export function servePages(of: Service = startWithPage()) {
  const service = scripted(of);
  let served: Served;
  let browser: Browser;
  let other: Answer | undefined;
  const call: Service['call'] = async (method, path, request) =>
    other && path.startsWith('/swagger/ui') ? other : service.call(method, path, request);
  const pages = {
    /** The URL of the service, without a slash at the end. */
    url: '',
    /** The service behind the page. Each test begins with no requests received and no answers set. */
    service,
    /** The page as the previous test has left it, for tests that don't depend on that: loading it takes longer than they do. */
    page: undefined as unknown as Page,
    /** Errors in scripts, violations of the page's policy, requests to other hosts. A test fails if any is left at its end. */
    faults: [] as string[],

    /**
     * Opens the page as on a first visit, in a window of a laptop.
     *
     * @param end - An end for its URL, such as a fragment.
     * @param document - Another document that it is made from.
     */
    async open(end = '', document?: Document): Promise<Page> {
      const { url, page } = pages;
      const { headers, body } = (document && makeAssets('{}', '{}', makePage(document))['page.identity']) ?? {};
      other = headers && answerOf(200, headers, Buffer.from(body as string));
      await page.setViewportSize(LAPTOP);
      await page.emulateMedia({ media: null, colorScheme: 'light' });
      // The same address with another fragment would not be loaded again.
      await page.evaluate(`sessionStorage.clear(); history.replaceState(null, '', '/')`);
      await page.goto(`${url}/swagger/ui${end}`);
      return page;
    },
  };

  beforeAll(async () => {
    browser = await connectBrowser();
    served = await serve({ ...service, call });
    const page = await openWindow(browser);
    Object.assign(pages, { url: served.url, page });
    // Browsers also report each answer that is an error, but tests provoke those.
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load')) pages.faults.push(message.text());
    });
    page.on('pageerror', (error) => pages.faults.push(error.message));
    page.on('dialog', (dialog) => pages.faults.push(dialog.message()) && dialog.dismiss());
    page.on('request', (request) => request.url().startsWith(served.url) || pages.faults.push(request.url()));
    await page.goto(`${served.url}/swagger/ui`);
  });

  beforeEach(() => service.reset());

  afterEach(() => {
    expect(pages.faults.splice(0)).toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
    served?.stop();
  });

  return pages;
}

/** Starts the service of parcels with its page and its documents, where functions/documentation.ts has those of the deployed one. */
export function startWithPage(prefix = ''): Service {
  const assets = makeAssets(JSON.stringify(parcelsDocument), JSON.stringify(openApi), makePage(parcelsDocument));
  const paths = { ui: 'page.identity', 'v1/swagger.json': 'document', 'v1/openapi.json': 'openapi' };
  const routes = Object.entries(paths).map(([path, name]) => {
    const run = async () => assets[name] as Response<200>;
    return route({ method: 'GET', template: `/swagger/${path}`, answers: { 200: {} }, run });
  });
  const gateway = gateways.find((one) => one.prefix === prefix) as Gateway;
  return startService(gateway, { routes: [...parcelRoutes, ...routes] });
}

/** Records the requests to a service, and answers in its place if it is told to. */
export function scripted(service: Service) {
  const received: { method: string; path: string; headers: Record<string, string>; body: string | undefined }[] = [];
  const answers: (Answer | Promise<Answer>)[] = [];
  return {
    prefix: service.prefix,
    /** Its requests, the oldest first, without those for the page itself: the path without the prefix, but with the query. */
    received,
    /** Answers the next requests, in this order, in place of the real service. */
    answerNext: (...next: readonly (Answer | Promise<Answer>)[]) => void answers.push(...next),
    /** Forgets the requests that it received and the answers that it was given. */
    reset() {
      received.length = 0;
      answers.length = 0;
    },
    call: (async (method, path, request = {}) => {
      if (/^\/swagger\/ui\/?($|\?)/i.test(decodeURI(path))) return service.call(method, path, request);
      const { headers = {}, body } = request;
      received.push({ method, path, headers, body: body as string | undefined });
      return answers.shift() ?? service.call(method, path, request);
    }) as Service['call'],
  };
}

/** Makes an answer with JSON, with the media type of problems if it is one. */
export function jsonAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  const type = status < 400 ? 'application/json; charset=utf-8' : 'application/problem+json';
  return answerOf(status, { 'Content-Type': type, ...headers }, Buffer.from(JSON.stringify(body)));
}
