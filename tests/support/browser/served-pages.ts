import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { makeAssets } from '../../../docs/generator/assets.js';
import { type Document, makePage } from '../../../docs/generator/page.js';
import type { Response } from '../../../shared/http/message.js';
import { gateways } from '../gateways/gateways.js';
import { type Answer, answerOf } from '../service/answer.js';
import { type Served, serve } from '../service/serve.js';
import { type Service, startService } from '../service/service.js';
import { type OpenPage, openWindow, startBrowser } from './page.js';

/** A request that reached the service. */
export interface Received {
  readonly method: string;
  /** Path and query as they were sent, without the prefix. */
  readonly path: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** A service that notes what it is sent, and answers as a test wants. */
export interface ScriptedService extends Service {
  /** The requests that it got, the oldest first, without those for the page itself. */
  readonly received: Received[];
  /** Answers the next requests, in this order, instead of the service behind; a promise delays its answer. */
  answerNext(...answers: readonly (Answer | Promise<Answer>)[]): void;
  /** Forgets what was received, and what it was told to answer. */
  reset(): void;
}

/** The page of a service, in a browser. */
export interface ServedPages {
  /** Of the service, without a slash at the end. */
  readonly url: string;
  /** The service behind the page. Each test begins with no requests received and no answers set. */
  readonly service: ScriptedService;
  /** Serves the page of another document, until the test ends. */
  serveInstead(document: Document): void;
  /** The page as the test before has left it, for tests that this does not concern: to load it takes longer than they do. */
  readonly page: Page;
  /** The page as somebody finds it who has never seen it, with what stands behind its path in the URL. */
  open(end?: string): Promise<Page>;
  /** The same in a window of its own, which is closed after the test. */
  openWith(options?: BrowserContextOptions): Promise<OpenPage>;
}

/**
 * Serves a service to a browser, for all tests of the file that calls this. After each test, nothing that should never
 * happen has happened.
 *
 * @param start - Begins with the window that tests share, before there is a page in it.
 * @returns The page, once the tests run.
 */
export function servePages(start: (page: Page) => Promise<unknown> = async () => {}): ServedPages {
  const service = scripted(startService(gateways.find(({ prefix }) => prefix === '')));
  let served: Served;
  let browser: Browser;
  let kept: OpenPage;
  const opened: OpenPage[] = [];
  let other: Answer | undefined;
  const call: Service['call'] = async (method, path, request) =>
    other && path.startsWith('/swagger/ui') ? other : service.call(method, path, request);
  const address = (end = '') => `${served.url}/swagger/ui${end}`;

  async function open(end = ''): Promise<Page> {
    const { page } = kept;
    await page.evaluate('sessionStorage.clear()');
    // The same address with another fragment would not be loaded again.
    await page.goto('about:blank');
    await page.goto(address(end));
    return page;
  }

  beforeAll(async () => {
    [served, browser] = await Promise.all([serve({ ...service, call }), startBrowser()]);
    kept = await openWindow(browser, served.url, {});
    await start(kept.page);
    await kept.page.goto(address());
  });

  beforeEach(() => service.reset());

  afterEach(async () => {
    const faults = [kept, ...opened].flatMap((one) => one.faults.splice(0));
    await Promise.all(opened.splice(0).map(({ page }) => page.context().close()));
    if (other) {
      other = undefined;
      await open();
    }
    if (faults.length > 0)
      throw new Error(`The page has had errors, or asked for what it should not:\n${faults.join('\n')}`);
  });

  afterAll(async () => {
    await browser?.close();
    served?.stop();
  });

  return {
    service,
    get url() {
      return served.url;
    },
    get page() {
      return kept.page;
    },
    serveInstead(document) {
      const page = makeAssets('{}', '{}', makePage(document))['page.identity'] as Response<200> & { body: string };
      other = answerOf(200, page.headers, Buffer.from(page.body));
    },
    open,
    async openWith(options = {}) {
      const one = await openWindow(browser, served.url, options);
      opened.push(one);
      await one.page.goto(address());
      return one;
    },
  };
}

/** Puts itself in front of a service. */
export function scripted(service: Service): ScriptedService {
  const received: Received[] = [];
  const answers: (Answer | Promise<Answer>)[] = [];
  return {
    prefix: service.prefix,
    received,
    answerNext: (...next) => void answers.push(...next),
    reset() {
      received.length = 0;
      answers.length = 0;
    },
    async call(method, path, request = {}) {
      if (/^\/swagger\/ui\/?($|\?)/i.test(decodeURI(path))) return service.call(method, path, request);
      const { headers = {}, body } = request;
      received.push({ method, path, headers, body: body as string | undefined });
      return answers.shift() ?? service.call(method, path, request);
    },
  };
}

/** Writes an answer with JSON in it: problems under their own media type. */
export function jsonAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  const type = status < 400 ? 'application/json; charset=utf-8' : 'application/problem+json';
  return answerOf(status, { 'Content-Type': type, ...headers }, Buffer.from(JSON.stringify(body)));
}
