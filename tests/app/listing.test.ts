import { describe, expect, it } from '@jest/globals';
import { gate, serveApp } from '../support/browser/app.js';
import { until } from '../support/browser/page.js';
import { jsonAnswer } from '../support/browser/served-pages.js';
import { answerOf } from '../support/service/answer.js';

const app = serveApp();
const GET = 'GET';
const unavailable = (seconds: number) => {
  const problem = { type: 'about:blank', title: 'Service Unavailable', status: 503, detail: 'Not now.' };
  return jsonAnswer(503, problem, { 'Retry-After': String(seconds) });
};
const showDone = () => app.tab.getByLabel('Show what is done');

describe('the list', () => {
  it('shows what is open, from all of its pages, whatever prefix their links have; and what is done, if somebody wants that', async () => {
    await app.has('Second', 'Third', 'Fourth', 'Fifth');
    await app.call('PATCH', await app.keyOf('Third'), { body: { isComplete: true } });
    await app.open();
    expect(await app.names()).toEqual(['Item1', 'Second', 'Fourth', 'Fifth']);
    expect(app.sent(GET).every(({ path }) => path.startsWith('/api/todo?isComplete=false'))).toBe(true);
    await showDone().check();
    await app.item('Third').waitFor();
    expect(await app.names()).toEqual(['Item1', 'Second', 'Third', 'Fourth', 'Fifth']);
    expect(await app.box('Third').isChecked()).toBe(true);
  });

  it('says so if it is empty', async () => {
    await app.call('DELETE', await app.keyOf('Item1'));
    await app.open();
    await app.tab.getByText('Nothing to do.').waitFor();
    await app.add('Something');
    await app.item('Something').waitFor();
    expect(await app.tab.getByText('Nothing to do.').isVisible()).toBe(false);
  });

  it('is asked for again when the tab is shown again, with the entity tag of the one that the browser has', async () => {
    await app.open();
    await app.has('From elsewhere');
    app.received.splice(0);
    await app.tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await app.item('From elsewhere').waitFor();
    expect(app.sent(GET)[0]?.headers['if-none-match']).toMatch(/^"/);
  });

  it('is the one that was asked for last, even if another one comes later', async () => {
    await app.has('Second');
    await app.call('PATCH', await app.keyOf('Second'), { body: { isComplete: true } });
    await app.open();
    const late = gate();
    app.next({ method: GET, after: late.closed });
    await showDone().check();
    await showDone().uncheck();
    await until(app.tab, 'document.querySelector("ul").ariaBusy === "false"');
    late.open();
    await app.tab.waitForTimeout(300);
    expect(await app.names()).toEqual(['Item1']);
  });

  it('has what was added while it was on its way', async () => {
    await app.open();
    const late = gate();
    app.next({ method: GET, after: late.closed });
    await showDone().check();
    await app.add('New');
    await app.item('New').waitFor();
    late.open();
    await until(app.tab, 'document.querySelector("ul").ariaBusy === "false"');
    expect(await app.names()).toEqual(['Item1', 'New']);
  });

  it('keeps a ticked item in sight until it is asked for again, so that nothing moves under the pointer', async () => {
    await app.has('Second');
    await app.open();
    await app.box('Item1').check();
    while (!(await app.list())[0]?.isComplete) await app.tab.waitForTimeout(10);
    expect(await app.names()).toEqual(['Item1', 'Second']);
    await app.tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await app.item('Item1').waitFor({ state: 'detached' });
    expect(await app.tab.evaluate('document.activeElement.closest("li")?.innerText')).toMatch('Second');
  });

  it('has 3,000 items, and one of them is ticked, edited and deleted like any other', async () => {
    const item = (number: number) => ({
      key: `019aa5f2-7c4e-7a31-9d05-${String(number).padStart(12, '0')}`,
      name: `Item ${number}.`,
      isComplete: false,
    });
    app.next({
      method: GET,
      answer: jsonAnswer(
        200,
        Array.from({ length: 3_000 }, (_, index) => item(index)),
      ),
    });
    await app.open();
    expect(await app.tab.getByRole('listitem').count()).toBe(3_000);
    app.next({ method: 'DELETE', answer: answerOf(204, {}, Buffer.alloc(0)) });
    await app.button('Delete Item 2998.').click();
    await app.button('Delete').click();
    await app.item('Item 2998.').waitFor({ state: 'detached' });
    await app.add('The last one');
    await app.item('The last one').waitFor();
    expect(await app.tab.evaluate(IS_IN_SIGHT)).toBe(true);
  });
});

const IS_IN_SIGHT = `document.querySelector('li:last-child').getBoundingClientRect().bottom <= innerHeight`;

describe('if the list can not be had at once', () => {
  it('it is asked for again, as often as three times, when the service wants that', async () => {
    await app.tab.clock.install();
    app.next({ method: GET, answer: unavailable(5) }, { method: GET, answer: 'lost' });
    await app.tab.goto(app.url);
    await app.runUntil(() => app.sent(GET).length >= 3);
    await app.item('Item1').waitFor();
    expect(await app.alert(/./).count()).toBe(0);
  });

  it('it says so after that, and tries again if somebody wants that', async () => {
    await app.tab.clock.install();
    app.next(...Array.from({ length: 3 }, () => ({ method: GET, answer: unavailable(1) })));
    await app.tab.goto(app.url);
    await app.runUntil(() => app.sent(GET).length === 3);
    await app.alert('Not now.').waitFor();
    await app.button('Try again').click();
    await app.item('Item1').waitFor();
    expect(await app.alert(/./).count()).toBe(0);
  });

  it('a second is between the first two attempts if the service names no time, and then two', async () => {
    await app.tab.clock.install();
    const { status, content } = unavailable(0);
    const answer = answerOf(status, { 'content-type': 'application/problem+json' }, content);
    app.next({ method: GET, answer }, { method: GET, answer });
    await app.tab.goto(app.url);
    const times: number[] = [];
    for (const count of [1, 2, 3]) {
      while (app.sent(GET).length < count) await app.tab.clock.runFor(20);
      times.push(Number(await app.tab.evaluate('Date.now()')));
    }
    const [first = 0, second = 0, third = 0] = times;
    expect(second - first).toBeGreaterThanOrEqual(900);
    expect(third - second).toBeGreaterThanOrEqual(1_900);
    await app.item('Item1').waitFor();
  });

  it('it is not said to be empty, as only a list that has come can be', async () => {
    const problem = jsonAnswer(401, { type: 'about:blank', title: 'Unauthorized', status: 401, detail: 'No.' });
    app.next({ method: GET, answer: problem });
    await app.tab.goto(app.url);
    await app.alert('No.').waitFor();
    expect(await app.tab.getByText('Nothing to do.').isVisible()).toBe(false);
    await app.call('DELETE', await app.keyOf('Item1'));
    await app.button('Try again').click();
    await app.tab.getByText('Nothing to do.').waitFor();
  });

  it('nothing is said any more once the list has come by itself', async () => {
    app.next({
      method: GET,
      answer: jsonAnswer(400, { type: 'about:blank', title: 'Bad', status: 400, detail: 'No.' }),
    });
    await app.tab.goto(app.url);
    await app.alert('No.').waitFor();
    await app.tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await app.item('Item1').waitFor();
    expect(await app.alert(/./).count()).toBe(0);
  });

  it('an answer that does not come is not waited for longer than half a minute', async () => {
    await app.tab.clock.install();
    const never = gate();
    app.next({ method: GET, after: never.closed });
    await app.tab.goto(app.url);
    while (app.sent(GET).length < 1) await app.tab.waitForTimeout(10);
    const begun = Number(await app.tab.evaluate('Date.now()'));
    await app.tab.clock.runFor(29_000);
    expect(app.sent(GET)).toHaveLength(1);
    await app.runUntil(() => app.sent(GET).length > 1);
    expect(Number(await app.tab.evaluate('Date.now()')) - begun).toBeLessThan(60_000);
    never.open();
    await app.item('Item1').waitFor();
  });

  it('nor one whose end does not come', async () => {
    await app.tab.clock.install();
    let begun = false;
    await app.tab.route(`${app.service}/api/todo**`, async (route) => {
      if (begun) return route.continue();
      begun = true;
      return undefined;
    });
    await app.tab.goto(app.url);
    await app.runUntil(() => app.sent(GET).length > 0);
    await app.item('Item1').waitFor();
  });

  it('what something else answers is not taken for a list', async () => {
    app.next({ method: GET, answer: answerOf(200, { 'content-type': 'text/html' }, Buffer.from('<h1>Hotel</h1>')) });
    await app.tab.goto(app.url);
    await app.alert('Something else than the service answered.').waitFor();
  });

  it('the reason of a problem without details is its status', async () => {
    const answer = answerOf(403, { 'content-type': 'text/html' }, Buffer.from('<h1>Forbidden</h1>'));
    app.next({ method: GET, answer }, { method: GET, answer: answerOf(400, {}, Buffer.alloc(0)) });
    await app.tab.goto(app.url);
    await app.alert('The service answered 403.').waitFor();
    await app.button('Try again').click();
    await app.alert('The service answered 400.').waitFor();
  });

  it('a failure of the service is named, so that its operator finds the reason', async () => {
    const problem = { type: 'about:blank', title: 'Internal Server Error', status: 500, requestId: 'request-7' };
    app.next({ method: GET, answer: jsonAnswer(500, problem) });
    await app.tab.goto(app.url);
    await app.alert('The service answered 500. Its operator finds the reason under request-7.').waitFor();
  });
});
