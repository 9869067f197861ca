import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import { type Answer, answerOf } from '../../support/service/answer.js';
import { answers, call, faults, jsonAnswer, operation, page, received, run, url } from './served-page.js';

const list = operation('ApiParcelGet');
const post = operation('ApiParcelPost');
const find = operation('ApiParcelByIdGet');
const put = operation('ApiParcelByIdPut');
const patch = operation('ApiParcelByIdPatch');
const remove = operation('ApiParcelByIdDelete');

const parcels = async () => (await call('GET', '/api/parcel')).json;
const focused = (property: string) => run(`document.activeElement.${property}`);

const MARKUP = `"><img src=x onerror="window.ran=1;alert(1)"> ' onfocus='alert(1)' autofocus x=' </script><svg onload=alert(1)> $& $'`;
/** JSON can contain this value, although its conversion to text throws. */
const NO_TEXT = { toString: 1, valueOf: 1 };

describe('the page, behind a prefix,', () => {
  it('loads nothing by itself, and links to both documents', async () => {
    expect(await run('performance.getEntriesByType("resource").length')).toBe(0);
    const documents = await run<{ swagger?: string; openapi?: string }[]>(
      `Promise.all([...document.querySelectorAll('a[href$=".json"]')].map(async ({ href }) => (await fetch(href)).json()))`,
    );
    expect(documents.map(({ swagger, openapi }) => swagger ?? openapi)).toEqual(['2.0', '3.1.0']);
  });

  it('lets somebody try out each operation with the keyboard only, and shows the focus', async () => {
    const before = await parcels();
    const statuses: string[] = [];
    for (const { id, answer } of [list, post, find, put, patch, remove]) {
      await tabTo(`#${id} > summary`);
      await page.keyboard.press('Enter');
      await page.waitForURL(({ hash }) => hash === `#${id}`);
      // All of it is in sight, or as much as fits.
      const place = `document.getElementById('${id}').getBoundingClientRect()`;
      expect(await run(`${place}.top < 40 || ${place}.bottom <= innerHeight`)).toBe(true);
      await tabTo(`#${id} button:not([type])`);
      await page.keyboard.press('Space');
      statuses.push((await answer()).slice(0, 3));
      expect(await focused('textContent')).toBe('Send');
    }
    expect(statuses).toEqual(['200', '201', '200', '204', '204', '204']);
    expect(await parcels()).toEqual(before);
  });

  it('opens the operation that its address names, and names the one that was opened last', async () => {
    await run(`location.hash = '#ApiParcelByIdPut'`);
    await page.locator('#ApiParcelByIdPut[open]').waitFor();
    // Custom domains pass on such a path. Without an origin, it would be the URL of another host.
    await page.goto(`${url.replace('/tasks', '//tasks')}/swagger/ui/#ApiParcelGet`);
    expect(await run(`[...document.querySelectorAll('details[open]')].map(({ id }) => id)`)).toEqual(['ApiParcelGet']);
    expect(await list.send()).toMatch(/^200/);
    await list.element.locator('summary').first().click();
    await page.waitForURL(({ pathname, hash }) => pathname === '//tasks/v2/swagger/ui' && hash === '');
  });
});

/** Presses Tab until the focus is on an element, and checks that each element on the way shows that it has the focus. */
async function tabTo(selector: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
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
  it('is sent once, even if somebody clicks several times or holds a key down', async () => {
    const { mouse, keyboard } = page;
    await post.open();
    await post.button('Send').hover();
    for (const clickCount of [1, 2, 3]) {
      await mouse.down({ clickCount });
      await mouse.up({ clickCount });
      await post.answer();
    }
    expect(received.map(({ method }) => method)).toEqual(['POST']);
    for (const keys of [['Enter'], ['Control', 'Enter'], ['Meta', 'Enter']]) {
      for (const key of keys) await keyboard.down(key);
      await post.answer();
      await keyboard.down('Enter');
      await post.answer();
      for (const key of keys) await keyboard.up(key);
    }
    expect(received.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'POST']);
  });

  it('that is under way is not sent again, leaves the focus where somebody puts it, and can be cancelled', async () => {
    let answer: (answer: Answer) => void = () => {};
    await post.send();
    answers.push(new Promise((resolve) => (answer = resolve)), new Promise(() => {}));
    for (const keys of ['Meta+Enter', 'Control+Enter']) await post.field('item').press(keys);
    await post.button('Send').click();
    // The former answer is gone, and its buttons.
    expect(await post.button('Copy body').isVisible()).toBe(false);
    await post.field('Accept').focus();
    answer(jsonAnswer(201, { key: 'k' }));
    expect(await post.answer()).toMatch(/^201/);
    expect(await focused('name')).toBe('Accept');
    await post.button('Send').click();
    await post.button('Cancel').click();
    expect(await post.answer()).toMatch(/^Cancelled\./);
    expect(await post.button('Cancel').isVisible()).toBe(false);
    expect(await focused('textContent')).toBe('Send');
    expect(received.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST']);
  });

  it('whose answer was lost keeps its Idempotency-Key until it succeeds or somebody empties the field, and the page asks before it is left', async () => {
    const key = () => post.field('Idempotency-Key').inputValue();
    answers.push(jsonAnswer(502, {}));
    await page.route('**/api/parcel', (route) => route.abort('connectionreset'), { times: 1 });
    expect(await post.send({ item: '{"label":"a"}' })).toMatch(/^No answer: .* Idempotency-Key/);
    expect(await post.send()).toMatch(/^502/);
    const first = await key();
    const asked = page.waitForEvent('dialog');
    await run('void location.reload()');
    await asked;
    expect(faults.splice(0)).toEqual(['beforeunload']);
    await post.field('item').fill('{"label":"b"}');
    expect(await key()).toBe('');
    await post.field('item').fill('{"label":"a"}');
    await post.field('item').press('Control+Enter');
    expect(await post.answer()).toMatch(/^201/);
    expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual([first, first]);
    expect(await key()).toBe('');
    answers.push(jsonAnswer(503, {}));
    await post.send();
    await post.field('Idempotency-Key').fill('');
    expect(await key()).toBe('');
  });

  it('that no browser can send says why at a field, and puts the focus there', async () => {
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
  it('shows its status, reason and time, the body, the header fields and the request', async () => {
    expect(await post.send({ item: '{"label":"a"}' })).toMatch(/^201 Created \d+ ms\s*\{\n {2}"key": "/);
    for (const part of ['etag: "1"', '--header \'Idempotency-Key: "'])
      expect(await post.element.textContent()).toContain(part);
    // A screen reader does not read the body out by itself.
    expect(await run(`document.querySelector('#ApiParcelPost [role=status] pre').ariaLive`)).toBe('off');
    // HTTP/2 has no reasons.
    await run(`void Object.defineProperty(Response.prototype, 'statusText', { get: () => '' })`);
    answers.push(jsonAnswer(503, {}), jsonAnswer(418, { title: 'Short', detail: NO_TEXT }));
    expect(await list.send()).toMatch(/^503 Service Unavailable/);
    expect(await list.send()).toMatch(/^418 Short/);
  });

  it('marks the fields that are wrong, until somebody changes them', async () => {
    expect(await list.send({ limit: '0', after: 'nobody' })).toMatch(/^400 Bad Request/);
    for (const name of ['limit', 'after']) {
      const marked = { isInvalid: true, description: expect.stringMatching(/^Must be/) };
      expect(await list.announced(name)).toMatchObject(marked);
      await list.field(name).fill('');
      expect(await list.announced(name)).toMatchObject({ isInvalid: false });
    }
    for (const [item, description] of [
      ['{"', /^The body is not valid JSON/],
      ['{"label":" ","fragile":"yes"}', /^#\/label Must .*\n#\/fragile Must be true or false; got "yes"\./],
    ] as const) {
      expect(await post.send({ item })).toMatch(/^400/);
      const marked = { isInvalid: true, description: expect.stringMatching(description) };
      expect(await post.announced('item')).toMatchObject(marked);
    }
  });

  it('comes into sight while the focus stays, in a box as high as the window allows', async () => {
    await page.setViewportSize({ width: 1280, height: 600 });
    answers.push(jsonAnswer(200, Array(40).fill({ key: 'a', label: 'b' })));
    await list.send();
    const box = await run(`document.querySelector('#ApiParcelGet [role=status] pre').clientHeight`);
    expect(box).toBeGreaterThan(340);
    expect(box).toBeLessThan(600);
    await patch.open();
    await patch.field('id').fill('x');
    await patch.field('item').fill('{"label":" ","fragile":"yes","pieces":"many"}');
    // The errors at the field push the button, which is at the lower end of the window, out of it.
    await patch.button('Send').focus();
    await run(`document.activeElement.scrollIntoView({ block: 'end' })`);
    await page.keyboard.press('Enter');
    await patch.answer();
    const answer = await patch.element.getByRole('status').boundingBox();
    expect(answer?.y).toBeGreaterThanOrEqual(0);
    expect(answer?.y).toBeLessThan(580);
    expect(await focused('textContent')).toBe('Send');
  });

  it('of 1 MB shows its beginning, formatted, and is copied as a whole', async () => {
    const items = Array.from({ length: 2_000 }, (_, index) => ({ key: `key-${index}`, label: 'dog '.repeat(120) }));
    answers.push(jsonAnswer(200, items));
    const text = await list.send();
    expect(text).toContain('[\n  {\n    "key": "key-0"');
    expect(text).toMatch(/Copy body copies all of it\.$/);
    expect(text.length).toBeLessThan(201_000);
    await run('void (navigator.clipboard.writeText = async (text) => { window.copied = text; })');
    await list.button('Copy body').click();
    expect(JSON.parse(await run('window.copied'))).toEqual(items);
  });

  it('that contains markup is shown as text, and runs nothing', async () => {
    for (const [answer, shown] of [
      [jsonAnswer(201, { [MARKUP]: [MARKUP] }, { ETag: '"<img>"' }), JSON.stringify(MARKUP)],
      [jsonAnswer(400, { detail: MARKUP, errors: [{ pointer: MARKUP, detail: NO_TEXT }, null] }), MARKUP],
      [answerOf(502, { 'Content-Type': 'text/html' }, Buffer.from(MARKUP)), MARKUP],
    ] as const) {
      answers.push(answer);
      expect(await post.send()).toContain(shown);
      const made = `document.querySelectorAll('[role=status] :is(img, svg, script, [onfocus])').length`;
      expect(await run(`window.ran ?? ${made}`)).toBe(0);
    }
  });
});

it('a list that goes on has a button for its next page, up to the last one, and leaves the focus in the operation', async () => {
  for (const label of ['a', 'b']) await call('POST', '/api/parcel', { body: { label } });
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

it('Copy as curl copies the command, says so until a field changes, and says if the browser refuses', async () => {
  await list.open();
  const note = list.element.locator('[aria-live=polite]').filter({ hasText: /./ });
  await run('void (navigator.clipboard.writeText = async (text) => { window.copied = text; })');
  await list.button('Copy as curl').click();
  expect(await note.textContent()).toBe('Copied');
  expect(await run('window.copied')).toMatch(/^curl .*\/tasks\/v2\/api\/parcel/);
  await list.field('limit').fill('1');
  expect(await note.count()).toBe(0);
  await run('void (navigator.clipboard.writeText = () => Promise.reject(new Error()))');
  await list.button('Copy as curl').click();
  expect(await note.textContent()).toMatch(/does not let the page copy/);
  expect(received).toEqual([]);
});

it('axe finds no fault in the page, in a light scheme at a desk or in a dark one on a phone', async () => {
  await page.goto(`${url}/swagger/with-tokens`);
  // Operations that are answered, rejected, under way, and not sent.
  await post.send();
  await put.send({ item: '{"label":" ","fragile":"yes"}' });
  answers.push(jsonAnswer(503, {}), jsonAnswer(401, {}), new Promise(() => {}));
  await remove.send();
  await list.send();
  await patch.open();
  await patch.button('Send').click();
  await find.open();
  await find.field('id').fill('');
  await find.button('Send').click();
  await run(`document.querySelectorAll('details').forEach((one) => (one.open = true))`);
  expect(await run(LOOSE_TEXTS)).toEqual([]);
  await run(readFileSync('node_modules/axe-core/axe.min.js', 'utf8'));
  for (const [colorScheme, width, background, runOnly] of [
    ['light', 1280, /^rgb\(2\d\d, 2\d\d, 2\d\d\)/, ALL_RULES],
    ['dark', 360, /^rgb\(\d\d, \d\d, \d\d\)/, VISUAL_RULES],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 640 });
    expect(await run('getComputedStyle(document.documentElement).backgroundColor')).toMatch(background);
    // Collecting what is in order, too, would take three times as long.
    const options = JSON.stringify({ runOnly, resultTypes: ['violations'] });
    const { violations } = await run<AxeResults>(`axe.run(document, ${options})`);
    const found = violations.map(({ id, nodes }) => [id, nodes.map((node) => [node.target, node.failureSummary])]);
    expect([colorScheme, found]).toEqual([colorScheme, []]);
  }
});

it('long words cause no horizontal scroll bar, and no control is too low for a finger, at a desk, at 400 % zoom or with large text', async () => {
  await page.goto(`${url}/swagger/with-tokens`);
  const word = 'long'.repeat(100);
  answers.push(
    jsonAnswer(200, Array(20).fill({ key: word, [word]: [word] }), { 'X-Long': word }),
    jsonAnswer(400, { title: word, detail: word, errors: [{ pointer: word, detail: word }] }),
  );
  await list.send();
  await find.send({ id: word });
  // With the buttons that are hidden at first.
  await run(`document.querySelectorAll('details, button').forEach((one) => { one.open = true; one.hidden = false; })`);
  for (const [width, fontSize] of [
    [1280, '100%'],
    [320, '100%'],
    [360, '200%'],
  ] as const) {
    await page.setViewportSize({ width, height: 640 });
    await run(`document.documentElement.style.fontSize = '${fontSize}'`);
    expect([width, fontSize, await run(`[${OVERFLOW}, ${LOW_CONTROLS}]`)]).toEqual([width, fontSize, [[], []]]);
  }
});

it('a 401 asks for the token, which is kept nowhere: not in storage, in the address, in what is shown, or after a reload', async () => {
  await page.goto(`${url}/swagger/with-tokens`);
  const token = page.getByLabel('Token', { exact: true });
  for (const needed of ['a token', 'another token']) {
    answers.push(jsonAnswer(401, { title: 'Unauthorized', detail: 'The token has expired.' }));
    expect(await list.send()).toMatch(
      new RegExp(`^401 .*The token has expired\\.\\s*Put ${needed} into the field Token`),
    );
    expect(await token.getAttribute('aria-invalid')).toBe('true');
    await token.fill('“abc”');
    await list.button('Send').click();
    expect(await focused('id')).toBe('token');
    await token.fill('secret');
  }
  expect(received.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer secret']);
  const kept = '[{ ...sessionStorage }, { ...localStorage }, document.cookie, location.href, document.body.innerHTML]';
  expect(JSON.stringify(await run(kept))).not.toContain('secret');
  await page.reload();
  expect(await token.inputValue()).toBe('');
});

const ALL_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The other rules find the same in any scheme and at any width. */
const VISUAL_RULES = ['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable'];

/** Elements that are wider than the window and don't scroll by themselves. */
const OVERFLOW = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth > clientWidth ? [...document.querySelectorAll('body *')]
    .filter((one) => one.getBoundingClientRect().right > clientWidth + 1).map((one) => one.outerHTML.slice(0, 120)) : [];
})()`;

/** Controls lower than 24 pixels (WCAG 2.2, 2.5.8). axe also accepts lower ones if they are far enough apart. */
const LOW_CONTROLS = `[...document.querySelectorAll('summary, button, input:not([type=hidden]), select, textarea')]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 24).map((one) => one.outerHTML)`;

/** Texts beside elements in flex boxes. Firefox makes each an item of its own, also around a `wbr`; Chromium doesn't. */
const LOOSE_TEXTS = `[...document.querySelectorAll('body *')].filter((one) => getComputedStyle(one).display.endsWith('flex'))
  .flatMap(({ childNodes }) => [...childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() && childNodes.length > 1))
  .map((node) => node.data)`;
