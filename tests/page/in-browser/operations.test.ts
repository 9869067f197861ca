import { describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { type Answer, answerOf } from '../../support/service/answer.js';
import { openApi } from '../../support/service/service.js';
import { jsonAnswer, servePage } from './served-page.js';

const opened = servePage(openApi);
const { operation, run, received, answerNext, faults } = opened;

const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ path, method: method.toUpperCase(), ...described })),
);
const list = operation('ApiParcelGet');
const post = operation('ApiParcelPost');
const patch = operation('ApiParcelByIdPatch');
const remove = operation('ApiParcelByIdDelete');

const parcels = async () => (await opened.call('GET', '/api/parcel')).json;
const topOf = async (element: Locator) => (await element.boundingBox())?.y ?? Number.NaN;
const focused = (property: string) => run(`document.activeElement.${property}`);

const MARKUP = `"><img src=x onerror="window.ran=1;alert(1)"> ' onfocus='alert(1)' autofocus x=' </script><svg onload=alert(1)> $& $'`;
/** A value that JSON can have, and whose conversion to text throws. */
const NO_TEXT = { toString: 1, valueOf: 1 };

describe('the page, behind a prefix,', () => {
  it('lists all operations, closed, each with its method, path and summary, and loads nothing but what somebody opens', async () => {
    const listed = await run(
      `[...document.querySelectorAll('main section > details[id^=Api]')].map(({ id, open, firstElementChild }) => [id, open, firstElementChild.innerText.replace(/\\s+/g, ' ')])`,
    );
    expect(listed).toEqual(
      operations.map(({ operationId, method, path, summary }) => [operationId, false, `${method} ${path} ${summary}`]),
    );
    expect(await run('performance.getEntriesByType("resource").length')).toBe(0);
    const documents = await run<{ swagger?: string; openapi?: string }[]>(
      `Promise.all([...document.querySelectorAll('a[href$=".json"]')].map(async ({ href }) => (await fetch(href)).json()))`,
    );
    expect(documents.map(({ swagger, openapi }) => swagger ?? openapi)).toEqual(['2.0', '3.1.0']);
  });

  it('lets each operation be tried out by keyboard alone, on the item that was just created, with the focus visible', async () => {
    const before = await parcels();
    const statuses: string[] = [];
    for (const { operationId } of operations) {
      await tabTo(`#${operationId} > summary`);
      await opened.page.keyboard.press('Enter');
      await opened.page.waitForURL(({ hash }) => hash === `#${operationId}`);
      // All of it is in sight, or as much as fits.
      const place = `document.getElementById('${operationId}').getBoundingClientRect()`;
      expect(await run(`${place}.top < 40 || ${place}.bottom <= innerHeight`)).toBe(true);
      await tabTo(`#${operationId} button:not([type])`);
      await opened.page.keyboard.press('Space');
      statuses.push((await operation(operationId).answer()).slice(0, 3));
      expect(await focused('textContent')).toBe('Send');
    }
    expect(statuses).toEqual(['200', '201', '200', '204', '204', '204']);
    expect(await parcels()).toEqual(before);
  });

  it('opens the operation in its address, which has the one that was opened last', async () => {
    await run(`location.hash = '#ApiParcelByIdPut'`);
    await opened.page.locator('#ApiParcelByIdPut[open]').waitFor();
    // As custom domains pass on a path. Alone, it would be the URL of another host.
    await opened.page.goto(`${opened.url.replace('/tasks', '//tasks')}/swagger/ui/#ApiParcelGet`);
    expect(await run(`[...document.querySelectorAll('details[open]')].map(({ id }) => id)`)).toEqual(['ApiParcelGet']);
    expect(await list.send()).toMatch(/^200/);
    await list.element.locator('summary').first().click();
    await opened.page.waitForURL(({ pathname, hash }) => pathname === '//tasks/v2/swagger/ui' && hash === '');
  });
});

/** Presses Tab until the focus is on an element, and checks that each element on the way shows that it has the focus. */
async function tabTo(selector: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await opened.page.keyboard.press('Tab');
    const { isFound, ...seen } = await run<{ isFound: boolean }>(`(() => {
      const focused = document.activeElement;
      const { outlineStyle, outlineWidth } = getComputedStyle(focused);
      const { top, bottom, width, height } = focused.getBoundingClientRect();
      const isSeen = width > 0 && height > 0 && bottom > 0 && top < innerHeight;
      return { isFound: focused.matches('${selector}'), isSeen, outline: outlineStyle + ' ' + outlineWidth };
    })()`);
    expect(seen).toEqual({ isSeen: true, outline: 'solid 2px' });
    if (isFound) return;
  }
  throw new Error(`The Tab key does not lead to ${selector}.`);
}

describe('a request', () => {
  it('is sent once, however often somebody clicks or holds a key down, although the answer is there', async () => {
    const { mouse, keyboard } = opened.page;
    await post.open();
    await post.button('Send').hover();
    for (const clickCount of [1, 2, 3]) {
      await mouse.down({ clickCount });
      await mouse.up({ clickCount });
      await post.answer();
    }
    expect(received.map(({ method }) => method)).toEqual(['POST']);
    for (const keys of [['Enter'], ['Control', 'Enter'], ['Meta', 'Enter']]) {
      for (let repeats = 0; repeats < 3; repeats += 1) {
        for (const key of keys) await keyboard.down(key);
        await post.answer();
      }
      for (const key of keys) await keyboard.up(key);
    }
    expect(received.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'POST']);
  });

  it('that is under way is not sent again, and leaves the focus where somebody puts it', async () => {
    let answer: (answer: Answer) => void = () => {};
    answerNext(new Promise((resolve) => (answer = resolve)));
    await post.open();
    for (const keys of ['Meta+Enter', 'Control+Enter']) await post.field('item').press(keys);
    await post.button('Send').click();
    await post.field('Accept').focus();
    answer(jsonAnswer(201, { key: 'k' }));
    expect(await post.answer()).toMatch(/^201/);
    expect(received.map(({ method }) => method)).toEqual(['POST']);
    expect(await focused('name')).toBe('Accept');
  });

  it('that is sent again has no former answer beside it, and can be cancelled', async () => {
    await list.send();
    answerNext(new Promise(() => {}));
    await list.button('Send').click();
    expect(await list.button('Copy body').isVisible()).toBe(false);
    await list.button('Cancel').click();
    expect(await list.answer()).toBe('Cancelled.');
    expect(await list.button('Cancel').isVisible()).toBe(false);
    expect(await focused('textContent')).toBe('Send');
  });

  it('whose answer was lost keeps its Idempotency-Key until it succeeds or somebody empties the field, and the page asks before it is left', async () => {
    const key = () => post.field('Idempotency-Key').inputValue();
    answerNext(jsonAnswer(502, {}));
    await opened.page.route('**/api/parcel', (route) => route.abort('connectionreset'), { times: 1 });
    expect(await post.send({ item: '{"label":"a"}' })).toMatch(/^No answer: .* Idempotency-Key/);
    expect(await post.send()).toMatch(/^502/);
    const first = await key();
    const asked = opened.page.waitForEvent('dialog');
    await run('void location.reload()');
    await asked;
    expect(faults.splice(0)).toEqual(['beforeunload']);
    await post.field('item').fill('{"label":"b"}');
    await post.field('item').fill('{"label":"a"}');
    await post.field('item').press('Control+Enter');
    expect(await post.answer()).toMatch(/^201/);
    expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual([first, first]);
    expect(await key()).toBe('');
    answerNext(jsonAnswer(503, {}));
    await post.send();
    await post.field('Idempotency-Key').fill('');
    expect(await key()).toBe('');
  });

  it('that no browser can send says why, and gets the focus', async () => {
    await remove.open();
    await remove.field('id').fill('nobody');
    await remove.field('If-Match').fill('“1”');
    await remove.button('Send').click();
    const told = { isInvalid: true, hasFocus: true, description: expect.stringMatching(/^Nothing is sent/) };
    expect(await remove.announced('If-Match')).toMatchObject(told);
    expect(received).toEqual([]);
    expect(await remove.send({ 'If-Match': '"1"' })).toMatch(/^404/);
    expect(await remove.announced('If-Match')).toMatchObject({ isInvalid: false });
  });
});

describe('an answer', () => {
  it('begins with its status and reason, and has the time, the body, the header fields and the request', async () => {
    expect(await post.send({ item: '{"label":"a"}' })).toMatch(/^201 Created \d+ ms\s*\{\n {2}"key": "/);
    for (const part of ['etag: "1"', '--header \'Idempotency-Key: "'])
      expect(await post.element.textContent()).toContain(part);
    // A screen reader does not read it out by itself.
    expect(await run(`document.querySelector('#ApiParcelPost [role=status] pre').ariaLive`)).toBe('off');
    // HTTP/2 has no reasons.
    await run(`void Object.defineProperty(Response.prototype, 'statusText', { get: () => '' })`);
    answerNext(jsonAnswer(503, {}), jsonAnswer(418, { title: 'Short', detail: NO_TEXT }));
    expect(await list.send()).toMatch(/^503 Service Unavailable/);
    expect(await list.send()).toMatch(/^418 Short/);
  });

  it('marks the fields that it says are wrong, until somebody changes them', async () => {
    expect(await list.send({ limit: '0', after: 'nobody' })).toMatch(/^400 Bad Request/);
    for (const name of ['limit', 'after']) {
      const marked = { isInvalid: true, description: expect.stringMatching(/^Must be/) };
      expect(await list.announced(name)).toMatchObject(marked);
      await list.field(name).fill('');
      expect(await list.announced(name)).toMatchObject({ isInvalid: false });
    }
    for (const [item, description] of [
      ['{"', /^The body is not valid JSON/],
      ['[]', /^The body is an array/],
      ['{"label":" ","fragile":"yes"}', /^#\/label Must .*\n#\/fragile Must be true or false; got "yes"\./],
    ] as const) {
      expect(await post.send({ item })).toMatch(/^400/);
      const marked = { isInvalid: true, description: expect.stringMatching(description) };
      expect(await post.announced('item')).toMatchObject(marked);
    }
  });

  it('comes into sight while the focus stays, in a box as high as the window allows', async () => {
    const items = Array.from({ length: 300 }, (_, index) => ({ key: `key-${index}`, label: `item ${index}` }));
    await patch.open();
    await patch.field('id').fill('x');
    await patch.field('item').fill('{"label":" ","fragile":"yes","pieces":"many"}');
    for (const height of [600, 1_200]) {
      await opened.page.setViewportSize({ width: 1_280, height });
      answerNext(jsonAnswer(200, items));
      await list.send();
      const box = await run<number>(`document.querySelector('#ApiParcelGet [role=status] pre').clientHeight`);
      expect([box > height - 260, box < height]).toEqual([true, true]);
      // The errors at the field push the button out of the window.
      await patch.button('Send').focus();
      await run(`document.activeElement.scrollIntoView({ block: 'end' })`);
      await opened.page.keyboard.press('Enter');
      await patch.answer();
      const [answer, button] = [await topOf(patch.element.getByRole('status')), await topOf(patch.button('Send'))];
      // Where not both fit into the window, the answer does.
      const seen = { answer: answer >= 0 && answer < height - 20, button: button < height };
      expect([seen, await focused('textContent')]).toEqual([{ answer: true, button: height > 600 }, 'Send']);
    }
  });

  it('of 1 MB shows its beginning, formatted, and is copied as a whole', async () => {
    const items = Array.from({ length: 2_000 }, (_, index) => ({ key: `key-${index}`, label: 'dog '.repeat(120) }));
    answerNext(jsonAnswer(200, items));
    const text = await list.send();
    expect(text).toContain('[\n  {\n    "key": "key-0"');
    expect(text).toMatch(/Copy body takes all\.$/);
    expect(text.length).toBeLessThan(201_000);
    await run('void (navigator.clipboard.writeText = async (text) => { window.copied = text; })');
    await list.button('Copy body').click();
    expect(JSON.parse(await run('window.copied'))).toEqual(items);
  });

  it.each([
    ['an item', jsonAnswer(201, { [MARKUP]: [MARKUP] }, { ETag: '"<img>"' }), JSON.stringify(MARKUP)],
    ['a problem', jsonAnswer(400, { detail: MARKUP, errors: [{ pointer: MARKUP, detail: NO_TEXT }, null] }), MARKUP],
    ['text', answerOf(502, { 'Content-Type': 'text/html' }, Buffer.from(MARKUP)), MARKUP],
  ])('with markup in %s is shown as it is, and runs nothing', async (_, answer, shown) => {
    answerNext(answer);
    expect(await post.send()).toContain(shown);
    expect(
      await run(`window.ran ?? document.querySelectorAll('[role=status] :is(img, svg, script, [onfocus])').length`),
    ).toBe(0);
  });
});

it('a list that goes on has a button for its next page, up to the last one, and leaves the focus in the operation', async () => {
  for (const label of ['a', 'b']) await opened.call('POST', '/api/parcel', { body: { label } });
  const { length } = await parcels();
  await list.send({ limit: `${length - 1}` });
  await list.button('Next page').press('Enter');
  expect(await list.answer()).toContain('"label": "b"');
  expect(await list.button('Next page').isVisible()).toBe(false);
  expect(await focused('textContent')).toBe('Send');
  expect(received.at(-1)?.path).toMatch(new RegExp(`^/api/parcel\\?limit=${length - 1}&after=[-\\da-f]+$`));
});

it('an item that was just created is filled in where nobody typed, with its entity tag for If-Match', async () => {
  await remove.open();
  await remove.field('id').fill('typed');
  await post.send({ item: '{"label":"a"}' });
  const { key } = (await parcels()).at(-1);
  expect([await patch.field('id').inputValue(), await remove.field('id').inputValue()]).toEqual([key, 'typed']);
  await patch.open();
  await patch.button('Use "1"').click();
  expect(await patch.announced('If-Match')).toMatchObject({ hasFocus: true });
  expect(await patch.button(/^Use "/).isVisible()).toBe(false);
});

it('Copy as curl copies the command, says so until a field changes, and says when the browser does not let it', async () => {
  await list.open();
  const said = list.element.locator('[aria-live=polite]').filter({ hasText: /./ });
  await run('void (navigator.clipboard.writeText = async (text) => { window.copied = text; })');
  await list.button('Copy as curl').click();
  expect(await said.textContent()).toBe('Copied');
  expect(await run('window.copied')).toMatch(/^curl .*\/tasks\/v2\/api\/parcel/);
  await list.field('limit').fill('1');
  expect(await said.count()).toBe(0);
  await run('void (navigator.clipboard.writeText = () => Promise.reject(new Error()))');
  await list.button('Copy as curl').click();
  expect(await said.textContent()).toMatch(/does not let the page copy/);
  expect(received).toEqual([]);
});
