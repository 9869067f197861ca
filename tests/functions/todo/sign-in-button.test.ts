import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { Browser, Page, Route } from 'playwright-core';
import { type LocalProvider, startLocalProvider } from '../../../serverless/local/provider/local-provider.js';
import { connectBrowser, openOperation, openWindow, run, until } from '../../support/browser/page.js';
import { type Gateway, gateways } from '../../support/gateways/gateways.js';
import { startDeployed } from '../../support/service/deployed.js';
import { type Served, serve } from '../../support/service/serve.js';
import type { Service } from '../../support/service/service.js';

// The service that is deployed, behind a prefix, and the provider of `npm run local -- --people`.
const gateway = gateways.find(({ prefix }) => prefix === '/tasks/v2') as Gateway;
let provider: LocalProvider;
let service: Service;
let served: Served;
let browser: Browser;
let page: Page;
/** What the page has sent to the provider, other than navigations. */
let sent: string[] = [];
const faults: string[] = [];

beforeAll(async () => {
  served = await serve({ prefix: gateway.prefix, call: (...request) => service.call(...request) });
  provider = await startLocalProvider({ origins: [new URL(served.url).origin] });
  service = startPage();
  browser = await connectBrowser();
});

function startPage(variables = {}): Service {
  const scopes = { TOKEN_READ_SCOPE: 'todo/read', TOKEN_WRITE_SCOPE: 'todo/write' };
  return startDeployed(gateway, { ...provider.environment, ...scopes, LIST_BY: 'all', ...variables });
}

afterAll(async () => {
  await browser?.close();
  await provider?.stop();
  served?.stop();
});

beforeEach(async () => {
  page = await openWindow(browser);
  sent = [];
  page.on('request', (request) => {
    if (request.url().startsWith(`http://127.0.0.1:${provider.port}`) && !request.isNavigationRequest())
      sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load')) faults.push(message.text());
  });
  await page.goto(`${served.url}/swagger/ui#ApiTodoByIdPut`);
});

afterEach(async () => {
  await page.context().close();
  expect(faults.splice(0)).toEqual([]);
});

const signIn = () => page.getByRole('button', { name: 'Sign in' });
const token = () => page.locator('#token').inputValue();
const refusal = () => page.locator('#token-error').textContent();
const address = () => page.evaluate('location.pathname + location.search + location.hash');

/** All that a browser may keep of a page. */
const kept = () =>
  run(
    page,
    'return JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie, location.href, history.state])',
  );

/** Goes to the provider, and does there what a link says. */
async function choose(link: string): Promise<void> {
  await signIn().click();
  await page.getByRole('link', { name: link }).click();
  await page.waitForURL(`${served.url}/swagger/ui**`);
}

/** Answers in place of the provider's token endpoint. */
const answerToken = (answer: (route: Route) => Promise<void>) => page.route('**/token', answer);

describe('the button "Sign in" (rule 38)', () => {
  it('fetches a token of whoever signs in: with it operations can be sent, and what was typed and open is as before', async () => {
    const put = await openOperation(page, 'ApiTodoByIdPut');
    await put.field('id').fill('typed');
    await put.field('item').fill('{"key":"typed","name":"typed 😀"}');
    await choose('Sign in as bob');
    await until(page, `document.querySelector('#token').value !== ''`);
    expect(decodeJwt(await token())).toMatchObject({ sub: 'bob', aud: 'local', scope: 'openid todo/read todo/write' });
    expect(await page.locator('.token .said').textContent()).toBe('Signed in.');
    expect(await address()).toBe('/tasks/v2/swagger/ui#ApiTodoByIdPut');
    expect(await page.evaluate('document.getElementById("ApiTodoByIdPut").open')).toBe(true);
    expect(await put.field('id').inputValue()).toBe('typed');
    expect(await put.field('item').inputValue()).toBe('{"key":"typed","name":"typed 😀"}');
    expect(await put.send()).toMatch(/^404/);
    expect(await (await openOperation(page, 'ApiTodoGet')).send()).toMatch(/^200/);
    expect(sent).toEqual(['POST /token']);
    const all = await kept();
    for (const secret of [await token(), 'verifier', 'code=']) expect(all).not.toContain(secret);
    await page.reload();
    expect([await token(), sent]).toEqual(['', ['POST /token']]);
  });

  it("shows the provider's refusal as text, and the next try goes as well as the first", async () => {
    await choose('Cancel');
    await until(page, `document.querySelector('#token-error').textContent !== ''`);
    expect(await refusal()).toBe(
      'You are not signed in. The provider answered access_denied: The sign-in was cancelled.',
    );
    expect([await address(), sent]).toEqual(['/tasks/v2/swagger/ui#ApiTodoByIdPut', []]);
    await choose('Sign in as ada');
    await until(page, `document.querySelector('#token').value !== ''`);
    expect(decodeJwt(await token()).sub).toBe('ada');
    expect(await refusal()).toBe('');
  });

  it.each<[string, (route: Route) => Promise<void>, RegExp]>([
    [
      'a refusal',
      (route) => route.fulfill(json(400, { error: 'invalid_grant', error_description: '<b>late</b>' })),
      /answered invalid_grant: <b>late<\/b>$/,
    ],
    ['an answer without a token', (route) => route.fulfill(json(200, { access_token: 7 })), /answered nothing of use$/],
    ['no JSON', (route) => route.fulfill({ ...json(200, {}), body: '<html>' }), /answered nothing of use$/],
    [
      'no answer',
      (route) => route.abort(),
      /\/token was not reached, or does not let pages of http:\/\/127.* call it\.$/,
    ],
  ])('shows why there is no token: %s', async (_, answer, reason) => {
    await answerToken(answer);
    await choose('Sign in as ada');
    await until(page, `document.querySelector('#token-error').textContent !== ''`);
    expect(await refusal()).toMatch(reason);
    expect([await token(), await page.locator('#token-error b').count()]).toEqual(['', 0]);
    expect(await page.locator('.token .said').textContent()).toBe('');
  });

  it('is hidden where the page has come without TLS, because browsers make no hashes there', async () => {
    const overHttp = 'http://todo.example.com/tasks/v2/swagger/ui';
    await page.route(overHttp, async (route) =>
      route.fulfill({ response: await route.fetch({ url: `${served.url}/swagger/ui` }) }),
    );
    await page.goto(overHttp);
    expect(await page.evaluate('isSecureContext')).toBe(false);
    expect(await page.locator('#sign-in').getAttribute('data-token')).toMatch(/token$/);
    expect(await page.locator('#sign-in').isVisible()).toBe(false);
    expect(await page.locator('#token').isVisible()).toBe(true);
    expect(faults.splice(0)).toEqual([expect.stringContaining('Cross-Origin-Opener-Policy header has been ignored')]);
  });

  it('exchanges the code with the verifier, and for the resource that it asked for (RFC 7636, RFC 8707)', async () => {
    service = startPage({ TOKEN_AUDIENCE: 'urn:todo' });
    await page.reload();
    let form = '';
    await answerToken((route) => {
      form = route.request().postData() ?? '';
      return route.fulfill(json(200, { access_token: 'one' }));
    });
    await choose('Sign in as ada');
    await until(page, `document.querySelector('#token').value !== ''`);
    service = startPage();
    expect(Object.fromEntries(new URLSearchParams(form))).toEqual({
      grant_type: 'authorization_code',
      code: expect.stringMatching(/./),
      redirect_uri: `${served.url}/swagger/ui`,
      client_id: 'page',
      code_verifier: expect.stringMatching(/^[\da-f]{64}$/),
      resource: 'urn:todo',
    });
  });

  it('says so if the browser keeps nothing, and stays', async () => {
    await page.evaluate(`Storage.prototype.setItem = () => { throw new Error('full'); }`);
    await signIn().click();
    await until(page, `document.querySelector('#token-error').textContent !== ''`);
    expect(await refusal()).toBe('You are not signed in. This browser keeps nothing for this page meanwhile.');
  });
});

const json = (status: number, body: object) => ({
  status,
  headers: { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

describe('an answer in the address', () => {
  it.each([
    '',
    'code=a&state=',
    'code=a',
    'code=a&state=undefined',
    'code=a&state=%5Bobject+Object%5D',
    'error=call+me&state=b',
  ])('comes to nothing without a sign-in, is neither shown nor sent, and opens no operation: %s', async (answer) => {
    await page.goto(`${served.url}/swagger/ui?${answer}`);
    expect([await refusal(), await token(), sent]).toEqual(['', '', []]);
    expect(await page.locator('.token .said').textContent()).toBe('');
  });

  it('comes to nothing with another state than the one that was sent, which is good for one answer', async () => {
    await signIn().click();
    await page.getByRole('link', { name: 'Sign in as ada' }).waitFor();
    const state = new URL(page.url()).searchParams.get('state') as string;
    expect(state).toMatch(/^[\da-f]{32}$/);
    for (const other of [`${state}x`, state.slice(1), '']) {
      await page.goto(`${served.url}/swagger/ui?error=call+me&state=${other}`);
      expect([await refusal(), sent]).toEqual(['', []]);
    }
    await page.goto(`${served.url}/swagger/ui?error=true+one&state=${state}`);
    await until(page, `document.querySelector('#token-error').textContent !== ''`);
    expect(await refusal()).toContain('true one');
    await page.goto(`${served.url}/swagger/ui?error=again&state=${state}`);
    expect(await refusal()).toBe('');
  });
});

it('the page asks with PKCE and a state, both new each time, and its address goes along, but for the operation', async () => {
  const asked: URLSearchParams[] = [];
  for (let time = 0; time < 2; time++) {
    await signIn().click();
    await page.getByRole('link', { name: 'Cancel' }).waitFor();
    asked.push(new URL(page.url()).searchParams);
    await page.goBack();
    await page.waitForURL(`${served.url}/swagger/ui**`);
  }
  const [first, second] = asked.map((parameters) => Object.fromEntries(parameters));
  expect(first).toEqual({
    response_type: 'code',
    client_id: 'page',
    scope: 'openid todo/read todo/write',
    audience: 'local',
    redirect_uri: `${served.url}/swagger/ui`,
    state: expect.stringMatching(/^[\da-f]{32}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  });
  for (const name of ['state', 'code_challenge']) expect(second?.[name]).not.toBe(first?.[name]);
});
