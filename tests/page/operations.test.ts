import { describe, expect, it } from '@jest/globals';
import { documentOf, parcelOperations, parcelsDocument } from '../support/browser/documents.js';
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

  it('sends and accepts JSON in each operation, and offers a POST every member that can be written', async () => {
    const page = await pages.open();
    for (const { operationId } of parcelOperations) await (await openOperation(page, operationId)).send();
    const { received } = pages.service;
    expect(received).toHaveLength(parcelOperations.length);
    for (const { headers, body } of received) {
      expect(headers['content-type']).toBe(body && 'application/json');
      if (headers.accept !== '*/*') expect(headers.accept).toMatch(/^application\/json/);
    }
    const { key: _key, ...writable } = parcel.properties;
    expect(Object.keys(JSON.parse(received[1]?.body as string))).toEqual(Object.keys(writable));
  });
});

describe('a page of many resources', () => {
  it('has links to its tags, and a filter that leaves what has all words', async () => {
    pages.serveInstead(documentOf(3));
    const page = await pages.open();
    const filter = page.getByLabel('Filter');
    await filter.fill('customer  DELETE');
    const listed = `[...document.querySelectorAll('.operation')].filter((one) => one.checkVisibility()).map(({ id }) => id)`;
    expect(await page.evaluate(listed)).toEqual(['ApiCustomerByIdDelete']);
    expect(await page.getByText('1 of 18 operations').isVisible()).toBe(true);
    expect(await page.locator('#tag-Invoice').isVisible()).toBe(false);
    await page.evaluate('location.hash = "ApiInvoiceGet"');
    await until(page, 'document.getElementById("ApiInvoiceGet").checkVisibility()');
    await filter.fill('');
    await page.getByRole('link', { name: 'Parcel', exact: true }).first().click();
    expect(await page.evaluate('document.getElementById("tag-Parcel").getBoundingClientRect().top < 100')).toBe(true);
    pages.serveInstead(documentOf(2));
    expect(await (await pages.open()).getByLabel('Filter').count()).toBe(0);
  });
});

describe('a field', () => {
  it('has a label with its name, its type and whether it is required, and a description', async () => {
    for (const { operationId, parameters } of parcelOperations) {
      const fields = await fieldsOf(operationId);
      for (const { name, type = '', required, description } of parameters) {
        const [field, ...more] = fields.filter(({ label }) => label.split(/\s/)[0] === name);
        expect([name, more]).toEqual([name, []]);
        for (const part of [`${name} `, required ? 'required' : '']) expect(`${field?.label} `).toContain(part);
        expect(`${field?.label} ${field?.description}`).toContain(type);
        expect(field?.description.replace(/\s+/g, ' ')).toContain(description?.split('.')[0]?.slice(0, 30));
      }
    }
    expect(await fieldOf('ApiParcelGet', 'limit')).toMatchObject([{ mode: 'numeric' }]);
  });

  it('offers media types where there is a choice, JSON first, and sends what was chosen', async () => {
    const { consumes, produces } = parcelsDocument.paths['/api/parcel']?.post ?? {};
    const choices = [
      ...(await fieldOf('ApiParcelPost', 'Content-Type')),
      ...(await fieldOf('ApiParcelPost', 'Accept')),
    ];
    expect(choices.map((field) => field.choices)).toEqual([consumes, ['application/json', 'text/plain', 'text/json']]);
    expect(produces?.[0]).toBe('text/plain');
    const patch = await openOperation(pages.page, 'ApiParcelByIdPatch');
    await patch.send({ id: 'nobody', 'Content-Type': 'application/merge-patch+json' });
    await (await openOperation(pages.page, 'ApiParcelPost')).send({ Accept: 'text/plain' });
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

  it('with a wrong value is sent, too, and marked by what the problem says of it, until somebody changes it', async () => {
    const list = await openOperation(await pages.open(), 'ApiParcelGet');
    await list.send({ limit: '0', after: 'nobody' });
    const marked = { isInvalid: true, description: expect.stringMatching(/^Must be an integer from 1 to 1000/) };
    expect(await fieldOf('ApiParcelGet', 'limit')).toMatchObject([marked]);
    expect(await fieldOf('ApiParcelGet', 'after')).toMatchObject([{ isInvalid: true }]);
    await list.field('limit').fill('1');
    expect(await fieldOf('ApiParcelGet', 'limit')).toMatchObject([{ isInvalid: false }]);
    const post = await openOperation(pages.page, 'ApiParcelPost');
    const bodies = ['{"', '{"label":" ","fragile":"yes"}'];
    for (const item of bodies) expect(await post.send({ item })).toMatch(/^400/);
    expect(pages.service.received[0]?.path).toBe('/api/parcel?limit=0&after=nobody');
    expect(pages.service.received.slice(1).map(({ body }) => body)).toEqual(bodies);
    const [body] = await fieldOf('ApiParcelPost', 'item');
    expect(body?.isInvalid).toBe(true);
    for (const pointer of ['#/label', '#/fragile']) expect(body?.description).toContain(pointer);
  });
});

describe('an id', () => {
  it.each(['a/b', 'a?b', 'a#b', '100%', 'a%2Fb', '%2e%2e', '...', ' ', '[ü] &=+\\', '\'"<>`', '😀', '\ud800'])(
    'is sent as it was typed: %s',
    async (id) => {
      expect(await (await openOperation(pages.page, 'ApiParcelByIdGet')).send({ id })).toMatch(/^404/);
      const [, sent] = /^\/api\/parcel\/([^/?#]*)$/.exec(pages.service.received[0]?.path as string) ?? [];
      expect(decodeURIComponent(sent as string)).toBe(id.replace('\ud800', '\ufffd'));
    },
  );

  it('is sent as it was typed in a query, too', async () => {
    await (await openOperation(pages.page, 'ApiParcelGet')).send({ limit: '', after: 'a&b=c#+%41' });
    expect(pages.service.received[0]?.path).toBe('/api/parcel?after=a%26b%3Dc%23%2B%2541');
  });
});

describe('a request that no browser can send', () => {
  it.each([
    ['id', '', /without id/i],
    ['id', '.', /browser/i],
    ['id', '..', /browser/i],
    ['If-Match', '“1”', /no such characters/],
  ])('is not sent: the field says why and gets the focus: %s with %j', async (name, value, reason) => {
    const remove = await openOperation(await pages.open(), 'ApiParcelByIdDelete');
    await remove.field('id').fill('nobody');
    await remove.field(name).fill(value);
    await remove.button('Send').click();
    const told = { isInvalid: true, hasFocus: true, description: expect.stringMatching(reason) };
    expect(await fieldOf('ApiParcelByIdDelete', name)).toMatchObject([told]);
    expect(pages.service.received).toEqual([]);
    expect(await remove.send({ [name]: '"x"' })).toMatch(/^404/);
    expect(await fieldOf('ApiParcelByIdDelete', name)).toMatchObject([{ isInvalid: false }]);
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

  it('is sent once, however often Send is pressed, and leaves the focus where somebody has put it meanwhile', async () => {
    const post = await openOperation(pages.page, 'ApiParcelPost');
    const list = await openOperation(pages.page, 'ApiParcelGet');
    const answer = pages.service.holdNext();
    const text = await post.answerTo(async () => {
      await post.field('item').focus();
      for (let presses = 0; presses < 3; presses += 1) await pages.page.keyboard.press('Control+Enter');
      await list.field('limit').focus();
      answer(jsonAnswer(201, { key: 'k', name: 'once' }));
    });
    expect(text).toMatch(/^201/);
    expect(pages.service.received).toHaveLength(1);
    expect(await fieldOf('ApiParcelGet', 'limit')).toMatchObject([{ hasFocus: true }]);
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
