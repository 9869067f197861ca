import { describe, expect, it } from '@jest/globals';
import { gate, serveApp } from '../support/browser/app.js';
import { OVERFLOW, violations } from '../support/browser/axe.js';
import { jsonAnswer } from '../support/browser/served-pages.js';

const app = serveApp();
const PROBLEM = { type: 'about:blank', title: 'Bad Request', status: 400, detail: 'Not like this.' };
const LONG = 'A_very_long_word_'.repeat(12);

/** How much lower Delete is than Edit in each row. */
const BESIDE = `[...document.querySelectorAll('li')].map((row) => {
  const [edit, remove] = [...row.querySelectorAll('button')].map((button) => button.getBoundingClientRect().top);
  return remove - edit;
})`;
const places = () => app.tab.evaluate(PLACES);
const PLACES = `[...document.querySelectorAll('main, main *:not(.work)')].map((one) => JSON.stringify(one.getBoundingClientRect()))`;

describe.each(['light', 'dark'] as const)('in a %s scheme', (colorScheme) => {
  it.each([1280, 360])(
    'axe finds nothing wrong in a window of %s pixels: list, message, row that is edited, question',
    async (width) => {
      await app.tab.emulateMedia({ colorScheme });
      await app.tab.setViewportSize({ width, height: 640 });
      await app.has('Second', LONG);
      await app.open();
      await app.box('Item1').check();
      await app.button('Edit Second').click();
      await app.field('Name').waitFor();
      app.next({ method: 'POST', answer: jsonAnswer(400, PROBLEM) });
      await app.add('x');
      await app.alert('Not like this.').waitFor();
      expect(await violations(app.tab)).toEqual([]);
      expect(await app.tab.evaluate(OVERFLOW)).toBe(0);
      await app.button('Close').click();
      await app.button('Delete Item1').click();
      await app.tab.getByRole('dialog').waitFor();
      expect(await violations(app.tab)).toEqual([]);
      const [red = 0] =
        String(await app.tab.evaluate('getComputedStyle(document.documentElement).backgroundColor')).match(/\d+/) ?? [];
      expect(Number(red) > 128).toBe(colorScheme === 'light');
    },
  );
});

it('a message moves nothing, neither when it comes nor when it goes', async () => {
  await app.has('Second');
  await app.open();
  await app.type('x');
  const before = await places();
  app.next({ method: 'POST', answer: jsonAnswer(400, PROBLEM) });
  await app.tab.keyboard.press('Enter');
  await app.alert('Not like this.').waitFor();
  expect(await places()).toEqual(before);
  await app.button('Close').click();
  expect(await places()).toEqual(before);
});

describe('what takes longer than half a second is said in its place, and moves nothing:', () => {
  const word = (text: string) => app.tab.getByText(`${text} …`, { exact: true });
  const busy = () => app.tab.evaluate(BUSY);
  const BUSY = `[...document.querySelectorAll('[aria-busy=true]:not(ul)')].map((one) => (one.tagName === 'LI' ? one.innerText : one.id))`;

  /** Half a second is over when the test wants it. */
  const WITHOUT_HALF_A_SECOND = `
    const { setTimeout, clearTimeout } = window;
    const waiting = new Map();
    window.setTimeout = (then, delay, ...given) => {
      const id = setTimeout(then, delay === 500 ? 1e9 : delay, ...given);
      if (delay === 500) waiting.set(id, then);
      return id;
    };
    window.clearTimeout = (id) => (waiting.delete(id), clearTimeout(id));
    window.elapse = () => [...waiting.values()].map((then) => then()).length;`;

  it.each([
    ['Adding', 'POST', 'adding', async () => app.add('x')],
    ['Saving', 'PATCH', 'Item1', async () => app.box('Item1').click()],
    ['Saving', 'PATCH', 'Cancel', async () => app.tab.keyboard.press('Enter')],
    ['Loading', 'GET', 'Item1', async () => app.button('Edit Item1').click()],
    ['Loading', 'GET', 'filter', async () => app.tab.getByLabel('Show what is done').check()],
    [
      'Deleting',
      'DELETE',
      'Item1',
      async () => {
        await app.button('Delete Item1').click();
        await app.button('Delete').click();
      },
    ],
  ] as const)('%s, until the answer to %s is there', async (text, method, place, act) => {
    await app.tab.setViewportSize({ width: 360, height: 640 });
    await app.tab.addInitScript(WITHOUT_HALF_A_SECOND);
    await app.open();
    if (place === 'Cancel') {
      await app.button('Edit Item1').click();
      await app.type('Other', app.field('Name'));
    }
    const late = gate();
    const sent = app.sent(method).length;
    app.next({ method, after: late.closed });
    await act();
    while (app.sent(method).length === sent) await app.tab.waitForTimeout(10);
    const before = await places();
    expect([await word(text).count(), await busy()]).toEqual([0, []]);
    expect(await app.tab.evaluate('elapse()')).toBe(1);
    await word(text).waitFor();
    expect(await busy()).toEqual([expect.stringContaining(place)]);
    expect(await places()).toEqual(before);
    expect([await violations(app.tab), await app.tab.evaluate(OVERFLOW)]).toEqual([[], 0]);
    late.open();
    await word(text).waitFor({ state: 'detached' });
    expect(await busy()).toEqual([]);
  });
});

it('a message is in sight, however long the list is', async () => {
  await app.tab.setViewportSize({ width: 640, height: 300 });
  await app.has('Second', 'Third', 'Fourth', 'Fifth', 'Sixth');
  await app.open();
  app.next({ method: 'POST', answer: jsonAnswer(400, PROBLEM) });
  await app.add('x');
  await app.alert('Not like this.').waitFor();
  expect(
    await app.tab.evaluate('document.querySelector("#problem").getBoundingClientRect().bottom < innerHeight'),
  ).toBe(true);
});

it('Edit and Delete are side by side on a phone, however long the name is', async () => {
  await app.tab.setViewportSize({ width: 360, height: 640 });
  await app.has(...[5, 10, 15, 18, 20, 22, 24, 26, 28, 30, 60].map((length) => 'x'.repeat(length)));
  await app.open();
  expect(await app.tab.evaluate(BESIDE)).toEqual(Array.from({ length: 12 }, () => 0));
});

it('text of twice the size fits on a phone', async () => {
  await app.tab.setViewportSize({ width: 360, height: 640 });
  await app.has('Second', LONG);
  await app.open();
  await app.tab.evaluate("document.documentElement.style.fontSize = '200%'");
  await app.button('Edit Second').click();
  await app.field('Name').waitFor();
  app.next({ method: 'POST', answer: jsonAnswer(400, PROBLEM) });
  await app.add('x');
  await app.alert('Not like this.').waitFor();
  expect(await app.tab.evaluate(OVERFLOW)).toBe(0);
});

it('the focus stays where somebody works', async () => {
  await app.has('Second', 'Third');
  await app.open();
  await app.add('Fourth');
  await app.item('Fourth').waitFor();
  await app.type('x');
  expect(await app.focused()).toBe('New item');
  await app.button('Edit Second').click();
  await app.field('Name').waitFor();
  expect(await app.focused()).toBe('Name');
  await app.tab.keyboard.press('Escape');
  expect(await app.focused()).toBe('Edit Second');
  await app.tab.keyboard.press('Enter');
  await app.field('Name').waitFor();
  await app.type('Changed', app.field('Name'));
  await app.tab.keyboard.press('Enter');
  await app.button('Edit Changed').waitFor();
  expect(await app.focused()).toBe('Edit Changed');
  await app.box('Changed').click();
  expect(await app.tab.evaluate('document.activeElement.closest("li").innerText')).toMatch('Changed');
  await app.tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await app.item('Changed').waitFor({ state: 'detached' });
  expect(await app.tab.evaluate('document.activeElement.closest("li").innerText')).toMatch('Third');
  for (const [name, next] of [
    ['Third', 'Fourth'],
    ['Fourth', 'Item1'],
    ['Item1', undefined],
  ] as const) {
    await app.button(`Delete ${name}`).click();
    // The second click of a double click is one on what was behind the question.
    await app.button('Delete').dblclick();
    await app.item(name).waitFor({ state: 'detached' });
    if (next) expect(await app.tab.evaluate('document.activeElement.closest("li").innerText')).toMatch(next);
    else expect(await app.focused()).toBe('New item');
  }
});

it('works with the keyboard alone', async () => {
  const { keyboard } = app.tab;
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await keyboard.press(key);
  };
  await app.open();
  await press('Tab');
  expect(await app.focused()).toBe('New item');
  await keyboard.type('By keyboard');
  await press('Enter');
  await app.item('By keyboard').waitFor();
  // Add, the filter, and the first row's box and buttons.
  await press('Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab');
  await press('Space');
  while (!(await app.list()).at(-1)?.isComplete) await app.tab.waitForTimeout(10);
  await press('Tab');
  expect(await app.focused()).toBe('Edit By keyboard');
  await press('Enter');
  await app.field('Name').waitFor();
  await press('ControlOrMeta+A');
  await keyboard.type('Still by keyboard');
  await press('Enter');
  await app.button('Edit Still by keyboard').waitFor();
  await press('Tab', 'Enter');
  await app.tab.getByRole('dialog').waitFor();
  expect(await app.focused()).toBe('Cancel');
  await press('Tab', 'Enter');
  await app.item('Still by keyboard').waitFor({ state: 'detached' });
  expect(await app.list()).toHaveLength(1);
});

it('people who can not see it are told what has been done', async () => {
  await app.open();
  const said = (text: string) => app.tab.getByRole('status').filter({ hasText: text }).waitFor();
  await app.add('Second');
  await said('Added “Second”.');
  await app.button('Edit Second').click();
  await app.type('Changed', app.field('Name'));
  await app.tab.keyboard.press('Enter');
  await said('Saved “Changed”.');
  await app.button('Delete Changed').click();
  await app.button('Delete').click();
  await said('Deleted “Changed”.');
});

it('Back leaves it', async () => {
  await app.tab.goto('about:blank');
  await app.open();
  await app.add('x');
  await app.item('x').waitFor();
  await app.tab.goBack();
  expect(app.tab.url()).toBe('about:blank');
});
