import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { documentOf, parcelOperations } from '../support/browser/documents.js';
import { openOperation, until } from '../support/browser/page.js';
import { servePages } from '../support/browser/served-pages.js';

const pages = servePages();

const create = async (page: Page, name: string) => {
  const post = await openOperation(page, 'ApiParcelPost');
  expect(await post.send({ item: JSON.stringify({ label: name }) })).toMatch(/^201/);
  return (await pages.service.call('GET', '/api/parcel')).json.at(-1);
};

const fieldValue = async (page: Page, operationId: string, name: string) =>
  (await openOperation(page, operationId)).field(name).inputValue();

const operationWithFocus = (page: Page) => page.evaluate('document.activeElement.closest("details[id]").id');

describe('an item just created', () => {
  it('fills in the ids and the body of PUT where nobody typed, in open and in closed operations', async () => {
    const page = await pages.open();
    await openOperation(page, 'ApiParcelByIdPut');
    for (const name of ['first', 'second']) {
      const item = await create(page, name);
      for (const { operationId } of parcelOperations.filter(({ path }) => path.endsWith('{id}'))) {
        expect(await fieldValue(page, operationId, 'id')).toBe(item.key);
      }
      expect(JSON.parse(await fieldValue(page, 'ApiParcelByIdPut', 'item'))).toEqual(item);
      expect(JSON.parse(await fieldValue(page, 'ApiParcelByIdPatch', 'item'))).not.toHaveProperty('key');
    }
  });

  it('is offered in the same way when it was got', async () => {
    const page = await pages.open();
    const [first] = (await pages.service.call('GET', '/api/parcel')).json;
    await (await openOperation(page, 'ApiParcelByIdGet')).send({ id: first.key });
    expect(await fieldValue(page, 'ApiParcelByIdDelete', 'id')).toBe(first.key);
    expect(JSON.parse(await fieldValue(page, 'ApiParcelByIdPut', 'item'))).toEqual(first);
    expect(await (await openOperation(page, 'ApiParcelByIdPut')).send()).toMatch(/^204/);
  });

  it("gives PUT's body the key that somebody has put into the path", async () => {
    const put = await openOperation(await pages.open(), 'ApiParcelByIdPut');
    const [first] = (await pages.service.call('GET', '/api/parcel')).json;
    expect(await put.send({ id: first.key })).toMatch(/^204/);
  });

  it('does not overwrite what somebody typed', async () => {
    const page = await pages.open();
    const put = await openOperation(page, 'ApiParcelByIdPut');
    const typed = JSON.stringify({ key: 'first', label: 'typed' });
    await put.field('item').fill(typed);
    await put.field('id').fill('typed');
    const { key } = await create(page, 'a');
    expect(await put.field('id').inputValue()).toBe('typed');
    expect(await put.field('item').inputValue()).toBe(typed);
    expect(await fieldValue(page, 'ApiParcelByIdGet', 'id')).toBe(key);
  });

  it('fills in nothing in operations of another resource', async () => {
    pages.serveInstead(documentOf(3));
    const page = await pages.open();
    const { key } = await create(page, 'a');
    const ids = ['Parcel', 'Invoice', 'Customer'].map((name) => fieldValue(page, `Api${name}ByIdGet`, 'id'));
    expect(await Promise.all(ids)).toEqual([key, '', '']);
  });
});

describe('an entity tag', () => {
  it('is offered for If-Match of its own item, and of no other', async () => {
    const page = await pages.open();
    await create(page, 'a');
    const patch = await openOperation(page, 'ApiParcelByIdPatch');
    await patch.button('Use "1"').click();
    expect(await patch.field('If-Match').inputValue()).toBe('"1"');
    expect(await operationWithFocus(page)).toBe('ApiParcelByIdPatch');
    expect(await patch.send()).toMatch(/^204/);
    expect(pages.service.received.at(-1)?.headers['if-match']).toBe('"1"');
    const remove = await openOperation(page, 'ApiParcelByIdDelete');
    await remove.button('Use "2"').waitFor();
    await remove.field('id').fill('another');
    expect(await remove.button(/^Use "/).count()).toBe(0);
  });

  it('that is out of date can be replaced by the current one after 412, without typing', async () => {
    const page = await pages.open();
    const { key } = await create(page, 'a');
    const put = await openOperation(page, 'ApiParcelByIdPut');
    await put.button('Use "1"').click();
    await pages.service.call('PATCH', `/api/parcel/${key}`, { body: { fragile: true } });
    expect(await put.send()).toMatch(/^412/);
    await put.button(/current/i).click();
    await until(page, `document.querySelector('#ApiParcelByIdPut [name="If-Match"]').value === '"2"'`);
    expect(await operationWithFocus(page)).toBe('ApiParcelByIdPut');
    expect(pages.service.received.filter(({ method }) => method === 'PUT')).toHaveLength(1);
    const told = await put.status.textContent();
    expect(told).toMatch(
      /^412 .*Nothing was changed\. This is the item as it is now, .* "2": Send applies this PUT to it\./,
    );
    expect(told).toContain(`"key": "${key}"`);
    expect(await put.send()).toMatch(/^204/);
  });
});

describe('what was typed', () => {
  it('is still there after a reload, in this tab alone', async () => {
    const page = await pages.open();
    const put = await openOperation(page, 'ApiParcelByIdPut');
    const typed = { id: 'typed', 'If-Match': '"7"', item: JSON.stringify({ label: 'typed 😀' }) };
    for (const [name, value] of Object.entries(typed)) await put.field(name).fill(value);
    await put.field('Content-Type').selectOption('text/json');
    await page.reload();
    for (const [name, value] of Object.entries({ ...typed, 'Content-Type': 'text/json' })) {
      expect(await fieldValue(page, 'ApiParcelByIdPut', name)).toBe(value);
    }
    expect(pages.service.received).toEqual([]);
    const other = await page.context().newPage();
    await other.goto(page.url());
    expect(await fieldValue(other, 'ApiParcelByIdPut', 'id')).toBe('');
    await other.close();
  });

  it('is kept for this service alone, though others may have the same origin', async () => {
    const page = await pages.open();
    await (await openOperation(page, 'ApiParcelByIdGet')).field('id').fill('typed');
    await page.route('**/live/swagger/ui', async (route) =>
      route.fulfill({ response: await page.request.get(page.url()) }),
    );
    await page.goto(`${pages.url}/live/swagger/ui`);
    expect(await fieldValue(page, 'ApiParcelByIdGet', 'id')).toBe('');
    await page.goBack();
    expect(await fieldValue(page, 'ApiParcelByIdGet', 'id')).toBe('typed');
    await page.unroute('**/live/swagger/ui');
  });

  it('in a body can be replaced by the example, and is no longer there after it was deleted', async () => {
    const page = await pages.open();
    const post = await openOperation(page, 'ApiParcelPost');
    const example = await post.field('item').inputValue();
    expect(await post.button('Use the example').isVisible()).toBe(false);
    await post.field('item').fill('typed');
    await post.field('item').fill('');
    await post.button('Use the example').click();
    expect(await post.field('item').inputValue()).toBe(example);
    expect(await operationWithFocus(page)).toBe('ApiParcelPost');
    await post.field('item').fill('');
    await page.reload();
    expect(['', example]).toContain(await fieldValue(page, 'ApiParcelPost', 'item'));
  });

  it('does no harm if the tab has stored something else', async () => {
    const page = await pages.open();
    for (const kept of ['nonsense', 'null', `{"POST /api/parcel body item":7}`]) {
      await page.evaluate(`sessionStorage.setItem('fields /', ${JSON.stringify(kept)})`);
      await page.reload();
      expect(await (await openOperation(page, 'ApiParcelPost')).send()).toMatch(/^201/);
    }
  });
});

describe('a link to an operation', () => {
  it('opens it, and scrolls it into view', async () => {
    const page = await pages.open(`#ApiParcelByIdDelete`);
    const isOpen = (operationId: string) => page.evaluate(`document.getElementById('${operationId}').open`);
    expect(await isOpen('ApiParcelByIdDelete')).toBe(true);
    const top = `document.getElementById('ApiParcelByIdDelete').getBoundingClientRect().top`;
    expect(await page.evaluate(`${top} < innerHeight`)).toBe(true);
    await page.evaluate(`location.hash = "ApiParcelPost"`);
    await until(page, `document.getElementById("ApiParcelPost").open`);
    expect(await isOpen('ApiParcelGet')).toBe(false);
    expect(pages.service.received).toEqual([]);
  });

  it('is in the address as long as the operation is open, so that a reload shows it again', async () => {
    const page = await pages.open();
    const summary = page.locator(`#ApiParcelByIdPut > summary`);
    await summary.click();
    await until(page, `location.hash === '#ApiParcelByIdPut'`);
    await page.reload();
    expect(await page.evaluate(`document.getElementById('ApiParcelByIdPut').open`)).toBe(true);
    await summary.click();
    await until(page, `location.hash === ''`);
  });
});
