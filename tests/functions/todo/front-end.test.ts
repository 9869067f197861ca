import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type LocalProvider, startLocalProvider } from '../../../serverless/local/provider/local-provider.js';
import { connectBrowser, openWindow } from '../../support/browser/page.js';
import { environmentOf, startTables, type Tables } from '../../support/dynamodb/tables.js';
import { gateways } from '../../support/gateways/gateways.js';
import { listen } from '../../support/listen.js';
import { type Answer, answerOf } from '../../support/service/answer.js';
import { startDeployed } from '../../support/service/deployed.js';
import { type Served, serve } from '../../support/service/serve.js';
import type { Service } from '../../support/service/service.js';

const HTML = readFileSync('docs/front-end/index.html', 'utf8');
const LIST = '/api/todo';
let app: Server;
let tables: Tables;
let provider: LocalProvider;
let service: Service;
let served: Served;
let browser: Browser;
let page: Page;
let url: string;
/** Errors of scripts. */
const faults: string[] = [];
/** The requests of the app to the service, the oldest first. */
const received: { method: string; path: string; headers: Readonly<Record<string, string>> }[] = [];
/** What the next request of a method gets instead of its answer, and whether the service gets the request all the same. */
let instead: { method: string; answer: Answer; isDone: boolean } | undefined;

beforeAll(async () => {
  app = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end(htmlFor(served.url)));
  // Another host than the service's and the provider's, so also another site.
  url = `http://localhost:${(await listen(app)).split(':')[1]}`;
  tables = await startTables();
  provider = await startLocalProvider({ origins: [url] });
  const gateway = gateways.find(({ name }) => name === 'an HTTP API');
  const table = environmentOf(await tables.create());
  service = startDeployed(gateway, { ...table, ...provider.environment, CORS_ORIGINS: url });
  served = await serve({ ...service, call });
  browser = await connectBrowser();
  page = await openWindow(browser);
  page.on('pageerror', ({ message }) => faults.push(message));
});

beforeEach(() => void received.splice(0));

afterAll(async () => {
  expect(faults).toEqual([]);
  await browser?.close();
  served?.stop();
  app.close().closeAllConnections();
  await provider?.stop();
  await tables?.stop();
});

/** Lists are in pages of two. */
const call: Service['call'] = async (method, path, { headers = {}, body } = {}) => {
  received.push({ method, path, headers });
  const [answer, isDone] = instead?.method === method ? [instead.answer, instead.isDone] : [undefined, true];
  if (answer) instead = undefined;
  const pages =
    method === 'GET' && /todo($|\?(?!.*limit))/.test(path) ? `${path}${path.includes('?') ? '&' : '?'}limit=2` : path;
  const answered = isDone ? await service.call(method, pages, { headers, body }) : undefined;
  return (answer ?? answered) as Answer;
};

/** The app, as somebody has changed its first lines for their service. */
function htmlFor(api: string): string {
  const values = { API: `${api}${LIST}`, ISSUER: provider.environment.TOKEN_ISSUER };
  return Object.entries(values).reduce(
    (html, [name, value]) => html.replace(new RegExp(`const ${name} = '.*';`), `const ${name} = '${value}';`),
    HTML,
  );
}

/** Calls the service as somebody does on another machine. */
const asAda: Service['call'] = (method, path, { headers = {}, ...request } = {}) =>
  service.call(method, path, { ...request, headers: { authorization: `Bearer ${provider.tokens.ada}`, ...headers } });

const sent = (method: string) => received.filter((request) => request.method === method);
const item = (name: string) => page.getByRole('listitem').filter({ hasText: name });
const names = () => page.getByRole('listitem').getByRole('checkbox').evaluateAll(TEXTS);
const TEXTS = (boxes: { labels: Iterable<{ textContent: string }> }[]) =>
  boxes.map((box) => [...box.labels].map(({ textContent }) => textContent.trim()).join());
const problem = (text: string) => page.getByRole('alert').filter({ hasText: text });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByRole('textbox', { name, exact: true });

async function signIn(choice: string) {
  await page.getByRole('link', { name: choice }).click();
  await page.waitForURL(url);
}

async function add(name: string) {
  await field('New item').fill(name);
  await button('Add').click();
}

async function expectOnce(name: string) {
  await item(name).waitFor();
  const { json } = await asAda('GET', LIST);
  expect(json.filter((one: { name: string }) => one.name === name)).toHaveLength(1);
}

/** What the service answers without a token. */
const notSignedIn = () => service.call('GET', LIST, { headers: { origin: url } });

it('docs/front-end/index.html is one file of at most 170 lines, which loads nothing', () => {
  expect(HTML.split('\n').length - 1).toBeLessThanOrEqual(170);
  expect(HTML).not.toMatch(/\b(src|href)=|\bimport\b/);
});

describe('the app of docs/front-end.md', () => {
  it('signs somebody in, and shows what is open of their list, from all of its pages', async () => {
    for (const name of ['Second', 'Third', 'Fourth', 'Fifth']) await asAda('POST', LIST, { body: { name } });
    await page.goto(url);
    await signIn('Sign in as ada');
    await item('Fifth').waitFor();
    expect(await names()).toEqual(['Item1', 'Second', 'Third', 'Fourth', 'Fifth']);
    expect(
      await page.evaluate('JSON.stringify([location, sessionStorage, localStorage, document.cookie])'),
    ).not.toMatch(/eyJ|code=/);
  });

  it('asks with the entity tag whether the list has changed, when the tab is shown again, without a preflight', async () => {
    const answered = page.waitForResponse((response) => response.url().includes('after='));
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await answered;
    const asked = received.map(({ method, headers }) => [method, headers['if-none-match'] !== undefined]);
    expect(asked.slice(0, 2)).toEqual([
      ['GET', true],
      ['GET', true],
    ]);
  });

  it('ticks, shows what is done too, and deletes', async () => {
    await item('Second').getByRole('checkbox').check();
    await item('Second').waitFor({ state: 'detached' });
    await page.getByLabel('Show what is done, too').check();
    await item('Second').waitFor();
    expect(await item('Second').getByRole('checkbox').isChecked()).toBe(true);
    await button('Delete Second').click();
    await item('Second').waitFor({ state: 'detached' });
    await page.getByLabel('Show what is done, too').uncheck();
    expect((await asAda('GET', LIST)).json).toHaveLength(4);
  });

  it('creates an item once, although its answer is lost and the page is loaded again', async () => {
    instead = { method: 'POST', answer: answerOf(502, {}, Buffer.from('<h1>Bad Gateway')), isDone: true };
    await add('Lost');
    await problem('No answer').waitFor();
    await page.reload();
    await signIn('Sign in as ada');
    await page.getByRole('main').waitFor();
    await button('Add').click();
    await expectOnce('Lost');
    const keys = sent('POST').map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    // The same text again is another item.
    for (const nth of [0, 1]) {
      await add('Another');
      await item('Another').nth(nth).waitFor();
    }
    expect(new Set(sent('POST').map(({ headers }) => headers['idempotency-key'])).size).toBe(3);
  });

  it('renews an expired token and sends the same again, once', async () => {
    instead = { method: 'POST', answer: await notSignedIn(), isDone: false };
    await add('Renewed');
    await expectOnce('Renewed');
    const [first, second, ...more] = sent('POST').map(({ headers }) => headers);
    expect(second?.['idempotency-key']).toBe(first?.['idempotency-key']);
    expect(second?.authorization).not.toBe(first?.authorization);
    expect(more).toEqual([]);
  });

  it('signs in again where a token can not be renewed, and keeps what was typed', async () => {
    instead = { method: 'POST', answer: await notSignedIn(), isDone: false };
    const refusal = { status: 400, headers: { 'access-control-allow-origin': url }, body: '{}' };
    let refusals = 1;
    // It stays for later requests, too: one that comes while a browser ends an interception may never be answered.
    await page.route(`${provider.environment.TOKEN_ISSUER}/token`, (route) => {
      refusals -= 1;
      return refusals < 0 ? route.continue() : route.fulfill(refusal);
    });
    await add('Kept');
    await signIn('Sign in as ada');
    await page.getByRole('main').waitFor();
    expect(await field('New item').inputValue()).toBe('Kept');
    await button('Add').click();
    await expectOnce('Kept');
  });

  it('edits the version that somebody has seen, and says what it is now if that is another', async () => {
    await button('Edit Third').click();
    await field('Name').fill('Third, of the app');
    const { key } = (await asAda('GET', LIST)).json.find(({ name }: { name: string }) => name === 'Third');
    await asAda('PATCH', `${LIST}/${key}`, { body: { name: 'Third, of somebody else' } });
    await button('Save').click();
    await problem('changed it to "Third, of somebody else"').waitFor();
    expect(await field('Name').inputValue()).toBe('Third, of the app');
    await button('Save').click();
    await item('Third, of the app').waitFor();
    expect(await field('Name').isVisible()).toBe(false);
  });

  it("shows a problem's detail, and marks the fields that it names", async () => {
    await add(' ');
    await problem('The body is not a valid item').waitFor();
    await problem('Must contain a character that is not white space').waitFor();
    expect(await field('New item').getAttribute('aria-invalid')).toBe('true');
    await field('New item').fill('x');
    expect(await field('New item').getAttribute('aria-invalid')).toBeNull();
  });

  it('says so if nobody signs in, and redeems no code that it has not asked for', async () => {
    const redeemed: string[] = [];
    page.on('request', (request) => void (request.url().endsWith('/token') && redeemed.push(request.url())));
    await page.goto(`${url}/?code=planted&state=planted`);
    await signIn('Cancel');
    await problem('You are not signed in. Nobody wanted to sign in.').waitFor();
    expect(redeemed).toEqual([]);
    await page.reload();
    await signIn('Sign in as bob');
    await item('Item1').waitFor();
    expect(await names()).toEqual(['Item1']);
  });
});
