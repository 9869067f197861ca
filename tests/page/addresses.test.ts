import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startBrowser } from '../support/browser/browser.js';
import { type Firefox, installedFirefox, startFirefox } from '../support/browser/firefox.js';
import { openPage } from '../support/browser/page.js';
import { type ScriptedService, scripted } from '../support/browser/scripted.js';
import { gateways } from '../support/gateways/gateways.js';
import { COLLECTION, OPERATIONS } from '../support/service/resource.js';
import { type Served, serve } from '../support/service/serve.js';
import { startService } from '../support/service/service.js';

/** What both browsers can do. */
type Tab = Pick<Firefox, 'visit' | 'run' | 'type' | 'stop'>;

const browsers: [name: string, start: () => Promise<Tab>][] = [['Chromium', startChromium]];
const firefox = installedFirefox();
if (firefox) browsers.push(['Firefox', () => startFirefox(firefox)]);
else console.warn('Firefox was not found, so the page is tested in Chromium alone. Install it, or set FIREFOX_PATH.');

const SPELLINGS = ['/swagger/ui', '/swagger/ui/', '/SWAGGER/Ui', '/%73wagger/u%69/'];

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
      service = scripted(startService(gateways.find((gateway) => gateway.prefix === prefix)));
      served = await serve(service);
    });

    afterAll(() => served?.stop());

    it.each(SPELLINGS)('all operations can be tried out on the page at %s', async (path) => {
      service.reset();
      await tab.visit(`${served.url}${path}`);
      expect(await tab.run(TRY_ALL)).toEqual({
        [OPERATIONS.create]: '201',
        [OPERATIONS.list]: '200',
        [OPERATIONS.find]: '200',
        [OPERATIONS.patch]: '204',
        [OPERATIONS.replace]: '204',
        [OPERATIONS.remove]: '204',
        documents: ['2.0', '3.1.0'],
      });
      const item = service.received[2]?.path;
      expect(item).toMatch(new RegExp(`^${COLLECTION}/[-\\da-f]{36}$`));
      const sent = [
        `POST ${COLLECTION}`,
        `GET ${COLLECTION}`,
        ...['GET', 'PATCH', 'PUT', 'DELETE'].map((method) => `${method} ${item}`),
      ];
      expect(service.received.slice(0, 6).map(({ method, path }) => `${method} ${path}`)).toEqual(sent);
    });
  });

  it('what is typed is sent by Control and Enter', async () => {
    const service = scripted(startService(gateways.find((gateway) => gateway.prefix === '')));
    const served = await serve(service);
    await tab.visit(`${served.url}/swagger/ui#${OPERATIONS.find}`);
    await tab.type(`#${OPERATIONS.find} input[name=id]`, `typed 😀${CONTROL}${ENTER}`);
    expect(await tab.run(ANSWER_OF, OPERATIONS.find)).toMatch(/^404/);
    expect(service.received.map(({ path }) => path)).toEqual([`${COLLECTION}/typed%20%F0%9F%98%80`]);
    served.stop();
  });
});

// As WebDriver names these keys.
const [CONTROL, ENTER] = ['\ue009', '\ue007'];

/** Waits for the answer in an operation. */
const ANSWER_OF = `
  const status = document.querySelector('[id="' + given[0] + '"] [role=status]');
  while (!/^\\s*\\d{3}/.test(status.textContent)) await new Promise((resolve) => setTimeout(resolve, 5));
  return status.textContent.trim();`;

/** Sends all operations, one after the other; the item that the first one creates is filled in by the page. */
const TRY_ALL = `
  const statuses = {};
  const answerOf = async (...given) => { ${ANSWER_OF} };
  for (const id of ${JSON.stringify([OPERATIONS.create, OPERATIONS.list, OPERATIONS.find, OPERATIONS.patch, OPERATIONS.replace, OPERATIONS.remove])}) {
    const operation = document.getElementById(id);
    operation.querySelector('summary').click();
    [...operation.querySelectorAll('button')].find((button) => button.textContent.trim() === 'Send').click();
    statuses[id] = (await answerOf(id)).slice(0, 3);
  }
  const links = [...document.querySelectorAll('a[href$=".json"]')];
  const documents = await Promise.all(links.map(async ({ href }) => (await fetch(href)).json()));
  return { ...statuses, documents: documents.map(({ swagger, openapi }) => swagger ?? openapi) };`;

async function startChromium(): Promise<Tab> {
  const browser = await startBrowser();
  const { page } = await openPage(browser, 'about:blank');
  return {
    visit: async (url) => void (await page.goto(url)),
    run: (script, ...given) => page.evaluate(`(async (...given) => { ${script} })(...${JSON.stringify(given)})`),
    async type(selector, keys) {
      await page.locator(selector).pressSequentially(keys.replace(`${CONTROL}${ENTER}`, ''));
      if (keys.endsWith(`${CONTROL}${ENTER}`)) await page.keyboard.press('Control+Enter');
    },
    stop: () => browser.close(),
  };
}
