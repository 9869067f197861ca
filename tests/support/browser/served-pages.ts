import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { makeAssets } from '../../../docs/generator/assets.js';
import { type Document, makePage } from '../../../docs/generator/page.js';
import type { Response } from '../../../shared/http/message.js';
import { gateways } from '../gateways/gateways.js';
import { type Answer, answerOf } from '../service/answer.js';
import { type Served, serve } from '../service/serve.js';
import { type Service, startService } from '../service/service.js';
import { startBrowser } from './browser.js';
import { type OpenPage, openPage } from './page.js';
import { type ScriptedService, scripted } from './scripted.js';

/** The page of a service, in a browser. */
export interface ServedPages {
  /** Of the service, without a slash at the end. */
  readonly url: string;
  /** The service behind the page. Each test begins with no requests received and no answers set. */
  readonly service: ScriptedService;
  /** Serves the page of another document from now on, until the test ends. */
  serveInstead(document: Document): void;
  /** The same page for all tests that ask for it: loading it takes longer than most of them. */
  shared(): Promise<OpenPage>;
  /** Opens the page in a window of its own, with what stands behind its path in the URL. */
  open(options?: BrowserContextOptions, end?: string): Promise<OpenPage>;
}

/**
 * Serves a service to a browser, for all tests of the file that calls this. What tests have opened is closed after them,
 * and nothing that should never happen has happened.
 *
 * @param service - The service; one of the test's own where it is given.
 * @returns The page, once the tests run.
 */
export function servePages(service: ScriptedService = scripted(startService(atRoot))): ServedPages {
  let served: Served;
  let browser: Browser;
  const opened: OpenPage[] = [];
  let kept: OpenPage | undefined;
  let other: Answer | undefined;
  const call: Service['call'] = async (method, path, request) =>
    other && path.startsWith('/swagger/ui') ? other : service.call(method, path, request);

  beforeAll(async () => {
    [served, browser] = await Promise.all([serve({ ...service, call }), startBrowser()]);
  });

  beforeEach(() => {
    other = undefined;
    service.reset();
  });

  afterEach(async () => {
    const faults = [...opened.flatMap((one) => one.faults), ...(kept?.faults.splice(0) ?? [])];
    await Promise.all(opened.splice(0).map(({ page }) => page.context().close()));
    if (faults.length > 0)
      throw new Error(`The page has had errors, or asked for what it should not:\n${faults.join('\n')}`);
  });

  afterAll(async () => {
    await browser?.close();
    served?.stop();
  });

  const open: ServedPages['open'] = (options, end = '') => openPage(browser, `${served.url}/swagger/ui${end}`, options);

  return {
    service,
    get url() {
      return served.url;
    },
    serveInstead(document) {
      const page = makeAssets('{}', '{}', makePage(document))['page.identity'] as Response<200> & { body: string };
      other = answerOf(200, page.headers, Buffer.from(page.body));
    },
    async shared() {
      kept ??= await open();
      return kept;
    },
    async open(options, end) {
      const page = await open(options, end);
      opened.push(page);
      return page;
    },
  };
}

const atRoot = gateways.find(({ prefix }) => prefix === '');
