import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { gate, serveApp } from '../support/browser/app.js';
import { jsonAnswer } from '../support/browser/served-pages.js';

const app = serveApp({ people: true });
const signedOut = (tab: Page, sentence: string) => tab.getByText(sentence, { exact: true }).waitFor();

/** Takes the address where people sign out from what the provider says of itself. */
async function hideSignOut(tab: Page): Promise<void> {
  await tab.context().route('**/.well-known/openid-configuration', async (route) => {
    const response = await route.fetch();
    const { end_session_endpoint: _gone, ...json } = await response.json();
    await route.fulfill({ response, json });
  });
}

describe('signing out', () => {
  it('happens here and at the provider, and nobody is signed in again until they want that', async () => {
    const asked: string[] = [];
    app.tab.on('request', (request) => asked.push(request.url()));
    await app.open();
    await app.type('Typed');
    await app.button('Sign out').click();
    await signedOut(app.tab, 'You have signed out.');
    const [url = ''] = asked.filter((one) => one.includes('end-session'));
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      id_token_hint: expect.stringMatching(/^eyJ/),
      post_logout_redirect_uri: app.url,
    });
    await app.tab.reload();
    await signedOut(app.tab, 'You have signed out.');
    expect(await app.tab.getByRole('listitem').count()).toBe(0);
    await app.button('Sign in').click();
    await app.signIn('ada');
    await app.item('Item1').waitFor();
    expect(await app.field().inputValue()).toBe('Typed');
  });

  it('happens in other tabs, too', async () => {
    await app.open();
    const other = await app.openTab();
    await app.open(other);
    await app.button('Sign out').click();
    await signedOut(other, 'You have signed out in another tab.');
    expect(await other.getByRole('listitem').count()).toBe(0);
    await signedOut(app.tab, 'You have signed out.');
  });

  it('says so if the provider has no way to do that', async () => {
    await hideSignOut(app.tab);
    await app.open();
    await app.button('Sign out').click();
    await signedOut(
      app.tab,
      'You have signed out here, but not where you sign in: this provider offers no way to do so.',
    );
  });

  it('says so if the provider can not be reached', async () => {
    await app.open();
    await app.tab.context().route('**/.well-known/openid-configuration', (route) => route.abort());
    await app.button('Sign out').click();
    await signedOut(app.tab, 'You have signed out here, but not where you sign in: it can not be reached.');
  });
});

describe('signing out while offline', () => {
  it('shows that, here and in other tabs, and nothing of the list, because the browser could not load the page again', async () => {
    await app.has('Secret of ada');
    await app.open();
    const other = await app.openTab();
    await app.open(other);
    await app.tab.context().setOffline(true);
    await app.button('Sign out').click();
    await signedOut(app.tab, 'You have signed out here, but not where you sign in: it can not be reached.');
    await signedOut(other, 'You have signed out in another tab.');
    for (const tab of [app.tab, other]) {
      expect([tab.url(), await tab.content()]).toEqual([
        app.url,
        expect.not.stringMatching('Secret|Nothing to do|ada'),
      ]);
      await tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      await tab.waitForTimeout(100);
      expect(await tab.getByRole('alert').textContent()).toBe('');
    }
    await app.tab.context().setOffline(false);
    await app.button('Sign in').click();
    await app.signIn('bob');
    await app.item('Item1').waitFor();
  });

  it('sends nothing again, and signs nobody in, when an answer comes after that', async () => {
    await app.open();
    const late = gate();
    app.next({ method: 'POST', answer: jsonAnswer(401, { title: 'Unauthorized', status: 401 }), after: late.closed });
    await app.add('x');
    while (app.sent('POST').length < 1) await app.tab.waitForTimeout(10);
    await app.tab.context().route('**/.well-known/openid-configuration', (route) => route.abort());
    await app.button('Sign out').click();
    await signedOut(app.tab, 'You have signed out here, but not where you sign in: it can not be reached.');
    await app.tab.context().unrouteAll();
    late.open();
    await app.tab.waitForTimeout(300);
    expect([app.tab.url(), app.sent('POST').length]).toEqual([app.url, 1]);
  });
});

describe('signing out, with an address of its own kind', () => {
  const URL_OF_ITS_OWN = 'https://sign-out.example/logout?client_id=app&logout_uri=https%3A%2F%2Fapp.example';
  const other = serveApp({ people: true, build: ['--sign-out-url', URL_OF_ITS_OWN] });

  it('goes there, even where the provider has another', async () => {
    await other.open();
    await other.tab.context().route('https://sign-out.example/**', (route) => route.fulfill({ body: 'Bye.' }));
    await other.button('Sign out').click();
    await other.tab.waitForURL(URL_OF_ITS_OWN);
    await other.tab.goto(other.url);
    await signedOut(other.tab, 'You have signed out.');
  });
});
