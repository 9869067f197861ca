import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import swagger from '../../docs/swagger.json';
import { type Operation, openOperation, until, within } from '../support/browser/page.js';
import { jsonAnswer } from '../support/browser/scripted.js';
import { servePages } from '../support/browser/served-pages.js';
import { anItem, COLLECTION, INVALID, OPERATIONS, SCHEMA } from '../support/service/resource.js';

const pages = servePages();

const operations = Object.entries<object>(swagger.paths).flatMap(([path, methods]) =>
  Object.entries<Described>(methods as never).map(([method, described]) => ({ path, method, ...described })),
);

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly parameters: readonly { name: string; type?: string; required: boolean; description: string }[];
}

const isInvalid = async (operation: Operation, name: string) =>
  (await operation.field(name).getAttribute('aria-invalid')) === 'true';

const hasFocus = (operation: Operation, name: string) =>
  within<boolean>(operation.field(name), 'element === document.activeElement');

/** What an element is described by, for those who can't see it. */
const descriptionOf = (operation: Operation, name: string) =>
  within<string>(
    operation.field(name),
    `['aria-describedby', 'aria-errormessage']
    .flatMap((attribute) => (element.getAttribute(attribute) ?? '').split(' ').filter(Boolean))
    .map((id) => document.getElementById(id).textContent).join(' ')`,
  );

describe('the page', () => {
  it('lists all operations, closed, each with its method, path and summary, and asks for nothing but itself', async () => {
    const { page } = await pages.open();
    const listed = `[...document.querySelectorAll('details[id]')].filter((one) => one.querySelector('[role=status]'))`;
    expect(await page.evaluate(`${listed}.map(({ id, open }) => [id, open])`)).toEqual(
      operations.map(({ operationId }) => [operationId, false]),
    );
    for (const { operationId, method, path, summary } of operations) {
      const text = (await page.locator(`details[id="${operationId}"] > summary`).textContent())?.replace(/\s+/g, ' ');
      for (const part of [method.toUpperCase(), path, summary.replace(/\.$/, '')]) expect(text).toContain(part);
    }
    expect(await page.title()).toBe(swagger.info.title);
    expect(pages.service.received).toEqual([]);
    expect(await page.evaluate('performance.getEntriesByType("resource").length')).toBe(0);
  });

  it('sends each operation as it is described', async () => {
    const { page } = await pages.open();
    const sent = async (operationId: string) => (await (await openOperation(page, operationId)).send()).slice(0, 3);
    expect(await sent(OPERATIONS.create)).toBe('201');
    expect(await sent(OPERATIONS.list)).toBe('200');
    expect(await sent(OPERATIONS.find)).toBe('200');
    expect(await sent(OPERATIONS.patch)).toBe('204');
    expect(await sent(OPERATIONS.replace)).toBe('204');
    expect(await sent(OPERATIONS.remove)).toBe('204');
    const { received } = pages.service;
    const item = `${COLLECTION}/${JSON.parse(received[4]?.body as string).key}`;
    expect(received.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `POST ${COLLECTION}`,
      `GET ${COLLECTION}`,
      `GET ${item}`,
      `PATCH ${item}`,
      `PUT ${item}`,
      `DELETE ${item}`,
    ]);
    for (const { headers, body } of received) {
      expect(headers['content-type']).toBe(body && 'application/json');
      if (headers.accept !== '*/*') expect(headers.accept).toMatch(/^application\/json/);
    }
    const { key: _key, ...writable } = SCHEMA.properties;
    expect(Object.keys(JSON.parse(received[0]?.body as string))).toEqual(Object.keys(writable));
  });
});

describe('a field', () => {
  it('is found by its label, which begins with its name and says its type, whether it is required, and what it is', async () => {
    const { page } = await pages.shared();
    for (const { operationId, parameters } of operations) {
      const operation = await openOperation(page, operationId);
      for (const { name, type, required, description } of parameters) {
        expect([name, await operation.field(name).count()]).toEqual([name, 1]);
        const label = await within<string>(operation.field(name), 'element.labels[0].textContent');
        const said = `${label} ${await descriptionOf(operation, name)}`.replace(/\s+/g, ' ');
        for (const part of [...(type ? [type] : []), ...(required ? ['required'] : [])]) expect(said).toContain(part);
        expect(said).toContain(description.split('.')[0]?.slice(0, 30));
      }
    }
    const list = await openOperation(page, OPERATIONS.list);
    expect(
      (await list.field('limit').getAttribute('inputmode')) ?? (await list.field('limit').getAttribute('type')),
    ).toMatch(/^num/);
  });

  it('offers media types where there is a choice, JSON first, and sends what was chosen', async () => {
    const { page } = await pages.shared();
    for (const { operationId, consumes, produces } of operations) {
      const operation = await openOperation(page, operationId);
      for (const [name, types] of [
        ['Content-Type', consumes],
        ['Accept', produces],
      ] as const) {
        const choices = await operation.field(name).locator('option').allTextContents();
        expect([operationId, name, [...choices].sort()]).toEqual([operationId, name, [...types].sort()]);
        if (types.length > 0) expect(choices[0]).toBe('application/json');
      }
    }
    const patch = await openOperation(page, OPERATIONS.patch);
    await patch.field('Content-Type').selectOption('application/merge-patch+json');
    await patch.field('id').fill('nobody');
    await patch.send();
    const post = await openOperation(page, OPERATIONS.create);
    await post.field('Accept').selectOption('text/plain');
    await post.send();
    const [patched, posted] = pages.service.received;
    expect(patched?.headers['content-type']).toBe('application/merge-patch+json');
    expect(posted?.headers.accept).toBe('text/plain');
  });

  it('that is left empty is not sent, and a body that was emptied is none', async () => {
    const { page } = await pages.open();
    await (await openOperation(page, OPERATIONS.list)).send();
    const post = await openOperation(page, OPERATIONS.create);
    await post.field('item').fill('');
    expect(await post.send()).toMatch(/^400/);
    const [listed, posted] = pages.service.received;
    expect(listed?.path).toBe(COLLECTION);
    expect(posted?.body).toBeUndefined();
    for (const header of ['if-match', 'if-none-match']) expect(posted?.headers).not.toHaveProperty(header);
  });

  it.each([
    [OPERATIONS.create, 'item', '{"'],
    [OPERATIONS.create, 'item', JSON.stringify(INVALID)],
    [OPERATIONS.list, 'limit', '0'],
    [OPERATIONS.list, 'after', 'nobody'],
  ])('of %s leaves it to the service to say what is wrong: %s as %s', async (operationId, name, value) => {
    const { page } = await pages.shared();
    const operation = await openOperation(page, operationId);
    await operation.field(name).fill(value);
    expect(await operation.send()).toMatch(/^400/);
    await operation.field(name).fill('');
    const [received] = pages.service.received;
    expect(name === 'item' ? received?.body : received?.path).toBe(
      name === 'item' ? value : `${COLLECTION}?${name}=${value}`,
    );
  });
});

describe('Control or Command and Enter', () => {
  it.each([
    ['Control', OPERATIONS.find, 'id', 'typed'],
    ['Meta', OPERATIONS.find, 'id', 'typed'],
    ['Control', OPERATIONS.create, 'item', JSON.stringify(anItem('typed'))],
    ['Meta', OPERATIONS.create, 'item', JSON.stringify(anItem('typed'))],
  ])('sends: %s in %s, with what was typed just now', async (modifier, operationId, name, value) => {
    const { page } = await pages.shared();
    const operation = await openOperation(page, operationId);
    await operation.field(name).fill('');
    await operation.field(name).pressSequentially(value);
    await operation.send(() => page.keyboard.press(`${modifier}+Enter`));
    expect(pages.service.received).toHaveLength(1);
    expect(name === 'item' ? pages.service.received[0]?.body : pages.service.received[0]?.path).toContain(value);
    expect(await hasFocus(operation, name)).toBe(true);
  });
});

describe('an id', () => {
  it.each(['a/b', 'a?b', 'a#b', '100%', 'a%2Fb', '%2e%2e', '...', ' ', '[ü] &=+\\', '\'"<>`', '😀'])(
    'is sent as it was typed: %s',
    async (id) => {
      const { page } = await pages.shared();
      const find = await openOperation(page, OPERATIONS.find);
      await find.field('id').fill(id);
      expect(await find.send()).toMatch(/^404/);
      const [, sent] = new RegExp(`^${COLLECTION}/([^/?#]*)$`).exec(pages.service.received[0]?.path as string) ?? [];
      expect(decodeURIComponent(sent as string)).toBe(id);
    },
  );

  it.each([
    ['', /without id/i],
    ['.', /browser/i],
    ['..', /browser/i],
  ])('%j is refused at the field, which says why and gets the focus', async (id, reason) => {
    const { page } = await pages.shared();
    const remove = await openOperation(page, OPERATIONS.remove);
    await remove.field('id').fill(id);
    await remove.button('Send').click();
    expect(await isInvalid(remove, 'id')).toBe(true);
    expect(await hasFocus(remove, 'id')).toBe(true);
    expect(await descriptionOf(remove, 'id')).toMatch(reason);
    expect(pages.service.received).toEqual([]);
    await remove.field('id').fill('nobody');
    expect(await remove.send()).toMatch(/^404/);
    expect(await isInvalid(remove, 'id')).toBe(false);
  });
});

describe('what no browser can send', () => {
  it.each([
    [OPERATIONS.find, 'id', '\ud800'],
    [OPERATIONS.remove, 'If-Match', '“1”'],
  ])('is told and not lost: %s with %s as %j', async (operationId, name, value) => {
    const { page } = await pages.shared();
    const operation = await openOperation(page, operationId);
    await operation.field('id').fill('nobody');
    const typed = `[element.value = ${JSON.stringify(value)}, element.dispatchEvent(new Event('input', { bubbles: true }))]`;
    await within(operation.field(name), typed);
    await operation.button('Send').click();
    const told = `details[id="${operationId}"] :is([role=status]:not(:empty), [aria-invalid=true])`;
    await until(page, `!!document.querySelector('${told}')`);
    expect(pages.service.received.every(({ path }) => path.endsWith('%EF%BF%BD'))).toBe(true);
  });
});

describe('a request under way', () => {
  it('can be cancelled, and sent again', async () => {
    const { page } = await pages.open();
    const list = await openOperation(page, OPERATIONS.list);
    pages.service.answerNext(new Promise(() => {}));
    const failed = page.waitForEvent('requestfailed');
    await list.button('Send').click();
    await list.button('Cancel').click();
    await failed;
    await until(page, IDLE);
    expect(await list.status.textContent()).toMatch(/cancel/i);
    expect(await focusIsIn(page, OPERATIONS.list)).toBe(true);
    expect(await list.send()).toMatch(/^200/);
    expect(pages.service.received).toHaveLength(2);
  });

  it('is sent once, however often Send is pressed', async () => {
    const { page } = await pages.shared();
    const post = await openOperation(page, OPERATIONS.create);
    let answer: (answer: ReturnType<typeof jsonAnswer>) => void = () => {};
    pages.service.answerNext(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    const text = post.send(async () => {
      await post.field('item').focus();
      for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Control+Enter');
      answer(jsonAnswer(201, { key: 'k', name: 'once' }));
    });
    expect(await text).toMatch(/^201/);
    expect(pages.service.received).toHaveLength(1);
  });

  it('that reaches nobody says so, and that a write may have been applied', async () => {
    const { page } = await pages.open();
    await page.route(`**${COLLECTION}`, (route) => route.abort('connectionreset'));
    const post = await openOperation(page, OPERATIONS.create);
    await post.button('Send').click();
    await post.status.filter({ hasText: /may have/i }).waitFor();
    const list = await openOperation(page, OPERATIONS.list);
    await list.button('Send').click();
    await list.status
      .filter({ hasText: /no answer|not be reached|can.t be reached|cannot be reached|failed/i })
      .waitFor();
    expect(await list.status.textContent()).not.toMatch(/may have/i);
  });
});

const focusIsIn = (page: Page, operationId: string) =>
  page.evaluate(`document.activeElement.closest('details[id]')?.id === ${JSON.stringify(operationId)}`);

const IDLE = `![...document.querySelectorAll('button')].some((one) => one.textContent.trim() === 'Cancel' && one.checkVisibility())`;
