import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openOperation, within } from '../support/browser/page.js';
import { jsonAnswer } from '../support/browser/scripted.js';
import { servePages } from '../support/browser/served-pages.js';
import { answerOf } from '../support/service/answer.js';
import { anItem, COLLECTION, FIRST, INVALID, OPERATIONS, TEXT } from '../support/service/resource.js';

const pages = servePages();

const focusIsIn = (page: Page, operationId: string) =>
  page.evaluate(`document.activeElement.closest('details[id]')?.id === ${JSON.stringify(operationId)}`);

const inSight = (page: Page, operationId: string) =>
  page.evaluate(`(({ top, height }) => top >= 0 && top < innerHeight - 20 && height > 0)(
    document.querySelector('details[id="${operationId}"] [role=status]').getBoundingClientRect())`);

describe('an answer', () => {
  it('begins with its status and reason, and has time, size, body, header fields and the request as it was sent', async () => {
    const { page } = await pages.shared();
    const post = await openOperation(page, OPERATIONS.create);
    const text = await post.send();
    expect(text).toMatch(/^201 Created/);
    expect(text).toMatch(/\d+ ms/);
    expect(text).toMatch(/\d+ B/);
    const { json } = await pages.service.call('GET', COLLECTION);
    expect(text).toContain(JSON.stringify(json.at(-1), null, 2));
    const all = await post.element.textContent();
    for (const part of [
      'etag: "1"',
      `location: ${COLLECTION}/${json.at(-1).key}`,
      `POST ${COLLECTION}`,
      'Content-Type: application/json',
    ]) {
      expect(all?.toLowerCase()).toContain(part.toLowerCase());
    }
  });

  it('has its body as it was sent, indented: long numbers, names that come twice and escapes too', async () => {
    const body = '{"n":12345678901234567890.10,"a":1,"a":[],"e":{},"text":"\\u0041 \\"{[,:\\\\","list":[1,{"x":null}]}';
    pages.service.answerNext(answerOf(200, { 'Content-Type': 'application/json' }, Buffer.from(body)));
    const { page } = await pages.shared();
    const text = await (await openOperation(page, OPERATIONS.list)).send();
    expect(text).toContain('"n": 12345678901234567890.10');
    expect(text).toContain(`{
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

  it.each([
    ['text that is no JSON', 'text/html', '<h1>Bad</h1>', '<h1>Bad</h1>'],
    ['JSON that is cut off', 'text/x', '[{"name":', '[{"name":'],
    ['bytes that are no text', 'application/octet-stream', '\u0000\ufffd', '\ufffd'],
  ])('shows %s as it is', async (_, type, body, shown) => {
    pages.service.answerNext(answerOf(502, { 'Content-Type': type }, Buffer.from(body)));
    const { page } = await pages.shared();
    const text = await (await openOperation(page, OPERATIONS.list)).send();
    expect(text).toMatch(/^502 Bad Gateway/);
    expect(text).toContain(shown);
  });

  it('of a problem says in words what was wrong, and where', async () => {
    const { page } = await pages.shared();
    const post = await openOperation(page, OPERATIONS.create);
    await post.field('item').fill(JSON.stringify(INVALID));
    expect(await post.send()).toMatch(/^400 Bad Request/);
    const problem = (await pages.service.call('POST', COLLECTION, { body: INVALID })).json;
    const words = (await post.status.locator(':not(pre, pre *)').allTextContents()).join(' ');
    for (const part of [problem.detail, ...problem.errors.flatMap(Object.values)]) expect(words).toContain(part);
  });

  it('304 is no error', async () => {
    const { page } = await pages.shared();
    const [{ key }] = (await pages.service.call('GET', COLLECTION)).json;
    const find = await openOperation(page, OPERATIONS.find);
    await find.field('id').fill(key);
    await find.send();
    await find.field('If-None-Match').fill('"1"');
    const text = await find.send();
    expect(text).toMatch(/^304 Not Modified/);
    expect(text).not.toMatch(/error|fail|wrong/i);
    const look = `[element, ...element.querySelectorAll('*')].map((one) => getComputedStyle(one).color)`;
    const colours = await within<string[]>(find.status, look);
    await find.field('If-None-Match').fill('1');
    expect(await find.send()).toMatch(/^400/);
    const failed = (await within<string[]>(find.status, look)).filter((colour) => !colours.includes(colour));
    expect(failed).not.toEqual([]);
  });

  it.each([
    [OPERATIONS.create, { item: JSON.stringify(anItem('a')) }],
    [OPERATIONS.create, { item: '{' }],
    [OPERATIONS.list, {}],
    [OPERATIONS.replace, { id: 'nobody', item: JSON.stringify({ key: 'nobody', ...anItem('a') }) }],
    [OPERATIONS.remove, { id: 'nobody' }],
  ])('of %s comes into sight while the focus stays: %j', async (operationId, fields) => {
    const { page } = await pages.shared();
    const operation = await openOperation(page, operationId);
    for (const [name, value] of Object.entries(fields)) await operation.field(name).fill(value);
    await operation.send();
    expect(await inSight(page, operationId)).toBe(true);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Send');
    expect(await focusIsIn(page, operationId)).toBe(true);
    await page.evaluate('scrollTo(0, 0)');
    await operation.send(() => page.keyboard.press('Control+Enter'));
    expect(await inSight(page, operationId)).toBe(true);
    expect(await focusIsIn(page, operationId)).toBe(true);
  });

  it('fits on one screen of a laptop with its operation', async () => {
    const { page } = await pages.open();
    for (const operationId of [
      OPERATIONS.create,
      OPERATIONS.list,
      OPERATIONS.find,
      OPERATIONS.patch,
      OPERATIONS.replace,
      OPERATIONS.remove,
    ]) {
      const operation = await openOperation(page, operationId);
      await operation.send();
      const { height } = (await operation.element.boundingBox()) as { height: number };
      expect([operationId, height, height <= 800]).toEqual([operationId, height, true]);
      await operation.element.locator('> summary').click();
    }
  });

  it('of 6 MB is folded: the page shows its beginning, and all of it where that is wanted', async () => {
    const items = Array.from({ length: 55_000 }, (_, index) => ({
      key: `key-${index}`,
      name: 'Walk the dog, '.repeat(5),
      done: false,
    }));
    const { page } = await pages.shared();
    const list = await openOperation(page, OPERATIONS.list);
    pages.service.answerNext(jsonAnswer(200, items));
    expect(await list.send()).toContain('"key-0"');
    expect(await list.status.textContent()).not.toContain('"key-54999"');
    expect(await within<number>(list.element, 'element.querySelectorAll("*").length')).toBeLessThan(5_000);
    await list.button('Show all').click();
    await list.status.getByText('"key-54999"').waitFor();
    expect(await focusIsIn(page, OPERATIONS.list)).toBe(true);
    expect(await within<number>(list.element, 'element.querySelectorAll("*").length')).toBeLessThan(5_000);
  });
});

describe('a list that goes on', () => {
  it('has a button for its next page, up to the last one', async () => {
    for (const name of ['a', 'b', 'c']) await pages.service.call('POST', COLLECTION, { body: anItem(name) });
    const { length } = (await pages.service.call('GET', COLLECTION)).json;
    const { page } = await pages.shared();
    pages.service.reset();
    const list = await openOperation(page, OPERATIONS.list);
    await list.field('limit').fill(String(length - 1));
    const [first] = JSON.parse(/\[.*\]/s.exec(await list.send())?.[0] as string);
    const rest = await list.send(() => list.button('Next page').click());
    const [last, ...none] = JSON.parse(/\[.*\]/s.exec(rest)?.[0] as string);
    expect([first[TEXT], last[TEXT], none]).toEqual([FIRST[TEXT], 'c', []]);
    expect(await list.button('Next page').isVisible()).toBe(false);
    expect(await focusIsIn(page, OPERATIONS.list)).toBe(true);
    expect(pages.service.received.map(({ path }) => path)).toEqual([
      `${COLLECTION}?limit=${length - 1}`,
      expect.stringMatching(new RegExp(`^${COLLECTION}\\?limit=${length - 1}&after=[-\\da-f]+$`)),
    ]);
  });

  it.each([
    '<https://evil.example.net/x>; rel="next"',
    '<javascript:alert(1)>; rel="next"',
    '<>; rel="prev next',
    '<http://[>; rel=next',
  ])('leads nowhere else, and breaks nothing, whatever its Link says: %s', async (link) => {
    const { page } = await pages.shared();
    const list = await openOperation(page, OPERATIONS.list);
    pages.service.answerNext(jsonAnswer(200, [], { Link: link }));
    expect(await list.send()).toMatch(/^200/);
    if (await list.button('Next page').isVisible()) await list.send(() => list.button('Next page').click());
    expect(pages.service.received.every(({ path }) => path.startsWith(COLLECTION))).toBe(true);
  });
});
