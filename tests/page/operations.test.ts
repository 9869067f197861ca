import { describe, expect, it } from '@jest/globals';
import { ALL_SIX, documentOf, parcelOperations, parcelsDocument } from '../support/browser/documents.js';
import { openOperation, run, until } from '../support/browser/page.js';
import { jsonAnswer, servePages } from '../support/browser/served-pages.js';
import { answerOf } from '../support/service/answer.js';
import { parcel } from '../support/service/parcels.js';

const pages = servePages();

/** The fields of an operation, as a screen reader announces them. */
const fieldsOf = (operationId: string) =>
  run(
    pages.page,
    `return [...document.getElementById(given[0]).querySelectorAll('form :is(input:not([type=hidden]), select, textarea)')].map((field) => ({
      label: field.labels[0].textContent.trim(),
      description: field.getAttribute('aria-describedby').split(' ').map((id) => document.getElementById(id)?.textContent).join(' '),
      isInvalid: field.getAttribute('aria-invalid') === 'true',
      hasFocus: field === document.activeElement,
      mode: field.inputMode,
      choices: [...field.options ?? []].map(({ text }) => text),
    }))`,
    operationId,
  ) as Promise<readonly Field[]>;

interface Field {
  readonly label: string;
  readonly description: string;
  readonly isInvalid: boolean;
  readonly hasFocus: boolean;
  readonly mode: string;
  readonly choices: readonly string[];
}

const fieldOf = async (operationId: string, name: string) =>
  (await fieldsOf(operationId)).filter(({ label }) => label.split(/\s/)[0] === name);

describe('the page', () => {
  it('lists all operations, closed, each with its method, path and summary, and loads nothing else', async () => {
    const page = await pages.open();
    const listed = `[...document.querySelectorAll('details[id]')].filter((one) => one.querySelector('[role=status]'))`;
    const texts = `${listed}.map(({ id, open, firstElementChild: { textContent } }) => [id, open, textContent])`;
    const found = (await page.evaluate(texts)) as [id: string, isOpen: boolean, text: string][];
    expect(found.map(([id, isOpen]) => [id, isOpen])).toEqual(
      parcelOperations.map(({ operationId }) => [operationId, false]),
    );
    for (const [index, { method, path, summary }] of parcelOperations.entries()) {
      const text = found[index]?.[2].replace(/\s+/g, ' ');
      for (const part of [method.toUpperCase(), path, summary.replace(/\.$/, '')]) expect(text).toContain(part);
    }
    expect(await page.title()).toBe(parcelsDocument.info.title);
    expect(pages.service.received).toEqual([]);
    expect(await page.evaluate('performance.getEntriesByType("resource").length')).toBe(0);
  });

  it('sends and accepts JSON in each operation, and offers a POST every member that can be written', async () => {
    const page = await pages.open();
    for (const operationId of ALL_SIX) await (await openOperation(page, operationId)).send();
    const { received } = pages.service;
    expect(received).toHaveLength(ALL_SIX.length);
    for (const { headers, body } of received) {
      expect(headers['content-type']).toBe(body && 'application/json');
      if (headers.accept !== '*/*') expect(headers.accept).toMatch(/^application\/json/);
    }
    const { key: _key, ...writable } = parcel.properties;
    expect(Object.keys(JSON.parse(received[0]?.body as string))).toEqual(Object.keys(writable));
  });
});

describe('a page of many resources', () => {
  it('has links to its tags, and a filter that leaves what has all words', async () => {
    pages.serveInstead(documentOf(3));
    const page = await pages.open();
    const listed = `[...document.querySelectorAll('.operation')].filter((one) => one.checkVisibility()).map(({ id }) => id)`;
    expect(await page.evaluate(`${listed}.length`)).toBe(18);
    await page.getByLabel('Filter').fill('customer  DELETE');
    expect(await page.evaluate(listed)).toEqual(['ApiCustomerByIdDelete']);
    expect(await page.getByText('1 of 18 operations').isVisible()).toBe(true);
    expect(await page.locator('#tag-Invoice').isVisible()).toBe(false);
    await page.evaluate('location.hash = "ApiInvoiceGet"');
    await until(page, 'document.getElementById("ApiInvoiceGet").checkVisibility()');
    await page.getByLabel('Filter').fill('');
    await page.getByRole('link', { name: 'Parcel', exact: true }).first().click();
    expect(await page.evaluate('document.getElementById("tag-Parcel").getBoundingClientRect().top < 100')).toBe(true);
    expect(pages.service.received).toEqual([]);
  });

  it('has neither where there are fewer', async () => {
    pages.serveInstead(documentOf(2));
    expect(await (await pages.open()).getByLabel('Filter').count()).toBe(0);
  });
});

describe('a field', () => {
  it('has a label with its name, its type and whether it is required, and a description', async () => {
    for (const { operationId, parameters } of parcelOperations) {
      for (const { name, type = '', required, description } of parameters) {
        const [field, ...more] = await fieldOf(operationId, name);
        expect([name, more]).toEqual([name, []]);
        for (const part of [`${name} `, required ? 'required' : '']) expect(`${field?.label} `).toContain(part);
        expect(`${field?.label} ${field?.description}`).toContain(type);
        expect(field?.description.replace(/\s+/g, ' ')).toContain(description?.split('.')[0]?.slice(0, 30));
      }
    }
    expect(await fieldOf('ApiParcelGet', 'limit')).toMatchObject([{ mode: 'numeric' }]);
  });

  it('offers media types where there is a choice, JSON first, and sends what was chosen', async () => {
    for (const { operationId, consumes = [], produces = [] } of parcelOperations) {
      for (const [name, types] of Object.entries({ 'Content-Type': consumes, Accept: produces })) {
        const choices = (await fieldOf(operationId, name)).flatMap((field) => field.choices);
        expect([operationId, name, [...choices].sort()]).toEqual([operationId, name, [...types].sort()]);
        if (types.length > 0) expect(choices[0]).toBe('application/json');
      }
    }
    const patch = await openOperation(pages.page, 'ApiParcelByIdPatch');
    await patch.field('Content-Type').selectOption('application/merge-patch+json');
    await patch.send({ id: 'nobody' });
    const post = await openOperation(pages.page, 'ApiParcelPost');
    await post.field('Accept').selectOption('text/plain');
    await post.send();
    const [patched, posted] = pages.service.received;
    expect(patched?.headers['content-type']).toBe('application/merge-patch+json');
    expect(posted?.headers.accept).toBe('text/plain');
  });

  it('that is left empty is not sent, nor is a body that was emptied', async () => {
    const page = await pages.open();
    await (await openOperation(page, 'ApiParcelGet')).send();
    expect(await (await openOperation(page, 'ApiParcelPost')).send({ item: '' })).toMatch(/^400/);
    const [listed, posted] = pages.service.received;
    expect(listed?.path).toBe('/api/parcel');
    expect(posted?.body).toBeUndefined();
    for (const header of ['if-match', 'if-none-match']) expect(posted?.headers).not.toHaveProperty(header);
  });

  it('that a problem names is marked, with the detail beside it, until somebody changes it', async () => {
    const list = await openOperation(await pages.open(), 'ApiParcelGet');
    await list.send({ limit: '0', after: 'nobody' });
    const marked = { isInvalid: true, description: expect.stringMatching(/^Must be an integer from 1 to 1000/) };
    expect(await fieldOf('ApiParcelGet', 'limit')).toMatchObject([marked]);
    expect(await fieldOf('ApiParcelGet', 'after')).toMatchObject([{ isInvalid: true }]);
    await list.field('limit').fill('1');
    expect(await fieldOf('ApiParcelGet', 'limit')).toMatchObject([{ isInvalid: false }]);
    await (await openOperation(pages.page, 'ApiParcelPost')).send({ item: '{"label":" ","fragile":"yes"}' });
    const [body] = await fieldOf('ApiParcelPost', 'item');
    expect(body?.isInvalid).toBe(true);
    for (const pointer of ['#/label', '#/fragile']) expect(body?.description).toContain(pointer);
  });

  it.each([
    ['ApiParcelPost', 'item', '{"'],
    ['ApiParcelPost', 'item', '{"label":" ","fragile":"yes"}'],
    ['ApiParcelGet', 'limit', '0'],
    ['ApiParcelGet', 'after', 'nobody'],
  ])(
    'of %s sends wrong values, too, so that the service says what is wrong: %s as %s',
    async (operationId, name, value) => {
      const operation = await openOperation(await pages.open(), operationId);
      expect(await operation.send({ [name]: value })).toMatch(/^400/);
      const [received] = pages.service.received;
      if (name === 'item') expect(received?.body).toBe(value);
      else expect(received?.path).toBe(`/api/parcel?${name}=${value}`);
    },
  );
});

describe('an id', () => {
  it.each(['a/b', 'a?b', 'a#b', '100%', 'a%2Fb', '%2e%2e', '...', ' ', '[ü] &=+\\', '\'"<>`', '😀'])(
    'is sent as it was typed: %s',
    async (id) => {
      expect(await (await openOperation(pages.page, 'ApiParcelByIdGet')).send({ id })).toMatch(/^404/);
      const [, sent] = /^\/api\/parcel\/([^/?#]*)$/.exec(pages.service.received[0]?.path as string) ?? [];
      expect(decodeURIComponent(sent as string)).toBe(id);
    },
  );

  it('is sent as it was typed in a query, too', async () => {
    await (await openOperation(await pages.open(), 'ApiParcelGet')).send({ after: 'a&b=c#+%41' });
    expect(pages.service.received[0]?.path).toBe('/api/parcel?after=a%26b%3Dc%23%2B%2541');
  });

  it.each([
    ['', /without id/i],
    ['.', /browser/i],
    ['..', /browser/i],
  ])('%j is not sent: its field says why and gets the focus', async (id, reason) => {
    const remove = await openOperation(pages.page, 'ApiParcelByIdDelete');
    await remove.field('id').fill(id);
    await remove.button('Send').click();
    const told = { isInvalid: true, hasFocus: true, description: expect.stringMatching(reason) };
    expect(await fieldOf('ApiParcelByIdDelete', 'id')).toMatchObject([told]);
    expect(pages.service.received).toEqual([]);
    expect(await remove.send({ id: 'nobody' })).toMatch(/^404/);
    expect(await fieldOf('ApiParcelByIdDelete', 'id')).toMatchObject([{ isInvalid: false }]);
  });
});

describe('Command and Enter, like Control and Enter,', () => {
  it('sends what was typed just now, and leaves the focus where it is', async () => {
    const post = await openOperation(pages.page, 'ApiParcelPost');
    const typed = JSON.stringify({ label: 'typed' });
    expect(await post.button('Send').getAttribute('aria-keyshortcuts')).toBe('Control+Enter Meta+Enter');
    await post.field('item').fill('');
    await post.field('item').pressSequentially(typed);
    await post.answerTo(() => pages.page.keyboard.press('Meta+Enter'));
    expect(pages.service.received.map(({ body }) => body)).toEqual([typed]);
    expect(await fieldOf('ApiParcelPost', 'item')).toMatchObject([{ hasFocus: true }]);
  });
});

describe('a request that no browser can send', () => {
  it.each([
    ['ApiParcelByIdGet', 'id', '\ud800'],
    ['ApiParcelByIdDelete', 'If-Match', '“1”'],
  ])('is reported: %s with %s as %j', async (operationId, name, value) => {
    const page = await pages.open();
    const operation = await openOperation(page, operationId);
    await operation.field('id').fill('nobody');
    operation.send({ [name]: value }).catch(() => {});
    const told = `details[id="${operationId}"] :is([role=status]:not(:empty), [aria-invalid=true])`;
    await until(page, `!!document.querySelector('${told}')`);
    expect(pages.service.received.every(({ path }) => path.endsWith('%EF%BF%BD'))).toBe(true);
  });
});

describe('a request under way', () => {
  it('can be cancelled, and sent again', async () => {
    const { page } = pages;
    const list = await openOperation(page, 'ApiParcelGet');
    pages.service.holdNext();
    const failed = page.waitForEvent('requestfailed');
    await list.button('Send').click();
    const after = `getComputedStyle(document.querySelector('#ApiParcelGet .send'), '::after').content`;
    expect(await page.evaluate(after)).toMatch(/…/);
    await list.button('Cancel').click();
    await failed;
    await list.button('Cancel').waitFor({ state: 'hidden' });
    expect(await page.evaluate(after)).toBe('none');
    expect(await list.status.textContent()).toMatch(/cancel/i);
    expect(await list.status.locator('.failed').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.closest("details[id]").id')).toBe('ApiParcelGet');
    expect(await list.send()).toMatch(/^200/);
    expect(pages.service.received).toHaveLength(2);
  });

  it('is sent once, however often Send is pressed', async () => {
    const post = await openOperation(pages.page, 'ApiParcelPost');
    const answer = pages.service.holdNext();
    const text = await post.answerTo(async () => {
      await post.field('item').focus();
      for (let presses = 0; presses < 3; presses += 1) await pages.page.keyboard.press('Control+Enter');
      answer(jsonAnswer(201, { key: 'k', name: 'once' }));
    });
    expect(text).toMatch(/^201/);
    expect(pages.service.received).toHaveLength(1);
  });

  it('that gets no answer says so, and that a write may have been applied', async () => {
    const { page } = pages;
    await page.route(`**/api/parcel`, (route) => route.abort('connectionreset'));
    const post = await openOperation(page, 'ApiParcelPost');
    await post.button('Send').click();
    await post.status.filter({ hasText: /may have/i }).waitFor();
    const list = await openOperation(page, 'ApiParcelGet');
    await list.button('Send').click();
    await list.status.filter({ hasText: /no answer: the service was not reached/i }).waitFor();
    expect(await list.status.textContent()).not.toMatch(/may have/i);
    await page.unroute(`**/api/parcel`);
  });

  it('says whether this device is offline, or the connection was cut in the middle', async () => {
    const { page } = pages;
    const list = await openOperation(page, 'ApiParcelGet');
    const cut = { 'Content-Length': '1000', Connection: 'close' };
    pages.service.answerNext(answerOf(200, cut, Buffer.from('[')));
    await list.button('Send').click();
    await list.status
      .filter({ hasText: /No answer: .* cut in the middle of the answer, which began with 200/ })
      .waitFor();
    await page.context().setOffline(true);
    await list.button('Send').click();
    await list.status.filter({ hasText: 'No answer: this device is offline.' }).waitFor();
    await page.context().setOffline(false);
  });
});
