import { describe, expect, it } from '@jest/globals';
import { parcelsDocument } from '../../support/browser/documents.js';
import { jsonAnswer, servePage } from '../../support/browser/served-page.js';
import { type Answer, answerOf } from '../../support/service/answer.js';
import { parcel } from '../../support/service/parcels.js';

const opened = servePage({ prefix: '/tasks/v2' });
const { operation, run, received, answerNext, faults } = opened;

const operations = Object.entries(parcelsDocument.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ path, method: method.toUpperCase(), ...described })),
);
const list = operation('ApiParcelGet');
const post = operation('ApiParcelPost');

const focus = () => run<string>('document.activeElement.textContent');

/** An answer that is given later. */
function held(answer: Answer) {
  let give = () => {};
  answerNext(new Promise((resolve) => (give = () => resolve(answer))));
  return () => give();
}

describe('the page, behind a prefix,', () => {
  it('lists all operations, closed, each with its method, path and summary, and sends and loads nothing', async () => {
    const texts = await run(
      `[...document.querySelectorAll('.operation')].map(({ id, open, firstElementChild: { textContent } }) => [id, open, textContent])`,
    );
    expect(texts).toEqual(
      operations.map(({ operationId, method, path, summary }) => [operationId, false, `${method} ${path} ${summary}`]),
    );
    expect(received).toEqual([]);
    expect(await run('performance.getEntriesByType("resource").length')).toBe(0);
    const documents = await run<{ swagger?: string; openapi?: string }[]>(
      `Promise.all([...document.querySelectorAll('a[href$=".json"]')].map(async ({ href }) => (await fetch(href)).json()))`,
    );
    expect(documents.map(({ swagger, openapi }) => swagger ?? openapi)).toEqual(['2.0', '3.1.0']);
  });

  it('lets each operation be tried out by keyboard alone, on the item that was just created, with the focus visible', async () => {
    const statuses: string[] = [];
    for (const { operationId } of operations) {
      await tabTo(`#${operationId} > summary`);
      await opened.page.keyboard.press('Enter');
      await tabTo(`#${operationId} .send`);
      await opened.page.keyboard.press('Space');
      statuses.push((await operation(operationId).answer()).slice(0, 3));
      expect(await focus()).toBe('Send');
      expect(await run('location.hash')).toBe(`#${operationId}`);
    }
    expect(statuses).toEqual(['200', '201', '200', '204', '204', '204']);
    const item = received[2]?.path;
    expect(item).toMatch(/^\/api\/parcel\/[-\da-f]{36}$/);
    expect(received.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/parcel',
      'POST /api/parcel',
      ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} ${item}`),
    ]);
    for (const { headers, body } of received) {
      expect(headers).not.toHaveProperty('if-match');
      expect(headers['content-type']).toBe(body && 'application/json');
      if (headers.accept !== '*/*') expect(headers.accept).toBe('application/json');
    }
    const { key: _key, ...writable } = parcel.properties;
    expect(Object.keys(JSON.parse(received[1]?.body as string))).toEqual(Object.keys(writable));
  });

  it('opens the operation in its address, and keeps the one in its address that was opened last', async () => {
    await run(`document.querySelectorAll('details').forEach((one) => (one.open = false))`);
    await run(`location.hash = 'ApiParcelByIdPut'`);
    await opened.page.locator('#ApiParcelByIdPut[open]').waitFor();
    await opened.page.reload();
    expect(await run('[...document.querySelectorAll("details[open]")].map(({ id }) => id)')).toEqual([
      'ApiParcelByIdPut',
    ]);
    expect(await run(`document.getElementById('ApiParcelByIdPut').getBoundingClientRect().top < innerHeight`)).toBe(
      true,
    );
    await opened.page.locator('#ApiParcelByIdPut > summary').click();
    await opened.page.waitForURL(({ hash }) => hash === '');
    expect(received).toEqual([]);
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
  it('is sent once, however often somebody clicks, or holds a key down', async () => {
    await post.open();
    const { x, y, width, height } = (await post.button('Send').boundingBox()) as {
      x: number;
      y: number;
      width: number;
      height: number;
    };
    const { mouse, keyboard } = opened.page;
    await mouse.move(x + width / 2, y + height / 2);
    for (const clickCount of [1, 2, 3]) {
      await mouse.down({ clickCount });
      await mouse.up({ clickCount });
      expect(await post.answer()).toMatch(/^201/);
    }
    expect(received).toHaveLength(1);
    for (const keys of ['Enter', 'Control+Enter', 'Meta+Enter']) {
      const [modifier = '', key] = keys.includes('+') ? keys.split('+') : ['', keys];
      await post.button('Send').focus();
      if (modifier) await keyboard.down(modifier);
      for (let repeats = 0; repeats < 3; repeats += 1) {
        await keyboard.down(key as string);
        expect(await post.answer()).toMatch(/^201/);
      }
      await keyboard.up(key as string);
      if (modifier) await keyboard.up(modifier);
    }
    expect(received).toHaveLength(4);
  });

  it('that is under way is not sent again, has what was typed before, and leaves the focus where somebody puts it', async () => {
    const give = held(jsonAnswer(201, { key: 'k' }));
    await post.field('item').fill('');
    await post.field('item').pressSequentially('{"label":"typed"}');
    for (const keys of ['Meta+Enter', 'Control+Enter']) await opened.page.keyboard.press(keys);
    await post.button('Send').click();
    await post.field('Accept').focus();
    give();
    expect(await post.answer()).toMatch(/^201/);
    expect(received.map(({ body }) => body)).toEqual(['{"label":"typed"}']);
    expect(await run('document.activeElement.name')).toBe('Accept');
  });

  it('can be cancelled, and sent again', async () => {
    await list.open();
    const give = held(jsonAnswer(200, []));
    await list.button('Send').click();
    await list.button('Cancel').click();
    expect(await list.answer()).toBe('Cancelled.');
    give();
    expect(await list.button('Cancel').isVisible()).toBe(false);
    expect(await focus()).toBe('Send');
    expect(await list.send()).toMatch(/^200/);
  });

  it('whose answer was lost keeps its Idempotency-Key, and the page asks before it is left, so that it creates one item', async () => {
    const label = crypto.randomUUID();
    const before = (await opened.call('GET', '/api/parcel')).json.length;
    answerNext(answerOf(502, {}, Buffer.from('lost')));
    expect(await post.send({ item: JSON.stringify({ label }) })).toContain(
      'It may have been done, or not. It has an Idempotency-Key, so sending it again cannot do it twice.',
    );
    const key = await post.field('Idempotency-Key').inputValue();
    const asked = opened.page.waitForEvent('dialog');
    await run('void location.reload()');
    await asked;
    expect(faults.splice(0)).toEqual(['beforeunload']);
    await post.field('item').press('End');
    await opened.page.keyboard.type(' ');
    expect(await post.field('Idempotency-Key').inputValue()).toBe('');
    await opened.page.keyboard.press('Backspace');
    expect(await post.field('Idempotency-Key').inputValue()).toBe(key);
    expect(await post.send()).toMatch(/^201/);
    expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual([key, key]);
    expect(await post.field('Idempotency-Key').inputValue()).toBe('');
    expect((await opened.call('GET', '/api/parcel')).json).toHaveLength(before + 1);
    await opened.page.reload();
  });

  it('that no browser can send says why, and gets the focus', async () => {
    const remove = operation('ApiParcelByIdDelete');
    await remove.open();
    for (const [name, value] of [
      ['id', '..'],
      ['If-Match', '“1”'],
    ] as const) {
      await remove.field('id').fill('nobody');
      await remove.field(name).fill(value);
      await remove.button('Send').click();
      const told = { isInvalid: true, hasFocus: true, description: expect.stringMatching(/^Nothing is sent/) };
      expect(await remove.announced(name)).toMatchObject(told);
    }
    expect(received).toEqual([]);
    expect(await remove.send({ 'If-Match': '"1"' })).toMatch(/^404/);
    expect(await remove.announced('If-Match')).toMatchObject({ isInvalid: false });
  });
});

describe('an answer', () => {
  it('begins with its status and reason, and has the time, the body, the header fields and the request as it was sent', async () => {
    const text = await post.send({ item: '{"label":"<img src=x onerror=alert(1)>"}' });
    expect(text).toMatch(/^201 Created \d+ ms/);
    const { json } = await opened.call('GET', '/api/parcel');
    expect(text).toContain(JSON.stringify(json.at(-1), null, 2));
    const all = await post.element.textContent();
    for (const part of [
      'etag: "1"',
      `location: /tasks/v2/api/parcel/${json.at(-1).key}`,
      '--header \'Idempotency-Key: "',
    ])
      expect(all).toContain(part);
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
      ['', /^The body/],
      ['{"label":" ","fragile":"yes"}', /^#\/label Must .*\n#\/fragile Must be true or false; got "yes"\./],
    ] as const) {
      expect(await post.send({ item })).toMatch(/^400/);
      const marked = { isInvalid: true, description: expect.stringMatching(description) };
      expect([item, await post.announced('item')]).toMatchObject([item, marked]);
    }
  });

  it('comes into sight while the focus stays, in a box as high as the window allows', async () => {
    const items = Array.from({ length: 300 }, (_, index) => ({ key: `key-${index}`, label: `item ${index}` }));
    const patch = operation('ApiParcelByIdPatch');
    for (const height of [600, 800, 1200]) {
      await opened.page.setViewportSize({ width: 1280, height });
      await run('scrollTo(0, 0)');
      answerNext(jsonAnswer(200, items), jsonAnswer(400, {}));
      await list.send();
      await patch.send({ id: 'x' });
      await patch.button('Send').press('Control+Enter');
      await patch.answer();
      expect(await sight('ApiParcelByIdPatch')).toMatchObject({
        focus: 'Send',
        isInSight: true,
        isFocusInSight: height > 600,
      });
      const { box, content } = await sight('ApiParcelGet');
      expect(content).toBeGreaterThan(2_000);
      expect(box).toBeGreaterThan(height - 260);
      expect(box).toBeLessThan(height);
    }
  });

  it('of 1 MB shows its beginning, formatted, and is copied as a whole', async () => {
    const items = Array.from({ length: 2_000 }, (_, index) => ({ key: `key-${index}`, label: 'dog '.repeat(120) }));
    answerNext(jsonAnswer(200, items));
    const text = await list.send();
    expect(text).toContain('[\n  {\n    "key": "key-0"');
    expect(text).not.toContain('"key-1999"');
    expect(text.length).toBeLessThan(201_000);
    expect(await run(`document.querySelectorAll('#ApiParcelGet *').length`)).toBeLessThan(1_000);
    await run('void (navigator.clipboard.writeText = async (text) => { window.copied = text; })');
    await list.button('Copy body').click();
    expect(JSON.parse(await run('window.copied'))).toEqual(items);
  });

  it('names its reason and the time until its last byte, also over HTTP/2, which has no reasons', async () => {
    await run(`void Object.defineProperty(Response.prototype, 'statusText', { get: () => '' })`);
    for (const [status, reason] of [
      [503, 'Service Unavailable'],
      [418, 'Short and stout'],
    ] as const) {
      answerNext(jsonAnswer(status, { title: 'Short and stout' }));
      expect(await list.send()).toMatch(new RegExp(`^${status} ${reason} \\d+ ms`));
    }
  });
});

/** Where the focus is, how high the box of an answer and what is in it are, and whether both are in sight. */
function sight(operationId: string) {
  return run<{ focus: string; isInSight: boolean; isFocusInSight: boolean; box: number; content: number }>(`(() => {
    const answer = document.querySelector('#${operationId} [role=status]');
    const { top, height } = answer.getBoundingClientRect();
    const focused = document.activeElement.getBoundingClientRect();
    const { clientHeight = 0, scrollHeight = 0 } = answer.querySelector('pre') ?? {};
    return {
      focus: document.activeElement.closest('#${operationId}') && document.activeElement.textContent,
      isInSight: top >= 0 && top < innerHeight - 20 && height > 0,
      isFocusInSight: focused.bottom <= innerHeight,
      box: clientHeight,
      content: scrollHeight,
    };
  })()`);
}

it('a list that goes on has a button for its next page, up to the last one, and leaves the focus in the operation', async () => {
  for (const label of ['a', 'b']) await opened.call('POST', '/api/parcel', { body: { label } });
  const { length } = (await opened.call('GET', '/api/parcel')).json;
  await list.send({ limit: `${length - 1}` });
  await list.button('Next page').press('Enter');
  expect(await list.answer()).toContain('"label": "b"');
  expect(await list.button('Next page').isVisible()).toBe(false);
  expect(await focus()).toBe('Send');
  expect(received.map(({ path }) => path)).toEqual([
    `/api/parcel?limit=${length - 1}`,
    expect.stringMatching(new RegExp(`^/api/parcel\\?limit=${length - 1}&after=[-\\da-f]+$`)),
  ]);
});

it('the entity tag of an item is put into If-Match by its button, which is gone after 412', async () => {
  const patch = operation('ApiParcelByIdPatch');
  await post.send({ item: '{"label":"a"}' });
  const { key } = (await opened.call('GET', '/api/parcel')).json.at(-1);
  await patch.open();
  await patch.field('id').fill(key);
  await patch.button('Use "1"').click();
  expect(await patch.announced('If-Match')).toMatchObject({ hasFocus: true });
  await opened.call('PATCH', `/api/parcel/${key}`, { body: { fragile: true } });
  expect(await patch.send()).toMatch(/^412/);
  await patch.field('If-Match').fill('');
  expect(await patch.button(/^Use "/).isVisible()).toBe(false);
});

it('Copy as curl copies the command, says so until a field changes, and says when the browser does not let it', async () => {
  const said = list.element.locator('.said').filter({ hasText: /./ });
  await run('void (navigator.clipboard.writeText = async (text) => { window.copied = text; })');
  await list.open();
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
