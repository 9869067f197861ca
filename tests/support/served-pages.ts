import { afterAll, beforeAll, jest } from '@jest/globals';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { startBrowser } from './browser.js';
import { type OpenPage, openPage } from './page.js';
import { type Served, serve } from './serve.js';
import { startService } from './service.js';

/** The page of a service, in a browser. */
export interface ServedPages {
  /** Of the service, without a slash at the end. */
  readonly url: string;
  /** Opens the page; that of another service where its URL is given. */
  open(options?: BrowserContextOptions, url?: string): Promise<OpenPage>;
}

/**
 * Serves a service to a browser, for all tests of the file that calls this.
 *
 * @returns The page, once the tests run.
 */
export function servePages(): ServedPages {
  let service: Served;
  let browser: Browser;

  jest.setTimeout(60_000);

  beforeAll(async () => {
    service = await serve(startService());
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    service?.stop();
  });

  return {
    get url() {
      return service.url;
    },
    open: (options, url = service.url) => openPage(browser, `${url}/swagger/ui`, options),
  };
}
