import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import type { Route } from 'playwright-core';
import { gate, serveApp } from '../support/browser/app.js';
import { OVERFLOW, violations } from '../support/browser/axe.js';
import { until } from '../support/browser/page.js';
import { jsonAnswer } from '../support/browser/served-pages.js';

const app = serveApp({ people: true });
const EXPIRED = jsonAnswer(401, {
  type: 'about:blank',
  code: 'invalid-token',
  title: 'Unauthorized',
  status: 401,
  detail: 'The token has expired.',
});
const expired = (method: string) => ({ method, answer: EXPIRED });
const tokens = () => app.sent('POST').map(({ headers }) => headers.authorization);

/** Lets a test decide what the provider answers at a path, and counts how often that is asked for. */
async function atProvider(path: string, answer?: (route: Route) => Promise<void>): Promise<{ count: number }> {
  const asked = { count: 0 };
  await app.tab.context().route(`${app.provider.environment.TOKEN_ISSUER}/${path}**`, async (route) => {
    asked.count += 1;
    await (answer?.(route) ?? route.continue());
  });
  return asked;
}

/** Takes something out of what the provider answers at a path. */
const without = (path: string, member: string) =>
  atProvider(path, async (route) => {
    const response = await route.fetch();
    const { [member]: _gone, ...json } = await response.json();
    await route.fulfill({ response, json });
  });

const refuse = (error: string) => async (route: Route) => {
  const headers = { 'access-control-allow-origin': app.url.replace(/\/$/, '') };
  const isRefresh = route.request().postData()?.includes('refresh_token');
  await (isRefresh ? route.fulfill({ status: 400, headers, json: { error } }) : route.continue());
};

describe('signing in', () => {
  it.each(['light', 'dark'] as const)(
    'shows pages on a phone that axe finds nothing wrong with, at the provider and after Cancel, in a %s scheme',
    async (colorScheme) => {
      await app.tab.emulateMedia({ colorScheme });
      await app.tab.setViewportSize({ width: 360, height: 640 });
      await app.tab.goto(app.url);
      const cancel = app.tab.getByRole('link', { name: 'Cancel' });
      await cancel.waitFor();
      expect([await violations(app.tab), await app.tab.evaluate(OVERFLOW)]).toEqual([[], 0]);
      await cancel.click();
      await app.alert('You are not signed in.').waitFor();
      expect([await violations(app.tab), await app.tab.evaluate(OVERFLOW)]).toEqual([[], 0]);
    },
  );

  it('shows the list of whoever has signed in, and keeps tokens nowhere', async () => {
    await app.has('Of ada');
    await app.open();
    expect(await app.names()).toEqual(['Item1', 'Of ada']);
    await app.tab.getByText('ada Sign out').waitFor();
    const kept =
      'JSON.stringify([location, history.state, { ...sessionStorage }, { ...localStorage }, document.cookie])';
    expect(await app.tab.evaluate(kept)).not.toMatch(/eyJ|code=/);
  });

  it('leaves Back to where somebody came from, by way of the provider', async () => {
    await app.tab.goto('about:blank');
    await app.open();
    await app.tab.goBack();
    await app.tab.getByRole('link', { name: 'Sign in as ada' }).waitFor();
    await app.tab.goBack();
    expect(app.tab.url()).toBe('about:blank');
  });

  it('says so if somebody cancels it', async () => {
    await app.tab.goto(app.url);
    await app.tab.getByRole('link', { name: 'Cancel' }).click();
    await app.alert('You are not signed in.').waitFor();
    const authorize = await atProvider('authorize');
    await app.button('Sign in').dblclick();
    await app.signIn('bob');
    await app.item('Item1').waitFor();
    expect(authorize.count).toBeLessThanOrEqual(2);
  });

  it('redeems no code that this tab has not asked for', async () => {
    const token = await atProvider('token');
    await app.tab.goto(`${app.url}?code=planted&state=planted`);
    await app.alert('This tab has not asked for that sign-in.').waitFor();
    expect([app.tab.url(), token.count]).toEqual([app.url, 0]);
  });

  it('shows a token that the service does not accept as an error, and does not sign in again', async () => {
    await app.restart({ TOKEN_AUDIENCE: 'another' });
    const [authorize, token] = [await atProvider('authorize'), await atProvider('token')];
    await app.tab.goto(app.url);
    await app.signIn('ada');
    await app.alert('The service does not accept this sign-in.').waitFor();
    await app.add('x');
    await app.alert('The service does not accept this sign-in.').waitFor();
    await app.tab.waitForTimeout(300);
    // The page of the provider, and its link.
    expect([authorize.count, token.count, app.tab.url()]).toEqual([2, 1, app.url]);
  });

  it('does not ask for a token again if another one would not help', async () => {
    await app.open();
    const token = await atProvider('token');
    const problem = {
      type: 'about:blank',
      code: 'insufficient-scope',
      title: 'Forbidden',
      status: 403,
      detail: 'Not you.',
    };
    app.next({ method: 'POST', answer: jsonAnswer(403, problem) });
    await app.add('x');
    await app.alert('Not you.').waitFor();
    expect(token.count).toBe(0);
  });
});

describe('a session that is started twice, as React does it in StrictMode', () => {
  /** A page without a list. */
  const CODE = `
    import { Session } from './session.ts';
    const { signIn } = JSON.parse(document.querySelector('#settings').textContent);
    const session = new Session(signIn);
    const said = (promise) => promise.then((person) => person.name ?? person, (error) => error.message);
    const start = () => Promise.all([said(session.start()), said(session.start())]);
    const show = (texts) => document.body.prepend(texts.join(' and '), document.createElement('hr'));
    onclick = () => start().then(show);
    start().then(show);`;

  async function open(): Promise<void> {
    const stdin = { contents: CODE, resolveDir: resolve('docs/front-end/service') };
    const { outputFiles } = await build({ stdin, bundle: true, format: 'esm', write: false });
    const body = outputFiles[0]?.text ?? '';
    await app.tab.route('**/main-*.js', (route) => route.fulfill({ contentType: 'text/javascript', body }));
    await app.tab.goto(app.url);
  }

  it('sends the browser away once, redeems the code once, and returns the same person', async () => {
    const [authorize, token] = [await atProvider('authorize'), await atProvider('token')];
    await open();
    await app.signIn('ada');
    await app.tab.getByText('ada and ada').waitFor();
    // It does so later on, too.
    await app.tab.mouse.click(5, 5);
    await app.tab.getByText(/ada and ada.*ada and ada/).waitFor();
    // The page of the provider, and its link.
    expect([authorize.count, token.count]).toEqual([2, 1]);
  });

  it('tries again after a failure', async () => {
    await open();
    await app.tab.getByRole('link', { name: 'Cancel' }).click();
    await app.tab.getByText('You are not signed in. The sign-in was cancelled. and You are not signed in.').waitFor();
    await app.tab.mouse.click(5, 5);
    await app.signIn('bob');
    await app.tab.getByText('bob and bob').waitFor();
  });
});

describe('an expired token', () => {
  it('is renewed, and the same is sent again, once, under the same key', async () => {
    await app.open();
    app.next(expired('POST'));
    await app.add('Renewed');
    await app.item('Renewed').waitFor();
    expect([app.keys().length, new Set(app.keys()).size, new Set(tokens()).size]).toEqual([2, 1, 2]);
  });

  it('is renewed once for all calls that are under way', async () => {
    await app.has('Second');
    await app.open();
    app.received.splice(0);
    const token = await atProvider('token', async (route) => {
      // A call that comes after the renewal has the new token.
      while (app.sent('PATCH').length < 2 || app.sent('GET').length < 1) await app.tab.waitForTimeout(20);
      await route.continue();
    });
    app.next(expired('PATCH'), expired('PATCH'), expired('GET'));
    await app.box('Item1').check();
    await app.box('Second').check();
    await app.tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    while ((await app.list()).some(({ isComplete }) => !isComplete)) await app.tab.waitForTimeout(20);
    expect(token.count).toBe(1);
    expect(await app.alert(/./).count()).toBe(0);
  });

  it('is not renewed a second time if the service does not accept the new one either', async () => {
    await app.open();
    const [authorize, token] = [await atProvider('authorize'), await atProvider('token')];
    app.next(expired('POST'), expired('POST'));
    await app.add('x');
    await app.alert('The service does not accept this sign-in. The token has expired.').waitFor();
    expect([token.count, authorize.count]).toEqual([1, 0]);
    expect(await app.field().inputValue()).toBe('x');
  });

  it('is not renewed a second time for one call, even if the service accepts the new one from others', async () => {
    await app.open();
    const token = await atProvider('token');
    const late = gate();
    app.next(expired('POST'), { ...expired('POST'), after: late.closed });
    await app.add('x');
    while (app.sent('POST').length < 2) await app.tab.waitForTimeout(10);
    await app.has('From elsewhere');
    await app.tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await app.item('From elsewhere').waitFor();
    late.open();
    await app.alert('The service does not accept this sign-in. The token has expired.').waitFor();
    expect(token.count).toBe(1);
  });

  it.each(['no refresh token', 'a refresh token that is used up'])(
    'with %s: signs in again, with all that was typed',
    async (kind) => {
      if (kind === 'no refresh token') await without('token', 'refresh_token');
      else await atProvider('token', refuse('invalid_grant'));
      await app.has('Second');
      await app.open();
      await app.button('Edit Second').click();
      await app.type('Half a na', app.field('Name'));
      app.next(expired('POST'));
      await app.add('Typed');
      await app.signIn('ada');
      await app.alert('You had to sign in again. Your last change was not made.').waitFor();
      expect([await app.field().inputValue(), await app.field('Name').inputValue()]).toEqual(['Typed', 'Half a na']);
      await app.button('Add').click();
      await app.item('Typed').waitFor();
      expect(new Set(app.keys()).size).toBe(1);
      // The row still replaces the version that somebody has seen.
      await app.call('PATCH', await app.keyOf('Second'), { body: { name: 'Theirs' } });
      await app.button('Save').click();
      await app.alert('Meanwhile it was changed to “Theirs”.').waitFor();
    },
  );

  it('whose successor is rejected is not renewed, even if the service accepts the former one late', async () => {
    await app.open();
    const token = await atProvider('token');
    const late = gate();
    app.next({ method: 'GET', after: late.closed, isDone: true }, expired('POST'), expired('POST'));
    await app.button('Edit Item1').click();
    await app.add('x');
    await app.alert('The token has expired.').waitFor();
    late.open();
    await app.field('Name').waitFor();
    app.next(expired('POST'));
    await app.button('Add').click();
    while (app.sent('POST').length < 3) await app.tab.waitForTimeout(10);
    await app.alert('The token has expired.').waitFor();
    expect(token.count).toBe(1);
  });

  it('and what was typed is gone when another person signs in', async () => {
    await without('token', 'refresh_token');
    await app.has('Second');
    await app.open();
    await app.button('Edit Second').click();
    await app.type('Secret of ada', app.field('Name'));
    app.next(expired('POST'));
    await app.add('Secret of ada');
    await app.signIn('bob');
    await app.item('Item1').waitFor();
    expect([await app.field().inputValue(), await app.names()]).toEqual(['', ['Item1']]);
    expect(await app.tab.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('Secret');
  });
});

describe('a change for which somebody had to sign in again', () => {
  const NOT_MADE = 'You had to sign in again. Your last change was not made.';
  const again = () => app.button('Try again');
  const said = () => app.alert(NOT_MADE).waitFor();

  async function open(...names: readonly string[]): Promise<void> {
    await without('token', 'refresh_token');
    await app.has(...names);
    await app.open();
  }

  it('is named after the return: a tick, with the focus on it, is made if somebody wants that', async () => {
    await open('Second');
    app.next(expired('PATCH'));
    await app.box('Second').click();
    await app.signIn('ada');
    await said();
    expect(await app.tab.evaluate('document.activeElement.closest("li").innerText')).toMatch('Second');
    expect([await app.box('Second').isChecked(), await app.focused()]).toEqual([false, '']);
    await again().click();
    while (!(await app.list()).at(-1)?.isComplete) await app.tab.waitForTimeout(10);
    expect([await app.alert(/./).count(), await app.box('Second').isChecked()]).toEqual([0, true]);
  });

  it('an addition, with the focus in its field, is sent again under the same key if somebody wants that', async () => {
    await open();
    // What was made before is not among it, even if it was taken back.
    for (const isComplete of [true, false]) {
      await app.box('Item1').click();
      while ((await app.list())[0]?.isComplete !== isComplete) await app.tab.waitForTimeout(10);
      await until(app.tab, 'JSON.parse(sessionStorage.getItem("todo-app.drafts")).changes.length === 0');
    }
    app.next(expired('POST'));
    await app.add('Typed');
    await app.signIn('ada');
    await said();
    expect([await app.focused(), await app.field().inputValue()]).toEqual(['New item', 'Typed']);
    await again().click();
    await app.item('Typed').waitFor();
    expect([app.keys().length, new Set(app.keys()).size, await app.field().inputValue()]).toEqual([2, 1, '']);
  });

  it('a deletion is not offered: the focus is on its button, which asks again', async () => {
    await open('Second');
    app.next(expired('DELETE'));
    await app.button('Delete Second').click();
    await app.button('Delete').click();
    await app.signIn('ada');
    await said();
    expect([await app.focused(), await again().count()]).toEqual(['Delete Second', 0]);
  });

  it('nor is a name: the focus is in its field, with what was typed', async () => {
    await open('Second');
    await app.button('Edit Second').click();
    await app.type('Mine', app.field('Name'));
    app.next(expired('PATCH'));
    await app.button('Save').click();
    await app.signIn('ada');
    await said();
    expect([await app.focused(), await app.field('Name').inputValue(), await again().count()]).toEqual([
      'Name',
      'Mine',
      0,
    ]);
    await app.button('Save').click();
    await app.button('Edit Mine').waitFor();
  });

  it('is found among those that are done, if it was about one of these', async () => {
    await open('Second');
    await app.call('PATCH', await app.keyOf('Second'), { body: { isComplete: true } });
    await app.tab.getByLabel('Show what is done').check();
    app.next(expired('PATCH'));
    await app.box('Second').click();
    await app.signIn('ada');
    await said();
    expect(await app.box('Second').isChecked()).toBe(true);
    await again().click();
    while ((await app.list()).at(-1)?.isComplete) await app.tab.waitForTimeout(10);
  });

  it('is one of two: both are named, and both are made', async () => {
    await open('Second');
    const late = gate();
    app.next({ ...expired('PATCH'), after: late.closed }, { ...expired('PATCH'), after: late.closed });
    await app.box('Item1').click();
    await app.box('Second').click();
    while (app.sent('PATCH').length < 2) await app.tab.waitForTimeout(10);
    late.open();
    await app.signIn('ada');
    await app.alert('You had to sign in again. Your last 2 changes were not made.').waitFor();
    await again().click();
    while ((await app.list()).some(({ isComplete }) => !isComplete)) await app.tab.waitForTimeout(10);
  });

  it.each(['tick', 'delete'])('is not named if somebody has made it elsewhere meanwhile: %s', async (kind) => {
    await open('Second');
    const method = kind === 'tick' ? 'PATCH' : 'DELETE';
    app.next(expired(method));
    if (kind === 'tick') await app.box('Second').click();
    else
      await app
        .button('Delete Second')
        .click()
        .then(() => app.button('Delete').click());
    await app.tab.getByRole('link', { name: 'Sign in as ada' }).waitFor();
    await app.call(method, await app.keyOf('Second'), kind === 'tick' ? { body: { isComplete: true } } : {});
    await app.signIn('ada');
    // It looks among all items.
    await until(app.tab, 'document.querySelector("#filter input")?.checked');
    await until(app.tab, 'document.querySelector("ul").ariaBusy === "false"');
    expect(await app.alert(/./).count()).toBe(0);
  });

  it('is named once, and not after a reload, which may have cut off one that was made', async () => {
    await open('Second');
    app.next(expired('PATCH'));
    await app.box('Second').click();
    await app.signIn('ada');
    await said();
    await app.button('Close').click();
    await app.tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await until(app.tab, 'document.querySelector("ul").ariaBusy === "false"');
    expect(await app.alert(/./).count()).toBe(0);
    const late = gate();
    app.next({ ...expired('PATCH'), after: late.closed });
    await app.box('Second').click();
    while (app.sent('PATCH').length < 2) await app.tab.waitForTimeout(10);
    await app.tab.reload();
    await app.signIn('ada');
    await app.item('Second').waitFor();
    late.open();
    await until(app.tab, 'document.querySelector("ul").ariaBusy === "false"');
    expect(await app.alert(/./).count()).toBe(0);
  });
});

describe('a provider that can not be reached', () => {
  const abort = (route: Route) => route.abort();
  const REASON = /where you sign in, can not be reached. Try again./;

  it('when a token is renewed: is said, with what was typed still there, and nobody is sent there', async () => {
    await app.open();
    await atProvider('token', abort);
    const authorize = await atProvider('authorize');
    app.next(expired('POST'));
    await app.add('Typed');
    await app.alert(REASON).waitFor();
    expect([await app.field().inputValue(), authorize.count]).toEqual(['Typed', 0]);
    await app.tab.context().unrouteAll({ behavior: 'ignoreErrors' });
    await app.button('Add').click();
    await app.item('Typed').waitFor();
  });

  it('when somebody has to sign in again: is said, with what was typed still there', async () => {
    await without('token', 'refresh_token');
    await app.open();
    await atProvider('.well-known', abort);
    const authorize = await atProvider('authorize');
    app.next(expired('POST'));
    await app.add('Typed');
    await app.alert(REASON).waitFor();
    expect([await app.field().inputValue(), authorize.count, app.tab.url()]).toEqual(['Typed', 0, app.url]);
  });

  it('at the beginning: is said, and what was typed before is there once somebody can sign in', async () => {
    await app.open();
    await app.type('Typed');
    await atProvider('.well-known', abort);
    await app.tab.reload();
    await app.alert(REASON).waitFor();
    await app.tab.context().unrouteAll({ behavior: 'ignoreErrors' });
    await app.button('Sign in').click();
    await app.signIn('ada');
    await app.item('Item1').waitFor();
    expect(await app.field().inputValue()).toBe('Typed');
  });

  it('in ten seconds: is said', async () => {
    await app.open();
    await app.tab.clock.install();
    await app.tab.reload();
    await app.signIn('ada');
    await app.item('Item1').waitFor();
    const token = await atProvider('token', async () => {});
    app.next(expired('POST'));
    await app.add('Typed');
    await app.runUntil(() => token.count === 1);
    await app.tab.clock.runFor(11_000);
    await app.alert(REASON).waitFor();
  });
});
