import { describe, expect, it } from '@jest/globals';
import { gate, serveApp } from '../support/browser/app.js';
import { until } from '../support/browser/page.js';
import { jsonAnswer } from '../support/browser/served-pages.js';

const app = serveApp();
const UNAVAILABLE = { type: 'about:blank', title: 'Service Unavailable', status: 503, detail: 'Not now.' };
const lost = (method: string, isDone: boolean) => ({ method, answer: 'lost', isDone }) as const;
/** What people who can not see it hear of the field that has the focus. */
const DESCRIPTION = 'document.querySelector("li input[name=name]").ariaDescribedByElements?.[0]?.innerText';
const LOADED = 'document.querySelector("ul").ariaBusy === "false"';
const name = () => app.field('Name');

/** Opens the app with some items, and begins to edit one. */
async function edit(item: string, ...others: readonly string[]): Promise<void> {
  await app.has(item, ...others);
  await app.open();
  await app.button(`Edit ${item}`).click();
  await name().waitFor();
}

describe('a name is edited in its row', () => {
  it('and replaces the version that somebody has seen', async () => {
    await edit('Second', 'Third');
    const { etag } = (await app.call('GET', await app.keyOf('Second'))).headers;
    await app.type('Second, changed', name());
    await app.tab.keyboard.press('Enter');
    await app.button('Edit Second, changed').waitFor();
    expect(await app.names()).toEqual(['Item1', 'Second, changed', 'Third']);
    expect(app.sent('PATCH').map(({ headers, body }) => [headers['if-match'], body])).toEqual([
      [etag, '{"name":"Second, changed"}'],
    ]);
  });

  it('and the name that has come from elsewhere meanwhile is shown: Save replaces it', async () => {
    await edit('Second');
    await app.call('PATCH', await app.keyOf('Second'), { body: { name: 'Theirs' } });
    await app.type('Mine', name());
    await app.button('Save').click();
    await app.alert('Meanwhile it was changed to “Theirs”.').waitFor();
    expect(await name().inputValue()).toBe('Mine');
    expect((await app.list()).at(-1)?.name).toBe('Theirs');
    await app.button('Save').click();
    await app.button('Edit Mine').waitFor();
    expect((await app.list()).at(-1)?.name).toBe('Mine');
  });

  it('and Cancel keeps the name from elsewhere', async () => {
    await edit('Second');
    await app.call('PATCH', await app.keyOf('Second'), { body: { name: 'Theirs' } });
    await app.type('Mine', name());
    await app.button('Save').click();
    await app.alert('Meanwhile').waitFor();
    await app.button('Cancel').click();
    await app.button('Edit Theirs').waitFor();
    expect((await app.list()).at(-1)?.name).toBe('Theirs');
    // What it said of Save and Cancel is no longer so.
    expect(await app.alert(/./).count()).toBe(0);
  });

  it('and a name that the service rejects is marked until it is changed', async () => {
    await edit('Second');
    await app.type(' ', name());
    await app.button('Save').click();
    await app.alert('Must contain a character that is not white space').waitFor();
    expect(await name().getAttribute('aria-invalid')).toBe('true');
    expect(await app.tab.evaluate(DESCRIPTION)).toMatch('white space');
    await app.type('Mine', name());
    expect(await name().getAttribute('aria-invalid')).toBe('false');
    await app.button('Save').click();
    await app.button('Edit Mine').waitFor();
  });

  it('and the same name from elsewhere is no conflict', async () => {
    await edit('Second');
    await app.call('PATCH', await app.keyOf('Second'), { body: { name: 'The same' } });
    await app.type('The same', name());
    await app.button('Save').click();
    await app.button('Edit The same').waitFor();
    expect(await app.alert(/./).count()).toBe(0);
  });

  it('and a tick from elsewhere is no conflict either', async () => {
    await edit('Second');
    await app.call('PATCH', await app.keyOf('Second'), { body: { isComplete: true } });
    await app.type('Mine', name());
    await app.button('Save').click();
    await app.button('Edit Mine').waitFor();
    expect((await app.list()).at(-1)).toMatchObject({ name: 'Mine', isComplete: true });
  });

  it.each([true, false])('and if the reply is lost, the app looks whether it was saved: %s', async (isDone) => {
    await edit('Second');
    await app.type('Mine', name());
    app.next(lost('PATCH', isDone));
    await app.button('Save').click();
    if (!isDone) {
      await app.alert('No answer came from the service. Nothing has changed so far. Try again.').waitFor();
      expect(await name().inputValue()).toBe('Mine');
      await app.button('Save').click();
    }
    await app.button('Edit Mine').waitFor();
    expect(app.sent('PATCH')).toHaveLength(isDone ? 1 : 2);
  });

  it('and the browser asks once, not before each name, whether the app may send it', async () => {
    await edit('Second');
    for (const text of ['Third', 'Fourth']) {
      await app.type(text, name());
      await app.button('Save').click();
      await app.button(`Edit ${text}`).click();
      await name().waitFor();
    }
    expect([app.sent('PATCH').length, app.preflights('PATCH')]).toEqual([2, 1]);
  });

  it('once, if somebody clicks twice: neither does a second click on Edit save, nor one on Save conflict', async () => {
    await app.has('Second');
    await app.open();
    await app.button('Edit Second').dblclick();
    await name().waitFor();
    await app.type('Mine', name());
    await app.button('Save').dblclick();
    await app.button('Edit Mine').waitFor();
    expect(app.sent('PATCH')).toHaveLength(1);
    expect([await name().count(), await app.alert(/./).count()]).toEqual([0, 0]);
  });

  it('once, if somebody presses Enter again before the answer is there, or holds it down', async () => {
    await edit('Second');
    const late = gate();
    app.next({ method: 'PATCH', after: late.closed });
    await app.type('Mine', name());
    await app.tab.keyboard.press('Enter');
    await app.tab.keyboard.down('Enter');
    late.open();
    await app.button('Edit Mine').waitFor();
    // This one would press Edit, which has the focus by now.
    await app.tab.keyboard.down('Enter');
    await app.tab.keyboard.up('Enter');
    await app.tab.waitForTimeout(200);
    expect([app.sent('PATCH').length, await name().count()]).toEqual([1, 0]);
  });

  it('and what somebody types on before the answer is there is not taken, because it would be lost', async () => {
    await edit('Second');
    const late = gate();
    app.next({ method: 'PATCH', after: late.closed });
    await app.type('Mine', name());
    await app.tab.keyboard.press('Enter');
    await app.tab.keyboard.type(' and more');
    expect(await name().inputValue()).toBe('Mine');
    late.open();
    await app.button('Edit Mine').waitFor();
  });

  it('and stays there with what was typed when the list no longer has the item, until somebody cancels', async () => {
    await edit('Second');
    await app.type('Mine', name());
    await app.call('DELETE', await app.keyOf('Second'));
    await app.tab.getByLabel('Show what is done').check();
    await until(app.tab, LOADED);
    expect(await name().inputValue()).toBe('Mine');
    await app.button('Save').click();
    await app.alert('This item was deleted meanwhile. What you have typed is still here.').waitFor();
    expect(await name().inputValue()).toBe('Mine');
    await app.button('Cancel').click();
    expect(await app.names()).toEqual(['Item1']);
  });

  it('and goes on, with the focus in it, when the list is loaded again meanwhile', async () => {
    await edit('Second');
    await app.type('Half', name());
    await app.has('From elsewhere');
    await app.tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await app.item('From elsewhere').waitFor();
    await until(app.tab, LOADED);
    await app.tab.keyboard.type(' a name');
    expect(await name().inputValue()).toBe('Half a name');
  });

  it('and what was typed is there after a reload, even if the item is not: Cancel takes it away', async () => {
    await edit('Second');
    await app.type('Mine', name());
    await app.call('DELETE', await app.keyOf('Second'));
    await app.tab.reload();
    await name().waitFor();
    await app.item('Item1').waitFor();
    expect(await name().inputValue()).toBe('Mine');
    await app.button('Cancel').click();
    await until(app.tab, 'document.querySelectorAll("li").length === 1');
    expect(await app.names()).toEqual(['Item1']);
  });

  it('and Escape does nothing while it is saved', async () => {
    await edit('Second');
    const late = gate();
    app.next({ method: 'PATCH', after: late.closed });
    await app.type('Mine', name());
    await app.tab.keyboard.press('Enter');
    await app.tab.keyboard.press('Escape');
    expect(await name().inputValue()).toBe('Mine');
    late.open();
    await app.button('Edit Mine').waitFor();
  });

  it('unless it is gone: then the list is shown as it is', async () => {
    await app.has('Second');
    await app.open();
    await app.call('DELETE', await app.keyOf('Second'));
    await app.button('Edit Second').click();
    await app.alert('This item was deleted meanwhile.').waitFor();
    expect(await app.names()).toEqual(['Item1']);
  });

  it('and is as it was after Escape', async () => {
    await edit('Second');
    await app.type('Mine', name());
    await app.tab.keyboard.press('Escape');
    await app.button('Edit Second').waitFor();
    expect(app.sent('PATCH')).toEqual([]);
  });
});

describe('a tick', () => {
  it('needs no condition: it means this item, whatever its name is by now', async () => {
    await app.has('Second');
    await app.open();
    await app.call('PATCH', await app.keyOf('Second'), { body: { name: 'Theirs' } });
    await app.box('Second').check();
    await expectTick('Theirs', true);
    expect(app.sent('PATCH').map(({ headers }) => headers['if-match'])).toEqual([undefined]);
  });

  it('is taken back by another, and the last one counts', async () => {
    await app.open();
    const late = gate();
    app.next({ method: 'PATCH', after: late.closed });
    await app.box('Item1').check();
    for (let times = 0; times < 3; times++) await app.tab.keyboard.press('Space');
    await app.tab.waitForTimeout(100);
    // Two at once could arrive in the other order.
    expect(app.sent('PATCH')).toHaveLength(1);
    late.open();
    await expectTick('Item1', false);
    expect(app.sent('PATCH').map(({ body }) => body)).toEqual(['{"isComplete":true}', '{"isComplete":false}']);
  });

  it('stays as it was clicked when an older list comes before the answer, and is not taken back by that', async () => {
    await app.open();
    const late = gate();
    const older = jsonAnswer(200, await app.list());
    app.next({ method: 'PATCH', after: late.closed }, { method: 'GET', answer: older });
    await app.box('Item1').check();
    app.received.splice(0);
    await app.tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    while (app.sent('GET').length === 0) await app.tab.waitForTimeout(10);
    await until(app.tab, LOADED);
    expect(await app.box('Item1').isChecked()).toBe(true);
    late.open();
    await expectTick('Item1', true);
    await app.add('The next');
    await app.item('The next').waitFor();
    expect((await app.list())[0]?.isComplete).toBe(true);
  });

  it.each([true, false])('whose reply is lost is looked after: whether it was done is %s', async (isDone) => {
    await app.open();
    app.next(lost('PATCH', isDone));
    await app.box('Item1').click();
    if (!isDone) await app.alert('Nothing has changed so far.').waitFor();
    await expectTick('Item1', isDone);
    await until(app.tab, `document.querySelector('li input').checked === ${isDone}`);
  });

  it('of an item that is gone shows the list as it is', async () => {
    await app.has('Second');
    await app.open();
    await app.call('DELETE', await app.keyOf('Second'));
    await app.box('Second').click();
    await app.alert('This item was deleted meanwhile.').waitFor();
    expect(await app.names()).toEqual(['Item1']);
  });

  it('on a double click is one tick', async () => {
    await app.has('Second');
    await app.open();
    await app.box('Item1').dblclick();
    await app.item('Second').locator('label span').dblclick();
    await expectTick('Item1', true);
    await expectTick('Second', true);
    expect(app.sent('PATCH')).toHaveLength(2);
  });

  async function expectTick(item: string, isComplete: boolean): Promise<void> {
    const isSo = async () => (await app.list()).some((one) => one.name === item && one.isComplete === isComplete);
    while (!(await isSo())) await app.tab.waitForTimeout(10);
  }
});

describe('deleting', () => {
  const dialog = () => app.tab.getByRole('dialog');

  it('asks first: Escape and Cancel mean no', async () => {
    await app.has('Second');
    await app.open();
    for (const no of [() => app.tab.keyboard.press('Escape'), () => app.button('Cancel').click()]) {
      await app.button('Delete Item1').click();
      await dialog().filter({ hasText: 'Delete “Item1”?' }).waitFor();
      await no();
      await dialog().waitFor({ state: 'hidden' });
    }
    expect(app.sent('DELETE')).toEqual([]);
    await app.button('Delete Item1').click();
    await app.button('Delete').click();
    await app.item('Item1').waitFor({ state: 'detached' });
    expect((await app.list()).map((item) => item.name)).toEqual(['Second']);
    // Nor does it mean what it meant the last time.
    await app.button('Delete Second').click();
    await app.tab.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await app.tab.waitForTimeout(100);
    expect(app.sent('DELETE')).toHaveLength(1);
  });

  it('an item that is gone already is what somebody wanted', async () => {
    await app.open();
    await app.call('DELETE', await app.keyOf('Item1'));
    await app.button('Delete Item1').click();
    await app.button('Delete').click();
    await app.item('Item1').waitFor({ state: 'detached' });
    expect(await app.alert(/./).count()).toBe(0);
  });

  it.each([true, false])('looks what is there if the reply is lost: whether it was done is %s', async (isDone) => {
    await app.open();
    app.next(lost('DELETE', isDone));
    await app.button('Delete Item1').click();
    await app.button('Delete').click();
    if (isDone) await app.item('Item1').waitFor({ state: 'detached' });
    else await app.alert('Nothing has changed so far.').waitFor();
    expect(app.sent('DELETE')).toHaveLength(1);
  });

  it('happens once, and to nothing else, if somebody clicks twice on anything', async () => {
    await app.has('Second', 'Third');
    await app.open();
    await app.button('Delete Second').dblclick();
    await dialog().getByRole('button', { name: 'Delete' }).dblclick();
    await app.item('Second').waitFor({ state: 'detached' });
    expect(await dialog().count()).toBe(0);
    // The message above the list once collapsed on the first click, which brought Delete under the pointer.
    app.next({ method: 'POST', answer: jsonAnswer(400, { ...UNAVAILABLE, status: 400 }) });
    await app.add('x');
    await app.alert('Not now.').waitFor();
    await app.button('Add').dblclick();
    await app.item('x').waitFor();
    expect([await app.names(), app.sent('DELETE').length]).toEqual([['Item1', 'Third', 'x'], 1]);
  });
});

describe('a write is sent again by itself', () => {
  it('after Retry-After if it has surely changed nothing', async () => {
    await app.tab.clock.install();
    await app.open();
    const answer = jsonAnswer(503, { ...UNAVAILABLE, applied: false }, { 'Retry-After': '7' });
    app.next({ method: 'PATCH', answer });
    await app.box('Item1').click();
    while (app.sent('PATCH').length < 1) await app.tab.clock.runFor(10);
    const before = await app.tab.evaluate('Date.now()');
    await app.runUntil(() => app.sent('PATCH').length === 2);
    expect(Number(await app.tab.evaluate('Date.now()')) - Number(before)).toBeGreaterThanOrEqual(6_500);
    expect(await app.alert(/./).count()).toBe(0);
  });

  it('but not if it may have been done', async () => {
    await app.tab.clock.install();
    await app.open();
    app.next({ method: 'PATCH', answer: jsonAnswer(503, UNAVAILABLE, { 'Retry-After': '1' }) });
    await app.box('Item1').click();
    await app.alert('Not now. Nothing has changed so far. Try again.').waitFor();
    await app.tab.clock.runFor(60_000);
    expect(app.sent('PATCH')).toHaveLength(1);
  });

  it('nor if the service wants to be left alone for longer than somebody waits', async () => {
    await app.open();
    const answer = jsonAnswer(503, { ...UNAVAILABLE, applied: false }, { 'Retry-After': '60' });
    app.next({ method: 'PATCH', answer });
    await app.box('Item1').click();
    await app.alert('Not now.').waitFor();
    // It has said that nothing has changed, so there is nothing to look after.
    expect(await app.alert(/./).textContent()).toBe('Not now.');
    expect(await app.box('Item1').isChecked()).toBe(false);
  });
});
