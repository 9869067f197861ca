import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parcelOperations } from '../support/browser/documents.js';
import { connectBrowser, OPEN_AND_SEND, openWindow, run } from '../support/browser/page.js';
import { type ScriptedService, scripted, startWithPage } from '../support/browser/served-pages.js';
import { type Served, serve } from '../support/service/serve.js';
import { installedFirefox, startFirefox, type Tab } from './firefox.js';

const browsers: [name: string, start: () => Promise<Tab>][] = [['Chromium', startChromium]];
const firefox = installedFirefox();
if (firefox) browsers.push(['Firefox', () => startFirefox(firefox)]);
else console.warn('Firefox was not found, so the page is tested in Chromium alone. Install it, or set FIREFOX_PATH.');

const [FIRST, ...OTHERS] = ['/swagger/ui', '/swagger/ui/', '/SWAGGER/Ui', '/%73wagger/u%69/'] as const;

describe.each(browsers)('in %s', (_, start) => {
  let starting: Promise<Tab>;
  let tab: Tab;
  let alone: Served | undefined;

  beforeAll(async () => {
    starting = start();
    tab = await starting;
  });

  // Also one that was not waited for to the end.
  afterAll(async () => {
    alone?.stop();
    await (await starting).stop();
  });

  describe.each(['', '/dev', '/tasks/v2'])('behind the prefix %j', (prefix) => {
    let service: ScriptedService;
    let served: Served;

    beforeAll(async () => {
      service = scripted(startWithPage(prefix));
      served = await serve(service);
    });

    afterAll(() => served?.stop());

    const send = async (operationId: string) => String(await tab.run(OPEN_AND_SEND, operationId)).slice(0, 3);

    it('all operations can be tried out, and both documents are found', async () => {
      await tab.visit(`${served.url}${FIRST}`);
      const statuses: string[] = [];
      for (const { operationId } of parcelOperations) statuses.push(await send(operationId));
      expect(statuses).toEqual(['200', '201', '200', '204', '204', '204']);
      expect(await tab.run('return location.hash')).toBe('#ApiParcelByIdDelete');
      const item = service.received[2]?.path;
      expect(item).toMatch(/^\/api\/parcel\/[-\da-f]{36}$/);
      expect(service.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
        'GET /api/parcel',
        'POST /api/parcel',
        ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} ${item}`),
      ]);
      expect(await tab.run(VERSIONS_OF_DOCUMENTS)).toEqual(['2.0', '3.1.0']);
    });

    it.each(OTHERS)('the page finds the service and its documents from %s, too', async (path) => {
      await tab.visit(`${served.url}${path}`);
      expect([await send('ApiParcelPost'), await send('ApiParcelByIdGet')]).toEqual(['201', '200']);
      expect(await tab.run(VERSIONS_OF_DOCUMENTS)).toEqual(['2.0', '3.1.0']);
    });
  });

  it('what is typed is sent by Control and Enter, and is there again after the page is left', async () => {
    const service = scripted(startWithPage());
    alone = await serve(service);
    const { url } = alone;
    await tab.visit(`${url}${FIRST}`);
    await tab.run(OPEN, 'ApiParcelByIdGet');
    await tab.typeAndSend('#ApiParcelByIdGet [name=id]', 'typed 😀');
    expect(await tab.run(STATUS, 'ApiParcelByIdGet')).toMatch(/^404/);
    expect(service.received.map(({ path }) => path)).toEqual(['/api/parcel/typed%20%F0%9F%98%80']);
    await tab.visit(`${url}/api/parcel`);
    await tab.visit(`${url}${FIRST}`);
    expect(await tab.run('return document.querySelector("#ApiParcelByIdGet [name=id]").value')).toBe('typed 😀');
  });
});

const OPEN = 'document.getElementById(given[0]).open = true;';

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
  const browser = await connectBrowser();
  const page = await openWindow(browser);
  return {
    visit: async (url) => void (await page.goto(url)),
    run: (script, ...given) => run(page, script, ...given),
    async typeAndSend(selector, text) {
      await page.locator(selector).pressSequentially(text);
      await page.keyboard.press('Control+Enter');
    },
    stop: () => browser.close(),
  };
}
