import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { makeAssets } from '../../../docs/generator/assets.js';
import { makePage } from '../../../docs/page/markup/page.js';
import type { Document } from '../../../docs/page/markup/swagger-document.js';
import type { Response } from '../../../shared/http/message.js';
import { gateways } from '../gateways/gateways.js';
import { type Answer, answerOf } from '../service/answer.js';
import { startDeployed } from '../service/deployed.js';
import { type Served, serve } from '../service/serve.js';
import type { Service } from '../service/service.js';
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

/** A service that records its requests, and answers as a test says. */
export interface ScriptedService extends Service {
  /** Its requests, the oldest first, without those for the page itself. */
  readonly received: Received[];
  /** Answers the next requests, in this order, in place of the real service. */
  answerNext(...answers: readonly Answer[]): void;
  /** Lets the next request wait for an answer, until a test calls the function that this returns. */
  holdNext(): (answer: Answer) => void;
  /** Forgets the requests that it received and the answers that it was given. */
  reset(): void;
}

/** The page of a service, in a browser. */
export interface ServedPages {
  /** The URL of the service, without a slash at the end. */
  readonly url: string;
  /** The service behind the page. Each test begins with no requests received and no answers set. */
  readonly service: ScriptedService;
  /** Serves the page of another document, until the test ends. */
  serveInstead(document: Document): void;
  /** The page as the previous test has left it, for tests that don't depend on that: loading it takes longer than they do. */
  readonly page: Page;
  /** The page as on a first visit, with an end for its URL, such as a fragment. */
  open(end?: string): Promise<Page>;
  /** The same in a window of its own, which is closed after the test. */
  openWith(options?: BrowserContextOptions): Promise<OpenPage>;
}

/**
 * Serves a service to a browser, for all tests of the file that calls this. A test fails if the page had errors, or asked
 * for something that it should not.
 *
 * @param start - Prepares the window that the tests share, before the page is loaded.
 * @returns The page; to be used in tests only.
 */
export function servePages(start: (page: Page) => Promise<unknown> = async () => {}): ServedPages {
  const service = scripted(startDeployed(gateways.find(({ prefix }) => prefix === '')));
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
    browser = await startBrowser();
    served = await serve({ ...service, call });
    kept = await openWindow(browser, served.url, {});
    await start(kept.page);
    await kept.page.goto(address());
  });

  beforeEach(() => service.reset());

  afterEach(async () => {
    if (!kept) return;
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

/** Records the requests to a service, and answers in its place if it is told to. */
export function scripted(service: Service): ScriptedService {
  const received: Received[] = [];
  const answers: (Answer | Promise<Answer>)[] = [];
  return {
    prefix: service.prefix,
    received,
    answerNext: (...next) => void answers.push(...next),
    holdNext() {
      let release: (answer: Answer) => void = () => {};
      const held = new Promise<Answer>((resolve) => {
        release = resolve;
      });
      answers.push(held);
      return (answer) => release(answer);
    },
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

/** Makes an answer with JSON, with the media type of problems if it is one. */
export function jsonAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  const type = status < 400 ? 'application/json; charset=utf-8' : 'application/problem+json';
  return answerOf(status, { 'Content-Type': type, ...headers }, Buffer.from(JSON.stringify(body)));
}
