import { describe, expect, it } from '@jest/globals';
import { gate, serveApp } from '../support/browser/app.js';
import { jsonAnswer } from '../support/browser/served-pages.js';

const app = serveApp();
const busy = (seconds: number) =>
  jsonAnswer(
    503,
    { type: 'about:blank', title: 'Service Unavailable', status: 503, applied: false },
    {
      'Retry-After': String(seconds),
    },
  );
const LOST = { method: 'POST', answer: 'lost', isDone: true } as const;

async function expectOnce(name: string): Promise<void> {
  await app.item(name).waitFor();
  expect((await app.list()).filter((item) => item.name === name)).toHaveLength(1);
}

describe('an item is added once', () => {
  it('when the reply is lost: the same is sent again, under the same key', async () => {
    await app.tab.clock.install();
    await app.open();
    app.next(LOST, LOST);
    await app.add('Lost');
    await app.runUntil(() => app.sent('POST').length === 3);
    await expectOnce('Lost');
    expect(new Set(app.keys()).size).toBe(1);
  });

  it('when all replies are lost, and somebody presses Add again, or loads the page again and then does', async () => {
    await app.tab.clock.install();
    await app.open();
    app.next(LOST, LOST, LOST);
    await app.add('Lost');
    await app.runUntil(() => app.sent('POST').length === 3);
    await app.alert('No answer came from the service. Add sends the same again, and adds it only once.').waitFor();
    app.next(LOST, LOST, LOST);
    await app.button('Add').click();
    await app.runUntil(() => app.sent('POST').length === 6);
    await app.alert('No answer came').waitFor();
    await app.tab.reload();
    await app.item('Lost').waitFor();
    expect(await app.field().inputValue()).toBe('Lost');
    await app.button('Add').click();
    await expectOnce('Lost');
    await app.runUntil(async () => (await app.field().inputValue()) === '');
    expect([app.sent('POST').length, new Set(app.keys()).size]).toEqual([7, 1]);
    expect((await app.list()).filter(({ name }) => name === 'Lost')).toHaveLength(1);
  });

  it('when something else fails after a reply was lost', async () => {
    await app.tab.clock.install();
    await app.open();
    app.next(LOST, { method: 'POST', answer: busy(60) });
    await app.add('Lost');
    await app.runUntil(() => app.sent('POST').length === 2);
    await app.alert(/./).waitFor();
    await app.button('Add').click();
    await expectOnce('Lost');
    expect(new Set(app.keys()).size).toBe(1);
  });

  it('when somebody clicks twice, or holds Enter down', async () => {
    await app.open();
    await app.type('Twice');
    await app.button('Add').dblclick();
    await expectOnce('Twice');
    await app.type('Held');
    for (let times = 0; times < 5; times++) await app.tab.keyboard.down('Enter');
    await app.tab.keyboard.up('Enter');
    await expectOnce('Held');
    expect(app.sent('POST')).toHaveLength(2);
  });

  it('when somebody presses Enter again before the answer is there', async () => {
    await app.open();
    const late = gate();
    app.next({ method: 'POST', after: late.closed });
    await app.type('Patient');
    for (let times = 0; times < 3; times++) await app.tab.keyboard.press('Enter');
    late.open();
    await expectOnce('Patient');
    expect(app.sent('POST')).toHaveLength(1);
  });

  it('when somebody types on before the answer is there: that is not taken, because it would be lost', async () => {
    await app.open();
    const late = gate();
    app.next({ method: 'POST', after: late.closed });
    await app.type('Sent');
    await app.tab.keyboard.press('Enter');
    await app.tab.keyboard.type(' and more');
    expect(await app.field().inputValue()).toBe('Sent');
    late.open();
    await expectOnce('Sent');
    // What was sent is not kept.
    await app.tab.reload();
    await app.item('Sent').waitFor();
    expect(await app.field().inputValue()).toBe('');
    await app.tab.keyboard.press('Tab');
    await app.tab.keyboard.type('Next');
    expect(await app.field().inputValue()).toBe('Next');
  });

  it('and another one under a key of its own, even if the reply to the first was lost', async () => {
    await app.tab.clock.install();
    await app.open();
    app.next(LOST, LOST, LOST);
    await app.add('First');
    await app.runUntil(() => app.sent('POST').length === 3);
    await app.alert('No answer came').waitFor();
    await app.add('Other');
    await app.item('Other').waitFor();
    expect([app.sent('POST').length, new Set(app.keys()).size]).toEqual([4, 2]);
  });

  it('but twice if somebody wants it twice', async () => {
    await app.open();
    for (const nth of [0, 1]) {
      await app.add('Another');
      await app.item('Another').nth(nth).waitFor();
    }
    expect(new Set(app.keys()).size).toBe(2);
  });
});

describe('a creation whose reply was lost an hour ago', () => {
  async function loseReplies(name: string): Promise<void> {
    await app.tab.clock.install();
    await app.open();
    app.next(LOST, LOST, LOST);
    await app.add(name);
    await app.runUntil(() => app.sent('POST').length === 3);
    await app.alert('No answer came').waitFor();
    await app.call('PATCH', await app.keyOf(name), { body: { isComplete: true } });
  }

  it('shows the whole list, and asks before it is sent again: what is there stays alone if somebody cancels', async () => {
    await loseReplies('Old');
    await app.tab.clock.fastForward('56:00');
    await app.button('Add').click();
    await app.tab.getByRole('dialog').filter({ hasText: 'The list has an item of this name. Add it again?' }).waitFor();
    await app.item('Old').waitFor();
    expect(await app.box('Old').isChecked()).toBe(true);
    await app.button('Cancel').click();
    expect(app.sent('POST')).toHaveLength(3);
    expect(await app.field().inputValue()).toBe('Old');
  });

  it('is sent under another key if somebody wants that', async () => {
    await loseReplies('Old');
    await app.tab.clock.fastForward('56:00');
    await app.button('Add').click();
    await app.button('Add again').click();
    await app.item('Old').nth(1).waitFor();
    expect(new Set(app.keys()).size).toBe(2);
  });

  it('is sent under the same key before that', async () => {
    await loseReplies('Young');
    await app.tab.clock.fastForward('54:00');
    await app.button('Add').click();
    await app.item('Young').waitFor();
    expect(new Set(app.keys()).size).toBe(1);
  });
});

it('says what is wrong with a name, marks the field until it is changed, and takes another text', async () => {
  await app.open();
  await app.add(' ');
  await app.alert('Must contain a character that is not white space').waitFor();
  expect(await app.field().getAttribute('aria-invalid')).toBe('true');
  const described = await app.tab.evaluate(
    "document.querySelector('#adding input').ariaDescribedByElements?.[0]?.innerText",
  );
  expect(described).toMatch('white space');
  await app.type('x');
  expect(await app.field().getAttribute('aria-invalid')).toBe('false');
  await app.button('Add').click();
  await expectOnce('x');
  expect(await app.alert(/./).count()).toBe(0);
});

it('says nothing about sending again of what was surely not added, because there is no room', async () => {
  await app.open();
  const problem = { type: 'about:blank', title: 'Insufficient Storage', status: 507, detail: 'There is no room.' };
  app.next({ method: 'POST', answer: jsonAnswer(507, problem) });
  await app.add('x');
  await app.alert(/./).waitFor();
  expect(await app.alert(/./).textContent()).toBe('There is no room.');
});

it('sends with a new key what the service has rejected because of the key', async () => {
  await app.open();
  const problem = { type: 'about:blank', code: 'idempotency-key-reused', title: 'Unprocessable Content', status: 422 };
  app.next({ method: 'POST', answer: jsonAnswer(422, { ...problem, detail: 'This key was used.' }) });
  await app.add('Another');
  await app.alert('This key was used.').waitFor();
  await app.button('Add').click();
  await expectOnce('Another');
  expect(new Set(app.keys()).size).toBe(2);
});

it.each(['no JSON', 'null', '[]', '{"owner":""}', '{"owner":"","text":7,"edits":{},"changes":[]}'])(
  'begins anew if what is kept is of another program: %s',
  async (value) => {
    await app.open();
    await app.tab.evaluate(`sessionStorage.setItem('todo-app.drafts', ${JSON.stringify(value)})`);
    await app.tab.evaluate("sessionStorage.setItem('drafts', 'of another app')");
    await app.tab.reload();
    await app.item('Item1').waitFor();
    await app.add('x');
    await expectOnce('x');
    expect(await app.tab.evaluate("sessionStorage.getItem('drafts')")).toBe('of another app');
  },
);

it('says so if the browser stores nothing for this site', async () => {
  await app.tab.addInitScript(
    "Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('Denied', 'SecurityError'); } })",
  );
  await app.tab.goto(app.url);
  await app
    .alert('Your browser stores nothing for this site, which needs that. Allow it, and load this page again.')
    .waitFor();
});

it('keeps what was typed and not sent when the page is loaded again', async () => {
  await app.open();
  await app.type('Half a sen');
  await app.tab.reload();
  await app.item('Item1').waitFor();
  expect(await app.field().inputValue()).toBe('Half a sen');
});
