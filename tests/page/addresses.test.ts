import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ALL_SIX } from '../support/browser/documents.js';
import { OPEN_AND_SEND, openWindow, run, startBrowser } from '../support/browser/page.js';
import { type ScriptedService, scripted, startWithPage } from '../support/browser/served-pages.js';
import { type Served, serve } from '../support/service/serve.js';
import { type Firefox, installedFirefox, startFirefox } from './firefox.js';

/** What both browsers can do. */
type Tab = Pick<Firefox, 'visit' | 'run' | 'type' | 'stop'>;

const browsers: [name: string, start: () => Promise<Tab>][] = [['Chromium', startChromium]];
const firefox = installedFirefox();
if (firefox) browsers.push(['Firefox', () => startFirefox(firefox)]);
else console.warn('Firefox was not found, so the page is tested in Chromium alone. Install it, or set FIREFOX_PATH.');

const SPELLINGS = ['/swagger/ui', '/swagger/ui/', '/SWAGGER/Ui', '/%73wagger/u%69/'];

// As WebDriver names these keys.
const [CONTROL, ENTER] = ['\ue009', '\ue007'];

describe.each(browsers)('in %s', (_, start) => {
  let starting: Promise<Tab>;
  let tab: Tab;

  beforeAll(async () => {
    starting = start();
    tab = await starting;
  });

  // Also one that was not waited for to the end.
  afterAll(async () => (await starting).stop());

  describe.each(['', '/dev', '/tasks/v2'])('behind the prefix %j', (prefix) => {
    let service: ScriptedService;
    let served: Served;

    beforeAll(async () => {
      service = scripted(startWithPage(prefix));
      served = await serve(service);
    });

    afterAll(() => served?.stop());

    it.each(SPELLINGS)('all operations can be tried out on the page at %s', async (path) => {
      service.reset();
      await tab.visit(`${served.url}${path}`);
      const statuses: string[] = [];
      for (const operationId of ALL_SIX) {
        statuses.push(String(await tab.run(OPEN_AND_SEND, operationId)).slice(0, 3));
      }
      expect(statuses).toEqual(['201', '200', '200', '204', '204', '204']);
      expect(await tab.run('return location.hash')).toBe('#ApiParcelByIdDelete');
      const item = service.received[2]?.path;
      expect(item).toMatch(/^\/api\/parcel\/[-\da-f]{36}$/);
      expect(service.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
        'POST /api/parcel',
        'GET /api/parcel',
        ...['GET', 'PATCH', 'PUT', 'DELETE'].map((method) => `${method} ${item}`),
      ]);
      expect(await tab.run(VERSIONS_OF_DOCUMENTS)).toEqual(['2.0', '3.1.0']);
    });
  });

  it('what is typed is sent by Control and Enter', async () => {
    const service = scripted(startWithPage());
    const served = await serve(service);
    await tab.visit(`${served.url}/swagger/ui#ApiParcelByIdGet`);
    await tab.type(`#ApiParcelByIdGet input[name=id]`, `typed 😀${CONTROL}${ENTER}`);
    expect(await tab.run(STATUS, 'ApiParcelByIdGet')).toMatch(/^404/);
    expect(service.received.map(({ path }) => path)).toEqual([`/api/parcel/typed%20%F0%9F%98%80`]);
    // What is open, and what was typed, is there again after a reload.
    await tab.visit(`${served.url}/api/parcel`);
    await tab.visit(`${served.url}/swagger/ui#ApiParcelByIdGet`);
    const kept =
      'const one = document.getElementById(given[0]); return [one.open, one.querySelector("[name=id]").value]';
    expect(await tab.run(kept, 'ApiParcelByIdGet')).toEqual([true, 'typed 😀']);
    served.stop();
  });
});

const VERSIONS_OF_DOCUMENTS = `
  const links = [...document.querySelectorAll('a[href$=".json"]')];
  const documents = await Promise.all(links.map(async ({ href }) => (await fetch(href)).json()));
  return documents.map(({ swagger, openapi }) => swagger ?? openapi);`;

/** Waits for the status of an operation's answer. */
const STATUS = `
  const status = document.querySelector('[id="' + given[0] + '"] [role=status]');
  while (!/^\\s*\\d{3}/.test(status.textContent)) await new Promise((resolve) => setTimeout(resolve, 5));
  return status.textContent.trim();`;

async function startChromium(): Promise<Tab> {
  const browser = await startBrowser();
  const { page } = await openWindow(browser, '', {});
  return {
    visit: async (url) => void (await page.goto(url)),
    run: (script, ...given) => run(page, script, ...given),
    async type(selector, keys) {
      await page.locator(selector).pressSequentially(keys.replace(`${CONTROL}${ENTER}`, ''));
      if (keys.endsWith(`${CONTROL}${ENTER}`)) await page.keyboard.press('Control+Enter');
    },
    stop: () => browser.close(),
  };
}
