import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { type LocalProvider, startLocalProvider } from '../../../serverless/local/provider/local-provider.js';
import { environmentOf, startTables, type Tables } from '../dynamodb/tables.js';
import { gateways } from '../gateways/gateways.js';
import { listen } from '../listen.js';
import type { Answer } from '../service/answer.js';
import { startDeployed } from '../service/deployed.js';
import type { Service } from '../service/service.js';
import { connectBrowser, openWindow } from './page.js';

const LIST = '/api/todo';
const NEW = 'New item';
const TYPES: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };

/** What the next request of a method gets. */
interface Script {
  readonly method: string;
  /** The answer; `lost` breaks it off. Left out, it is the service's. */
  readonly answer?: Answer | 'lost';
  /** Whether the service does it all the same. */
  readonly isDone?: boolean;
  /** What the answer waits for. */
  readonly after?: Promise<unknown>;
}

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Builds the web app and serves it on an origin of its own, for all tests of the file that calls this. Each test has a service, a list and
 * a tab of its own.
 *
 * @param options - With `people`, ada and bob can sign in, and ada is signed in when a test begins; `build` are options of the build.
 */
export function serveApp({ people = false, build = [] }: { people?: boolean; build?: readonly string[] } = {}) {
  let folder = '';
  let service: Service;
  let tables: Tables | undefined;
  let browser: Browser;
  const scripts: Script[] = [];
  const servers = [createServer(serveFile), createServer(serveApi)] as const;
  const faults: string[] = [];
  const asked: (string | undefined)[] = [];

  const call: Service['call'] = (method, path, { headers = {}, ...request } = {}) => {
    const authorization = people && { authorization: `Bearer ${app.provider.tokens.ada}` };
    return service.call(method, path, { ...request, headers: { ...authorization, ...headers } });
  };

  const app = {
    /** Where the app is. */
    url: '',
    /** Where the service is. */
    service: '',
    provider: undefined as unknown as LocalProvider,
    tab: undefined as unknown as Page,
    /** The requests that the service has received, the oldest first. */
    received: [] as Received[],
    sent: (method: string): Received[] => app.received.filter((request) => request.method === method),
    /** How often a browser has asked whether the app may send requests of a method. */
    preflights: (method: string): number => asked.filter((one) => one === method).length,
    keys: (): (string | undefined)[] => app.sent('POST').map(({ headers }) => headers['idempotency-key']),
    /** Decides about the next request of each method that is named, in this order. */
    next: (...given: readonly Script[]): void => void scripts.push(...given),
    /** Calls the service from another machine, as ada if people sign in. */
    call,
    list: async (): Promise<{ key: string; name: string; isComplete: boolean }[]> => (await app.call('GET', LIST)).json,
    has: async (...names: readonly string[]): Promise<void> => {
      for (const name of names) await app.call('POST', LIST, { body: { name } });
    },
    keyOf: async (name: string): Promise<string> =>
      `${LIST}/${(await app.list()).find((item) => item.name === name)?.key}`,
    /** The names of the items that are shown. */
    names: (): Promise<string[]> => app.tab.getByRole('listitem').locator('label').allInnerTexts(),
    item: (name: string): Locator => app.tab.getByRole('listitem').filter({ hasText: name }),
    box: (name: string): Locator => app.item(name).getByRole('checkbox'),
    button: (name: string): Locator => app.tab.getByRole('button', { name, exact: true }),
    field: (name: string = NEW): Locator => app.tab.getByRole('textbox', { name, exact: true }),
    alert: (text: string | RegExp): Locator => app.tab.getByRole('alert').filter({ hasText: text }),
    /** Types with the keyboard, which a field that takes no text would not take. */
    type: async (text: string, field?: Locator): Promise<void> => {
      await (field ?? app.field()).click();
      await app.tab.keyboard.press('ControlOrMeta+A');
      await app.tab.keyboard.type(text);
    },
    add: async (name: string): Promise<void> => {
      await app.type(name);
      await app.button('Add').click();
    },
    /** What has the focus: its label, or its text. */
    focused: (): Promise<string> =>
      app.tab.evaluate('document.activeElement.ariaLabel ?? document.activeElement.innerText') as Promise<string>,
    /** Opens the app in a tab, as a first visit. */
    open: async (given?: Page): Promise<void> => {
      const tab = given ?? app.tab;
      await tab.goto(app.url);
      if (people) await app.signIn('ada', tab);
      await tab.getByRole('button', { name: 'Add' }).waitFor();
      await tab
        .getByRole('list', { name: 'Items' })
        .and(tab.locator('[aria-busy=false]'))
        .waitFor({ state: 'attached' });
    },
    /** Chooses somebody on the page of the provider. */
    signIn: async (name: string, given?: Page): Promise<void> => {
      const tab = given ?? app.tab;
      await tab.getByRole('link', { name: `Sign in as ${name}` }).click();
      await tab.waitForURL(app.url);
    },
    /** Starts the service anew, with an empty list, and with other variables if they are given. */
    restart: async (variables: Readonly<Record<string, string>> = {}): Promise<void> => {
      const gateway = gateways.find(({ name }) => name === 'an HTTP API');
      const table = people && tables && { ...environmentOf(await tables.create()), ...app.provider.environment };
      service = startDeployed(gateway, { ...table, CORS_ORIGINS: app.url.replace(/\/$/, ''), ...variables });
    },
    /** Lets the browser's clock run until something is so. */
    runUntil: async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
      while (!(await isSo())) await app.tab.clock.runFor(500);
    },
    openTab: async (context?: BrowserContext): Promise<Page> => watched(await (context ?? app.tab.context()).newPage()),
  };

  /** Lists are in pages of two, and have a prefix that a proxy takes away. */
  async function serveApi(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const headers = request.headers as Record<string, string>;
    const body = (await buffer(request)).toString();
    if (method === 'OPTIONS') asked.push(headers['access-control-request-method']);
    else app.received.push({ method, path: url, headers, body });
    const index = scripts.findIndex((one) => one.method === method);
    const [script] = index < 0 ? [] : scripts.splice(index, 1);
    const { answer: scripted, isDone = scripted === undefined, after } = script ?? {};
    const isList = method === 'GET' && new URL(url, 'http://localhost').pathname === LIST;
    const path = isList && service.prefix === '' ? `${url}${url.includes('?') ? '&' : '?'}limit=2` : url;
    const done = isDone ? await service.call(method, path, { headers, ...(body && { body }) }) : undefined;
    const answer = scripted ?? done;
    await after;
    if (answer === 'lost') {
      // A browser repeats a request whose connection ends before its answer begins.
      response.writeHead(200, { 'Content-Length': '100', 'Access-Control-Allow-Origin': app.url.replace(/\/$/, '') });
      response.flushHeaders();
      setTimeout(() => response.destroy(), 20);
      return;
    }
    const { status, headers: fields, content } = answer as Answer;
    // A scripted answer lacks what lets the app read it.
    const cors = scripted && { 'access-control-allow-origin': app.url.replace(/\/$/, ''), ...EXPOSED };
    const link = fields.link && { link: fields.link.replace('</', '</live/') };
    response.writeHead(status, { ...cors, ...fields, ...link }).end(content);
  }

  function serveFile({ url = '' }: IncomingMessage, response: ServerResponse): void {
    const name = url.replace(/\?.*/, '').slice(1) || 'index.html';
    const file = join(folder, name);
    if (!existsSync(file)) return void response.writeHead(404).end();
    const type = `${TYPES[name.split('.').at(-1) as string]}; charset=utf-8`;
    response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-cache' }).end(readFileSync(file));
  }

  function watched(tab: Page): Page {
    tab.on('pageerror', ({ message }) => faults.push(message));
    tab.on('console', (message) => {
      if (message.type() === 'error' && /policy/i.test(message.text()) && !/CORS/.test(message.text()))
        faults.push(message.text());
    });
    return tab;
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'todo-app-'));
    const [port, api] = (await Promise.all(servers.map((server) => listen(server)))).map((at) => at.split(':')[1]);
    // Another host than the service's and the provider's, so also another site.
    Object.assign(app, { url: `http://localhost:${port}/`, service: `http://127.0.0.1:${api}` });
    const origins = [`http://localhost:${port}`];
    if (people) [app.provider, tables] = await Promise.all([startLocalProvider({ origins }), startTables()]);
    const signIn = people && [
      '--issuer',
      app.provider.environment.TOKEN_ISSUER,
      '--client',
      'app',
      '--audience',
      'local',
    ];
    const options = [folder, '--service', app.service, ...(signIn || []), ...build] as string[];
    await promisify(execFile)(process.execPath, ['docs/front-end/build.mjs', ...options]);
    browser = await connectBrowser();
  });

  beforeEach(async () => {
    await app.restart();
    scripts.splice(0);
    app.received.splice(0);
    asked.splice(0);
    app.tab = watched(await openWindow(browser));
  });

  afterEach(async () => {
    await app.tab.context().close();
    expect(faults.splice(0)).toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
    for (const server of servers) server.close().closeAllConnections();
    await app.provider?.stop();
    await tables?.stop();
    rmSync(folder, { recursive: true });
  });

  return app;
}

/** A promise, and what fulfils it. */
export function gate(): { readonly closed: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const closed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { closed, open };
}

const EXPOSED = { 'access-control-expose-headers': 'Retry-After, Link, ETag' };
