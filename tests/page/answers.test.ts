import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openOperation, run, until } from '../support/browser/page.js';
import { jsonAnswer, servePages } from '../support/browser/served-pages.js';
import { answerOf } from '../support/service/answer.js';

const pages = servePages();

/** Where the focus is, and whether the answer of an operation and the focus are in sight. */
const looks = (page: Page, operationId: string) =>
  run(
    page,
    `const operation = document.getElementById(given[0]);
    const { top, height } = operation.querySelector('[role=status]').getBoundingClientRect();
    return {
      focus: operation.contains(document.activeElement) && document.activeElement.textContent,
      isInSight: top >= 0 && top < innerHeight - 20 && height > 0,
      isFocusInSight: document.activeElement.getBoundingClientRect().bottom <= innerHeight,
    };`,
    operationId,
  );

describe('an answer', () => {
  it('begins with its status and reason, and has time, size, body, header fields and the request as it was sent', async () => {
    const post = await openOperation(pages.page, 'ApiParcelPost');
    const text = await post.send();
    expect(text).toMatch(/^201 Created.*\d+ ms.*\d+ B/);
    const { json } = await pages.service.call('GET', '/api/parcel');
    expect(text).toContain(JSON.stringify(json.at(-1), null, 2));
    const all = (await post.element.textContent())?.toLowerCase();
    const location = `location: /api/parcel/${json.at(-1).key}`;
    for (const part of ['etag: "1"', location, `post /api/parcel\nidempotency-key: "`]) expect(all).toContain(part);
  });

  it('has its body as it was sent, indented, with long numbers, duplicate names and escapes', async () => {
    const body = '{"n":12345678901234567890.10,"a":1,"a":[],"e":{},"text":"\\u0041 \\"{[,:\\\\","list":[1,{"x":null}]}';
    pages.service.answerNext(answerOf(200, { 'Content-Type': 'application/json' }, Buffer.from(body)));
    expect(await (await openOperation(pages.page, 'ApiParcelGet')).send()).toContain(`{
  "n": 12345678901234567890.10,
  "a": 1,
  "a": [],
  "e": {},
  "text": "\\u0041 \\"{[,:\\\\",
  "list": [
    1,
    {
      "x": null
    }
  ]
}`);
  });

  it('names the status where the connection does not, and takes the time until its last byte', async () => {
    const { page } = pages;
    // As over HTTP/2, and with a parser that takes a minute.
    await page.evaluate(`
      Object.defineProperty(Response.prototype, 'statusText', { get: () => '' });
      let now = 0;
      performance.now = () => now;
      const { parse } = JSON;
      JSON.parse = (text) => { now += 60_000; return parse(text); };`);
    const list = await openOperation(page, 'ApiParcelGet');
    const reasons = {
      429: 'Too Many Requests',
      502: 'Bad Gateway',
      503: 'Service Unavailable',
      504: 'Gateway Timeout',
    };
    for (const [status, reason] of Object.entries(reasons)) {
      pages.service.answerNext(answerOf(Number(status), {}, Buffer.from('{}')));
      expect(await list.send()).toMatch(new RegExp(`^${status} ${reason} 0 ms, 2 B`));
    }
    await pages.open();
  });

  it('304 is not shown as an error', async () => {
    const [{ key }] = (await pages.service.call('GET', '/api/parcel')).json;
    const find = await openOperation(pages.page, 'ApiParcelByIdGet');
    expect(await find.send({ id: key, 'If-None-Match': '"1"' })).toMatch(/^304 Not Modified/);
    expect(await find.status.locator('.s3').count()).toBe(1);
  });

  it('is scrolled into view while the focus stays, and stays in sight though errors at its fields move it', async () => {
    const page = await pages.open();
    const item = '{"label":" ","fragile":"yes","pieces":"many"}';
    for (const [operationId, fields] of [
      ['ApiParcelGet', {}] as const,
      ['ApiParcelByIdPatch', { id: 'x', item }] as const,
    ]) {
      const operation = await openOperation(page, operationId);
      await operation.send(fields);
      expect(await looks(page, operationId)).toEqual({ focus: 'Send', isInSight: true, isFocusInSight: true });
      await page.evaluate('scrollTo(0, 0)');
      await operation.answerTo(() => page.keyboard.press('Control+Enter'));
      expect(await looks(page, operationId)).toEqual({ focus: 'Send', isInSight: true, isFocusInSight: true });
    }
  });

  it('of a list can be copied as it was sent', async () => {
    const list = await openOperation(pages.page, 'ApiParcelGet');
    pages.service.answerNext(jsonAnswer(200, [{ label: 'copied' }]));
    await list.send();
    await pages.page.evaluate('navigator.clipboard.writeText = (text) => (window.copied = text)');
    await list.button('Copy body').click();
    expect(await pages.page.evaluate('window.copied')).toBe('[{"label":"copied"}]');
  });

  it('of 1 MB is folded: the page shows its beginning, and all of it on demand', async () => {
    const { page } = pages;
    const items = Array.from({ length: 2_000 }, (_, index) => ({ key: `key-${index}`, label: 'dog '.repeat(120) }));
    const list = await openOperation(page, 'ApiParcelGet');
    const elements = `document.querySelectorAll('#ApiParcelGet *').length`;
    pages.service.answerNext(jsonAnswer(200, items));
    const beginning = await list.send();
    expect(beginning).toContain('"key-0"');
    expect(beginning).not.toContain('"key-1999"');
    await list.button('Show all 1.0 MB').press('Enter');
    await until(page, `document.querySelector('#ApiParcelGet [role=status]').textContent.includes('"key-1999"')`);
    expect(JSON.parse((await list.status.locator('pre').textContent()) as string)).toEqual(items);
    expect(await looks(page, 'ApiParcelGet')).toMatchObject({ focus: 'Send' });
    expect(await page.evaluate(elements)).toBeLessThan(1_000);
  });
});

describe('a list that goes on', () => {
  it('has a button for its next page, up to the last one, and leaves the focus in the operation', async () => {
    for (const name of ['a', 'b', 'c']) await pages.service.call('POST', '/api/parcel', { body: { label: name } });
    const { length } = (await pages.service.call('GET', '/api/parcel')).json;
    const { page } = pages;
    pages.service.reset();
    const list = await openOperation(page, 'ApiParcelGet');
    const [first] = JSON.parse(/\[.*\]/s.exec(await list.send({ limit: `${length - 1}` }))?.[0] as string);
    const rest = await list.answerTo(() => list.button('Next page').press('Enter'));
    const [last, ...none] = JSON.parse(/\[.*\]/s.exec(rest)?.[0] as string);
    expect([first.label, last.label, none]).toEqual(['first', 'c', []]);
    expect(await list.button('Next page').isVisible()).toBe(false);
    expect(await looks(page, 'ApiParcelGet')).toMatchObject({ focus: 'Send' });
    expect(pages.service.received.map(({ path }) => path)).toEqual([
      `/api/parcel?limit=${length - 1}`,
      expect.stringMatching(new RegExp(`^/api/parcel\\?limit=${length - 1}&after=[-\\da-f]+$`)),
    ]);
  });

  it('leads nowhere else, whatever its Link says', async () => {
    const list = await openOperation(pages.page, 'ApiParcelGet');
    for (const link of ['<https://evil.example.net/x>; rel="next"', '<>; rel="prev next', '<http://[>; rel=next']) {
      pages.service.answerNext(jsonAnswer(200, [], { Link: link }));
      expect(await list.send()).toMatch(/^200/);
      expect(await list.button('Next page').isVisible()).toBe(false);
    }
  });
});
