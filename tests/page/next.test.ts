import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Document } from '../../docs/page/markup/swagger-document.js';
import { parcelOperations, parcelsDocument } from '../support/browser/documents.js';
import { openOperation, until } from '../support/browser/page.js';
import { jsonAnswer, servePages } from '../support/browser/served-pages.js';
import { type Answer, answerOf } from '../support/service/answer.js';

const pages = servePages();

const open = (operationId: string) => openOperation(pages.page, operationId);

const create = async (name: string) => {
  expect(await (await open('ApiParcelPost')).send({ item: JSON.stringify({ label: name }) })).toMatch(/^201/);
  return (await pages.service.call('GET', '/api/parcel')).json.at(-1);
};

const fieldValue = async (operationId: string, name: string) => (await open(operationId)).field(name).inputValue();

const bodyOf = async (operationId: string) => JSON.parse(await fieldValue(operationId, 'item'));

const operationWithFocus = () => pages.page.evaluate('document.activeElement.closest("details[id]").id');

/** The document of a service that has packets as well, which are described like parcels. */
function withPackets(): Document {
  const { paths } = JSON.parse(JSON.stringify(parcelsDocument).replaceAll('arcel', 'acket')) as Document;
  return { ...parcelsDocument, paths: { ...paths, ...parcelsDocument.paths } };
}

const isOpen = (operationId: string) => pages.page.evaluate(`document.getElementById('${operationId}').open`);

describe('an item', () => {
  it('just created fills in the ids and the body of PUT where nobody typed, in open and in closed operations', async () => {
    await pages.open();
    await open('ApiParcelByIdPut');
    for (const name of ['first', 'second']) {
      const item = await create(name);
      for (const { operationId } of parcelOperations.filter(({ path }) => path.endsWith('{id}'))) {
        expect(await fieldValue(operationId, 'id')).toBe(item.key);
      }
      expect(await bodyOf('ApiParcelByIdPut')).toEqual(item);
      expect(await bodyOf('ApiParcelByIdPatch')).not.toHaveProperty('key');
    }
  });

  it("is offered in the same way when it was got, and PUT's body gets the key that somebody has put into its path", async () => {
    await pages.open();
    const posted = ['first', 'second'].map((label) => pages.service.call('POST', '/api/parcel', { body: { label } }));
    const [first, second] = (await Promise.all(posted)).map(({ json }) => json);
    await (await open('ApiParcelByIdGet')).send({ id: first.key });
    expect(await fieldValue('ApiParcelByIdDelete', 'id')).toBe(first.key);
    expect(await bodyOf('ApiParcelByIdPut')).toEqual(first);
    const put = await open('ApiParcelByIdPut');
    expect(await put.send()).toMatch(/^204/);
    expect(await put.send({ id: second.key })).toMatch(/^204/);
  });

  it('that is the first of a list fills in the ids that are empty or not on the list, and no other', async () => {
    const page = await pages.open();
    const ids = async () => [await fieldValue('ApiParcelByIdGet', 'id'), await fieldValue('ApiParcelByIdDelete', 'id')];
    const list = await open('ApiParcelGet');
    await list.send();
    const [first] = (await pages.service.call('GET', '/api/parcel')).json;
    expect(await ids()).toEqual([first.key, first.key]);
    // So Send would change nothing: with the example's members, it would make another item of it.
    expect(await bodyOf('ApiParcelByIdPut')).toEqual(first);
    const { key } = await create('later');
    await list.send();
    expect(await ids()).toEqual([key, key]);
    await (await open('ApiParcelByIdGet')).field('id').fill('typed');
    expect(await (await open('ApiParcelByIdDelete')).send()).toMatch(/^204/);
    await list.send();
    expect(await ids()).toEqual(['typed', first.key]);
    await page.reload();
    for (const [listed, offered] of [
      [[], ''],
      [null, ''],
      [[null, { key: {} }], ''],
      [[{ key: 7 }], '7'],
      [[{ key: 'a/b \ud800' }], 'a/b \ufffd'],
    ] as const) {
      await pages.open();
      pages.service.answerNext(jsonAnswer(200, listed));
      await list.send();
      expect(await fieldValue('ApiParcelByIdDelete', 'id')).toBe(offered);
    }
  });

  it('is not offered to PUT under an id that somebody typed, which it would replace', async () => {
    await pages.open();
    const put = await open('ApiParcelByIdPut');
    const { label } = await bodyOf('ApiParcelByIdPut');
    await put.field('id').fill('typed');
    await create('created');
    expect(await bodyOf('ApiParcelByIdPut')).toMatchObject({ key: 'typed', label });
    await (await open('ApiParcelGet')).send();
    expect(await bodyOf('ApiParcelByIdPut')).toMatchObject({ key: 'typed', label });
  });

  it('does not overwrite what somebody typed, and fills in nothing in operations of another resource', async () => {
    await pages.open('', withPackets());
    const put = await open('ApiParcelByIdPut');
    const typed = JSON.stringify({ key: 'first', label: 'typed' });
    await put.field('item').fill(typed);
    await put.field('id').fill('typed');
    const { key } = await create('a');
    expect(await put.field('id').inputValue()).toBe('typed');
    expect(await put.field('item').inputValue()).toBe(typed);
    expect(await fieldValue('ApiParcelByIdGet', 'id')).toBe(key);
    expect(await fieldValue('ApiPacketByIdGet', 'id')).toBe('');
  });
});

describe('an entity tag', () => {
  beforeEach(() => pages.open());

  it('is offered for If-Match of its own item, and of no other', async () => {
    await create('a');
    const patch = await open('ApiParcelByIdPatch');
    await patch.button('Use "1"').click();
    expect(await patch.field('If-Match').inputValue()).toBe('"1"');
    expect(await operationWithFocus()).toBe('ApiParcelByIdPatch');
    expect(await patch.send()).toMatch(/^204/);
    expect(pages.service.received.at(-1)?.headers['if-match']).toBe('"1"');
    const remove = await open('ApiParcelByIdDelete');
    await remove.button('Use "2"').waitFor();
    await remove.field('id').fill('another');
    expect(await remove.button(/^Use "/).count()).toBe(0);
  });

  it('that is out of date can be replaced by the current one after 412, without typing', async () => {
    const { key } = await create('a');
    const put = await open('ApiParcelByIdPut');
    await put.button('Use "1"').click();
    await pages.service.call('PATCH', `/api/parcel/${key}`, { body: { fragile: true } });
    expect(await put.send()).toMatch(/^412/);
    await put.button(/current/i).click();
    await until(pages.page, `document.querySelector('#ApiParcelByIdPut [name="If-Match"]').value === '"2"'`);
    expect(await operationWithFocus()).toBe('ApiParcelByIdPut');
    expect(pages.service.received.filter(({ method }) => method === 'PUT')).toHaveLength(1);
    const told = await put.status.textContent();
    expect(told).toMatch(
      /^412 .*Nothing was changed\. This is the item as it is now, .* "2": Send applies this PUT to it\./,
    );
    expect(told).toContain(`"key": "${key}"`);
    expect(await put.send()).toMatch(/^204/);
    // Its answer has no entity tag, and the one before is out of date.
    await put.field('If-Match').fill('');
    expect(await put.button(/^Use "/).count()).toBe(0);
  });
});

describe('earlier answers', () => {
  const earlier = async () => (await open('ApiParcelPost')).element.locator('[data-exchange=before] > details');
  const post = async (answer: Answer) => {
    pages.service.answerNext(answer);
    return (await open('ApiParcelPost')).send();
  };

  it('are listed under their operation, the newest first, ten at most, each with its body, until the page is left', async () => {
    const page = await pages.open();
    await post(jsonAnswer(201, { label: 'answer 0' }));
    expect(await (await earlier()).count()).toBe(0);
    expect(await page.getByText('Earlier answers').first().isVisible()).toBe(false);
    for (let number = 1; number <= 12; number++) await post(jsonAnswer(201, { label: `answer ${number}` }));
    await page.locator('#ApiParcelPost').getByText('Earlier answers').click();
    const entries = await earlier();
    expect(await entries.count()).toBe(10);
    expect(await entries.first().locator('summary').textContent()).toBe('201 Created, POST /api/parcel');
    await entries.first().locator('summary').click();
    expect(await entries.locator('pre:visible').allTextContents()).toEqual(['{\n  "label": "answer 11"\n}']);
    expect(await entries.last().locator('pre').textContent()).toContain('"answer 2"');
    expect(await page.locator('#ApiParcelGet [data-exchange=before] > *').count()).toBe(0);
    await page.reload();
    expect(await (await earlier()).count()).toBe(0);
  });

  it('have all of a long body, and none where there was none', async () => {
    await pages.open();
    const label = Array.from({ length: 5_000 }, (_, number) => number).join(' ');
    await post(jsonAnswer(201, { label }));
    await post(answerOf(204, {}, Buffer.alloc(0)));
    await post(jsonAnswer(201, {}));
    const entries = await earlier();
    await (await open('ApiParcelPost')).element.getByText('Earlier answers').click();
    for (const entry of await entries.all()) await entry.locator('summary').click();
    await until(pages.page, `document.querySelector('#ApiParcelPost [data-exchange=before] .block')`);
    const [none, long] = await entries.all();
    expect(await none?.locator('pre').count()).toBe(0);
    expect(JSON.parse((await long?.locator('pre').textContent()) as string)).toEqual({ label });
  });
});

describe('what was typed', () => {
  it('is still there after a reload, in this tab and for this service alone, though others may have the same origin', async () => {
    const page = await pages.open();
    const put = await open('ApiParcelByIdPut');
    const typed = { id: 'typed', 'If-Match': '"7"', item: JSON.stringify({ label: 'typed 😀' }) };
    for (const [name, value] of Object.entries(typed)) await put.field(name).fill(value);
    await put.field('Content-Type').selectOption('text/json');
    await page.reload();
    for (const [name, value] of Object.entries({ ...typed, 'Content-Type': 'text/json' })) {
      expect(await fieldValue('ApiParcelByIdPut', name)).toBe(value);
    }
    expect(pages.service.received).toEqual([]);
    const other = await page.context().newPage();
    await other.goto(page.url());
    expect(await other.locator('#ApiParcelByIdPut [name=id]').inputValue()).toBe('');
    await other.close();
    await page.route('**/live/swagger/ui', async (route) =>
      route.fulfill({ response: await page.request.get(`${pages.url}/swagger/ui`) }),
    );
    await page.goto(`${pages.url}/live/swagger/ui`);
    expect(await fieldValue('ApiParcelByIdPut', 'id')).toBe('');
    await page.unroute('**/live/swagger/ui');
  });

  it('for one of two operations with the same method is not in the other after a reload', async () => {
    const page = await pages.open('', withPackets());
    const ids = ['ApiPacketPost', 'ApiParcelPost'];
    await (await open('ApiPacketPost')).field('item').fill('{"label":"a packet"}');
    await (await open('ApiParcelPost')).field('Accept').selectOption('text/json');
    await page.reload();
    const example = JSON.stringify(await bodyOf('ApiParcelPost'));
    expect(example).not.toContain('a packet');
    expect(await Promise.all(ids.map((id) => fieldValue(id, 'Accept')))).toEqual(['application/json', 'text/json']);
    expect(await bodyOf('ApiPacketPost')).toEqual({ label: 'a packet' });
  });

  it('in a body can be replaced by the example, and is no longer there after it was deleted', async () => {
    const page = await pages.open();
    const post = await open('ApiParcelPost');
    const example = await post.field('item').inputValue();
    expect(await post.button('Use the example').isVisible()).toBe(false);
    await post.field('item').fill('typed');
    await post.field('item').fill('');
    await post.button('Use the example').click();
    expect(await post.field('item').inputValue()).toBe(example);
    expect(await operationWithFocus()).toBe('ApiParcelPost');
    await post.field('item').fill('');
    await page.reload();
    expect(['', example]).toContain(await fieldValue('ApiParcelPost', 'item'));
  });

  it('does no harm if the tab has stored something else', async () => {
    await pages.open();
    for (const kept of ['nonsense', 'null', `{"POST /api/parcel body item":7}`]) {
      await pages.page.evaluate(`sessionStorage.setItem('fields /', ${JSON.stringify(kept)})`);
      await pages.page.reload();
      expect(await (await open('ApiParcelPost')).send()).toMatch(/^201/);
    }
  });
});

describe('a link to an operation', () => {
  it('opens it, and scrolls it into view', async () => {
    const page = await pages.open(`#ApiParcelByIdDelete`);
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
    expect(await isOpen('ApiParcelByIdPut')).toBe(true);
    await summary.click();
    await until(page, `location.hash === ''`);
  });
});
