import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { documentInSections, parcelOperations, parcelsDocument } from '../support/browser/documents.js';
import { OPEN_ALL, openOperation, run, until } from '../support/browser/page.js';
import { jsonAnswer, servePages } from '../support/browser/served-pages.js';
import { type Answer, answerOf } from '../support/service/answer.js';
import { parcel } from '../support/service/parcels.js';

const pages = servePages();

beforeEach(() => pages.open());

/** What a screen reader announces of a field. */
const announced = async (field: Locator) => {
  const found = `const field = document.getElementById(given[0]);
    const described = field.getAttribute('aria-describedby').split(' ');
    return {
      label: field.labels[0].textContent.trim(),
      description: described.map((id) => document.getElementById(id)?.textContent).join(' '),
      isInvalid: field.getAttribute('aria-invalid') === 'true',
      hasFocus: field === document.activeElement,
    };`;
  return (await run(pages.page, found, await field.getAttribute('id'))) as { label: string; description: string };
};

/** Where the focus is, and whether the answer of an operation and the focus are in sight. */
const looks = (operationId: string) =>
  run(
    pages.page,
    `const operation = document.getElementById(given[0]);
    const { top, height } = operation.querySelector('[role=status]').getBoundingClientRect();
    return {
      focus: operation.contains(document.activeElement) && document.activeElement.textContent,
      isInSight: top >= 0 && top < innerHeight - 20 && height > 0,
      isFocusInSight: document.activeElement.getBoundingClientRect().bottom <= innerHeight,
    };`,
    operationId,
  );

describe('the page', () => {
  it('lists all operations, closed, each with its method, path and summary, and loads nothing else', async () => {
    const { page } = pages;
    const texts = `[...document.querySelectorAll('.operation')].map(({ id, open, firstElementChild: { textContent } }) => [id, open, textContent])`;
    expect(await page.evaluate(texts)).toEqual(
      parcelOperations.map(({ operationId, method, path, summary }) => {
        const text = [method.toUpperCase(), path, summary].join(' ');
        return [operationId, false, text];
      }),
    );
    expect(await page.title()).toBe(parcelsDocument.info.title);
    expect(pages.service.received).toEqual([]);
    expect(await page.evaluate('performance.getEntriesByType("resource").length')).toBe(0);
  });

  it('sends and accepts JSON in each operation, nothing of an empty field, and of a POST every member that can be written', async () => {
    const { page } = pages;
    for (const { operationId } of parcelOperations) await (await openOperation(page, operationId)).send();
    const { received } = pages.service;
    expect(received).toHaveLength(parcelOperations.length);
    expect(received[0]?.path).toBe('/api/parcel');
    for (const { headers, body } of received) {
      for (const name of ['if-match', 'if-none-match']) expect(headers).not.toHaveProperty(name);
      expect(headers['content-type']).toBe(body && 'application/json');
      if (headers.accept !== '*/*') expect(headers.accept).toMatch(/^application\/json/);
    }
    const { key: _key, ...writable } = parcel.properties;
    expect(Object.keys(JSON.parse(received[1]?.body as string))).toEqual(Object.keys(writable));
    await (await openOperation(page, 'ApiParcelPost')).send({ item: '' });
    expect(received.at(-1)?.body).toBeUndefined();
  });

  it('has links to its tags, and a filter that leaves what has all words, if there are three tags or more', async () => {
    const page = await pages.open('', documentInSections);
    const filter = page.getByLabel('Filter');
    await filter.fill('{id}  PARCEL delete');
    const listed = `[...document.querySelectorAll('.operation')].filter((one) => one.checkVisibility()).map(({ id }) => id)`;
    expect(await page.evaluate(listed)).toEqual(['ApiParcelByIdDelete']);
    expect(await page.getByText('1 of 6 operations').isVisible()).toBe(true);
    expect(await page.getByRole('heading', { name: 'Only ApiParcelGet' }).isVisible()).toBe(false);
    await page.evaluate('location.hash = "ApiParcelGet"');
    await until(page, 'document.getElementById("ApiParcelGet").checkVisibility()');
    await filter.fill('');
    await page.evaluate(OPEN_ALL);
    expect(await page.getByText(/\d operations$/).isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Only ApiParcelByIdPatch' }).click();
    const heading = await page.getByRole('heading', { name: 'Only ApiParcelByIdPatch' }).boundingBox();
    expect(heading?.y).toBeLessThan(100);
    expect(await (await pages.open()).getByLabel('Filter').count()).toBe(0);
  });
});

describe('a field', () => {
  it('has a label with its name, its type and whether it is required, and a description', async () => {
    for (const { operationId, parameters } of parcelOperations) {
      const { field } = await openOperation(pages.page, operationId);
      for (const { name, type = '', required, description } of parameters) {
        const { label, description: about } = await announced(field(name));
        expect(label.split(/\s/)[0]).toBe(name);
        expect(label.includes('required')).toBe(required);
        expect(`${label} ${about}`).toContain(type);
        expect(about.replace(/\s+/g, ' ')).toContain(description?.split('.')[0]?.slice(0, 30));
      }
    }
    const list = await openOperation(pages.page, 'ApiParcelGet');
    expect(await list.field('limit').getAttribute('inputmode')).toBe('numeric');
  });

  it('offers media types where there is a choice, JSON first, and sends what was chosen', async () => {
    const post = await openOperation(pages.page, 'ApiParcelPost');
    const choices = (name: string) => post.field(name).locator('option').allTextContents();
    expect(await choices('Content-Type')).toEqual(['application/json', 'text/json']);
    expect(await choices('Accept')).toEqual(['application/json', 'text/plain', 'text/json']);
    await post.send({ Accept: 'text/plain', 'Content-Type': 'text/json' });
    expect(pages.service.received[0]?.headers).toMatchObject({ accept: 'text/plain', 'content-type': 'text/json' });
  });

  it('with a wrong value is sent, too, and marked by what the problem says of it, until somebody changes it', async () => {
    const list = await openOperation(pages.page, 'ApiParcelGet');
    await list.send({ limit: '0', after: 'nobody' });
    expect(pages.service.received[0]?.path).toBe('/api/parcel?limit=0&after=nobody');
    const marked = { isInvalid: true, description: expect.stringMatching(/^Must be an integer from 1 to 1000/) };
    expect(await announced(list.field('limit'))).toMatchObject(marked);
    expect(await announced(list.field('after'))).toMatchObject({ isInvalid: true });
    await list.field('limit').fill('');
    await list.field('after').fill('');
    expect(await announced(list.field('limit'))).toMatchObject({ isInvalid: false });
  });

  it('for a body lists all that is wrong with it, and so does the answer', async () => {
    const post = await openOperation(pages.page, 'ApiParcelPost');
    const bodies = ['{"', '{"label":" ","fragile":"yes"}'];
    for (const item of bodies) expect(await post.send({ item })).toMatch(/^400 Bad Request/);
    expect(pages.service.received.map(({ body }) => body)).toEqual(bodies);
    const description = expect.stringMatching(/^#\/label Must .*\n#\/fragile Must be true or false; got "yes"\./);
    expect(await announced(post.field('item'))).toMatchObject({ isInvalid: true, description });
    const words = (await post.status.locator(':not(pre, pre *)').allTextContents()).join(' ');
    for (const part of ['The body is not a valid item', '#/label', 'Must be true or false'])
      expect(words).toContain(part);
  });

  it.each(['a/b?c#d &=+', '100%', '%2e%2e', '...', '[ü] \\\'"<>`😀', '\ud800'])(
    'is sent in a path or a query as it was typed: %s',
    async (id) => {
      expect(await (await openOperation(pages.page, 'ApiParcelByIdGet')).send({ id })).toMatch(/^404/);
      await (await openOperation(pages.page, 'ApiParcelGet')).send({ limit: '', after: id });
      const [found, listed] = pages.service.received.map(({ path }) => path);
      const [, inPath] = /^\/api\/parcel\/([^/?#]*)$/.exec(found as string) ?? [];
      const [, inQuery] = /^\/api\/parcel\?after=([^&=?#+]*)$/.exec(listed as string) ?? [];
      const typed = id.replace('\ud800', '\ufffd');
      expect([inPath, inQuery].map((sent) => decodeURIComponent(sent as string))).toEqual([typed, typed]);
    },
  );

  it('of a query is sent under its name, whatever is in it', async () => {
    const name = 'a&b=c #%';
    const document = JSON.stringify(parcelsDocument).replaceAll('"name":"after"', `"name":${JSON.stringify(name)}`);
    await pages.open('', JSON.parse(document));
    await (await openOperation(pages.page, 'ApiParcelGet')).send({ limit: '', [name]: 'x' });
    const [{ path } = { path: '' }] = pages.service.received;
    expect([...new URL(path, pages.url).searchParams]).toEqual([[name, 'x']]);
  });

  it.each([
    ['id', '', /\bid\b/i],
    ['id', '.', /browser/i],
    ['id', '..', /browser/i],
    ['If-Match', '“1”', /characters/],
  ])('that no browser can send says why, and gets the focus: %s with %j', async (name, value, reason) => {
    const remove = await openOperation(pages.page, 'ApiParcelByIdDelete');
    await remove.field('id').fill('nobody');
    await remove.field(name).fill(value);
    await remove.button('Send').click();
    const told = { isInvalid: true, hasFocus: true, description: expect.stringMatching(reason) };
    expect(await announced(remove.field(name))).toMatchObject(told);
    expect(pages.service.received).toEqual([]);
    expect(await remove.send({ [name]: '"x"' })).toMatch(/^404/);
    expect(await announced(remove.field(name))).toMatchObject({ isInvalid: false });
  });
});

describe('a request', () => {
  it('under way can be cancelled, and sent again', async () => {
    const { page } = pages;
    const list = await openOperation(page, 'ApiParcelGet');
    pages.service.answerNext(new Promise(() => {}));
    const failed = page.waitForEvent('requestfailed');
    await list.button('Send').click();
    const after = `getComputedStyle(document.querySelector('#ApiParcelGet .send'), '::after').content`;
    expect(await page.evaluate(after)).toMatch(/…/);
    await list.button('Cancel').click();
    await failed;
    await list.button('Cancel').waitFor({ state: 'hidden' });
    expect(await page.evaluate(after)).toBe('none');
    expect(await list.status.textContent()).toBe('Cancelled.');
    expect(await list.status.locator('.failed').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Send');
    expect(await list.send({ after: '' })).toMatch(/^200/);
    expect(pages.service.received).toHaveLength(2);
  });

  it('is sent once, as it was typed just now, however often keys are pressed, and leaves the focus where it is put', async () => {
    const post = await openOperation(pages.page, 'ApiParcelPost');
    const list = await openOperation(pages.page, 'ApiParcelGet');
    expect(await post.button('Send').getAttribute('aria-keyshortcuts')).toBe('Control+Enter Meta+Enter');
    let answer: (created: Answer) => void = () => {};
    pages.service.answerNext(new Promise((resolve) => (answer = resolve)));
    await post.field('item').fill('');
    await post.field('item').pressSequentially('{"label":"typed"}');
    const text = await post.answerTo(async () => {
      for (const keys of ['Meta+Enter', 'Control+Enter', 'Meta+Enter']) await pages.page.keyboard.press(keys);
      await list.field('limit').focus();
      answer(jsonAnswer(201, { key: 'k', label: 'typed' }));
    });
    expect(text).toMatch(/^201/);
    expect(pages.service.received.map(({ body }) => body)).toEqual(['{"label":"typed"}']);
    expect(await announced(list.field('limit'))).toMatchObject({ hasFocus: true });
  });

  it('without an answer says whether this device is offline, or the connection was cut in the middle', async () => {
    const { page } = pages;
    const list = await openOperation(page, 'ApiParcelGet');
    const cut = { 'Content-Length': '1000', Connection: 'close' };
    pages.service.answerNext(answerOf(200, cut, Buffer.from('[')));
    await list.button('Send').click();
    const cutOff = /No answer: .* 200/;
    await list.status.filter({ hasText: cutOff }).waitFor();
    await page.context().setOffline(true);
    await list.button('Send').click();
    await list.status.filter({ hasText: /No answer: .* offline/ }).waitFor();
    await page.context().setOffline(false);
  });
});

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
  });

  it('304 is not shown as an error', async () => {
    const [{ key }] = (await pages.service.call('GET', '/api/parcel')).json;
    const find = await openOperation(pages.page, 'ApiParcelByIdGet');
    expect(await find.send({ id: key, 'If-None-Match': '"1"' })).toMatch(/^304 Not Modified/);
    expect(await find.status.locator('.s3').count()).toBe(1);
  });

  it('is scrolled into view while the focus stays, and stays in sight though errors at its fields move it', async () => {
    const { page } = pages;
    const item = '{"label":" ","fragile":"yes","pieces":"many"}';
    for (const [operationId, fields] of [
      ['ApiParcelGet', {}] as const,
      ['ApiParcelByIdPatch', { id: 'x', item }] as const,
    ]) {
      const operation = await openOperation(page, operationId);
      await operation.send(fields);
      expect(await looks(operationId)).toEqual({ focus: 'Send', isInSight: true, isFocusInSight: true });
      await page.evaluate('scrollTo(0, 0)');
      await operation.answerTo(() => page.keyboard.press('Control+Enter'));
      expect(await looks(operationId)).toEqual({ focus: 'Send', isInSight: true, isFocusInSight: true });
    }
  });

  it('of 1 MB is folded: the page shows its beginning, and all of it on demand, and copies it as it was sent', async () => {
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
    expect(await looks('ApiParcelGet')).toMatchObject({ focus: 'Send' });
    expect(await page.evaluate(elements)).toBeLessThan(1_000);
    await page.evaluate('navigator.clipboard.writeText = (text) => (window.copied = text)');
    await list.button('Copy body').click();
    expect(await page.evaluate('window.copied')).toBe(JSON.stringify(items));
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
    expect(await looks('ApiParcelGet')).toMatchObject({ focus: 'Send' });
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
