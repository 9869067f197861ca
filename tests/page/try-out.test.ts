import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import swagger from '../../docs/swagger.json';
import { openOperation, tryOut } from '../support/page.js';
import { serve } from '../support/serve.js';
import { servePages } from '../support/served-pages.js';
import { type Service, startService } from '../support/service.js';

const pages = servePages();
let page: Page;

/** Loading the page takes longer than most tests: they share it where none disturbs the next. */
async function openAnew(): Promise<void> {
  await page?.context().close();
  ({ page } = await pages.open());
}

const idOf = async (operationId: string, on = page) =>
  (await openOperation(on, operationId)).locator('tr[data-param-name=id] input').inputValue();

/** The service with a page whose document has notes, too, which can be found by their ids. */
function withAnotherResource(service: Service): Service {
  const { get } = swagger.paths['/api/todo/{id}'];
  const notes = JSON.stringify({ '/api/note/{id}': { get: { ...get, operationId: 'ApiNoteByIdGet' } } });
  return {
    ...service,
    async call(method, path, request) {
      if (path !== '/swagger/ui') return service.call(method, path, request);
      const answer = await service.call(method, path);
      const text = answer.text.replace('"paths":{', () => `"paths":${notes.slice(0, -1)},`);
      return { ...answer, text, content: Buffer.from(text) };
    },
  };
}

describe('an answer on the page', () => {
  beforeAll(openAnew);

  it('is asked for as JSON, shown indented and coloured, and downloaded under a name that says so', async () => {
    const { request, body, shown } = await tryOut(page, 'ApiTodoGet');
    expect(request.headers().accept).toBe('application/json');
    expect(shown).toBe(JSON.stringify(JSON.parse(body), null, 2));
    const code = page.locator('.live-responses-table .highlight-code');
    const colours = await code
      .locator('pre span')
      .evaluateAll((spans: { style: { color: string } }[]) => spans.map(({ style }) => style.color));
    expect(new Set(colours).size).toBeGreaterThan(2);
    const [download] = await Promise.all([page.waitForEvent('download'), code.locator('.download-contents').click()]);
    expect(download.suggestedFilename()).toMatch(/\.json$/);
  });

  it('is covered by nothing', async () => {
    await tryOut(page, 'ApiTodoGet');
    const code = page.locator('.live-responses-table .highlight-code');
    const bottom = await code
      .locator('pre')
      .evaluate((pre: { getBoundingClientRect(): { bottom: number } }) => pre.getBoundingClientRect().bottom);
    for (const button of await code.locator('button').all()) {
      expect((await button.boundingBox())?.y).toBeGreaterThanOrEqual(bottom);
    }
  });
});

describe('what is wrong with a request', () => {
  beforeAll(openAnew);

  it.each([
    ['a blank name', '{"name":" "}', 'at least one character that is not white space'],
    ['a flag that is none', '{"name":"Walk the dog","isComplete":"yes"}', '#/isComplete'],
    ['no name', '{}', '#/name'],
    ['a body that is no JSON', '{"name":', 'not valid JSON'],
  ])('is for the service to say: %s', async (_, body, says) => {
    const { status, shown, request } = await tryOut(page, 'ApiTodoPost', { body });
    expect(request.postData()).toBe(body);
    expect(status).toBe(400);
    expect(shown).toContain(says);
  });

  it('is not a key that is no GUID where the service gives one', async () => {
    expect((await tryOut(page, 'ApiTodoPost', { body: { key: 'mine', name: 'Walk the dog' } })).status).toBe(201);
  });

  it('is for the service to say of a query, too', async () => {
    const list = await openOperation(page, 'ApiTodoGet');
    await list.locator('tr[data-param-name=limit] input').fill('0');
    const { status, shown } = await tryOut(page, 'ApiTodoGet');
    expect(status).toBe(400);
    expect(shown).toContain('"parameter": "limit"');
  });

  it('is said by the page where an id is missing: the path would be another', async () => {
    const called: string[] = [];
    page.on('request', (request) => called.push(request.url()));
    const remove = await openOperation(page, 'ApiTodoByIdDelete');
    await remove.locator('tr[data-param-name=id] input').fill('');
    await remove.locator('.execute').click();
    await remove.locator('.errors-wrapper', { hasText: 'Required field' }).waitFor();
    expect(called).toEqual([]);
    expect((await tryOut(page, 'ApiTodoByIdDelete', { id: 'nobody' })).status).toBe(404);
    expect(await remove.locator('.errors-wrapper').count()).toBe(0);
  });
});

describe('an item just created', () => {
  it('is offered to the other operations, whether they are open already or not', async () => {
    await openAnew();
    await openOperation(page, 'ApiTodoByIdPut');
    for (const name of ['Walk the dog', 'Feed the cat']) {
      const created = JSON.parse((await tryOut(page, 'ApiTodoPost', { body: { name } })).body);
      for (const id of ['ApiTodoByIdGet', 'ApiTodoByIdPut', 'ApiTodoByIdPatch', 'ApiTodoByIdDelete']) {
        expect(await idOf(id)).toBe(created.key);
      }
      const replacing = await page.locator('#operations-Todo-ApiTodoByIdPut textarea').inputValue();
      expect(JSON.parse(replacing)).toEqual(created);
      expect((await tryOut(page, 'ApiTodoByIdPut')).status).toBe(204);
      expect((await tryOut(page, 'ApiTodoByIdPatch')).status).toBe(204);
    }
    expect((await tryOut(page, 'ApiTodoByIdDelete')).status).toBe(204);
  });

  it('is offered to an operation opened later', async () => {
    await openAnew();
    const { key } = JSON.parse((await tryOut(page, 'ApiTodoPost')).body);
    const put = await tryOut(page, 'ApiTodoByIdPut');
    expect(put.status).toBe(204);
    expect(put.request.url()).toBe(`${pages.url}/api/todo/${key}`);
    expect(put.request.postDataJSON().key).toBe(key);
  });

  it('is not offered to the operations of another resource', async () => {
    const served = await serve(withAnotherResource(startService()));
    const { page } = await pages.open({}, served.url);
    const { key } = JSON.parse((await tryOut(page, 'ApiTodoPost')).body);
    expect(await idOf('ApiTodoByIdGet', page)).toBe(key);
    expect(await idOf('ApiNoteByIdGet', page)).toBe('');
    await page.context().close();
    served.stop();
  });

  it('does not take the place of what was typed', async () => {
    const put = await openOperation(page, 'ApiTodoByIdPut');
    await put.locator('tr[data-param-name=id] input').fill('typed');
    await put.locator('textarea').fill('{"key":"typed"}');
    await put.locator('textarea').blur();
    await page.waitForTimeout(400);
    await tryOut(page, 'ApiTodoPost');
    expect(await idOf('ApiTodoByIdPut')).toBe('typed');
    expect(await put.locator('textarea').inputValue()).toBe('{"key":"typed"}');
  });
});

describe('an operation on the page', () => {
  beforeAll(openAnew);

  it.each(['Control', 'Meta'])('is executed by %s and Enter, with what was typed just now', async (modifier) => {
    const find = await openOperation(page, 'ApiTodoByIdGet');
    const id = find.locator('tr[data-param-name=id] input');
    await id.fill('');
    await id.pressSequentially(`typed-before-${modifier}`);
    const sent = page.waitForRequest((request) => request.url().endsWith(`/api/todo/typed-before-${modifier}`));
    await page.keyboard.press(`${modifier}+Enter`);
    await sent;
    const create = await openOperation(page, 'ApiTodoPost');
    await create.locator('textarea').fill(`{"name":"Typed before ${modifier}"}`);
    const posted = page.waitForRequest((request) => request.method() === 'POST');
    await page.keyboard.press(`${modifier}+Enter`);
    expect((await posted).postData()).toBe(`{"name":"Typed before ${modifier}"}`);
  });

  it.each(['a/b', 'a?b', 'a#b', '100%', 'a%2Fb', '[ü] &=+'])('sends the id %s as it is', async (id) => {
    const { status, request } = await tryOut(page, 'ApiTodoByIdGet', { id });
    expect(request.url()).toBe(`${pages.url}/api/todo/${encodeURIComponent(id)}`);
    expect(status).toBe(404);
  });

  it('has its errors folded, each with an example that could be real', async () => {
    await openAnew();
    for (const operation of await page.locator('.opblock').all()) {
      await operation.locator('.opblock-summary-control').click();
      await operation.locator('.fold-control').first().waitFor();
      const promised = await operation.locator('.response[data-code]').count();
      for (const control of await operation.locator('.fold-control').all()) {
        expect(await control.getAttribute('aria-expanded')).toBe('false');
        await control.click();
      }
      const codes = await operation
        .locator('.unfolded')
        .evaluateAll((rows: { dataset: { code: string } }[]) => rows.map(({ dataset }) => dataset.code));
      expect(codes.length).toBeGreaterThan(2);
      for (const code of codes) {
        const text = await operation.locator(`.unfolded[data-code="${code}"] pre`).textContent();
        const example = JSON.parse(text as string);
        expect(example).toMatchObject({ type: 'about:blank', status: Number(code) });
        expect(JSON.stringify(example)).not.toMatch(/"string"|:0\b/);
      }
      expect(await operation.locator('.response[data-code]').count()).toBe(promised + codes.length);
    }
  });
});
