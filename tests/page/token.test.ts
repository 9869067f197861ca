import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { documentWithTokens } from '../support/browser/documents.js';
import { openOperation, run } from '../support/browser/page.js';
import { jsonAnswer, servePages } from '../support/browser/served-pages.js';

const pages = servePages();
let page: Page;

beforeEach(async () => {
  pages.serveInstead(documentWithTokens);
  page = await pages.open();
});

const tokenField = () => page.getByLabel('Token', { exact: true });

/** The header fields that were received with a token in them. */
const authorized = () => pages.service.received.map(({ headers }) => headers.authorization);

describe('the token', () => {
  it('is sent with each operation that asks for one, as it was given, with or without its scheme', async () => {
    const list = await openOperation(page, 'ApiParcelGet');
    for (const given of ['', 'abc.def', ' Bearer abc.def\n']) {
      await tokenField().fill(given);
      await list.send();
    }
    expect(authorized()).toEqual([undefined, 'Bearer abc.def', 'Bearer abc.def']);
  });

  it('is sent to fetch the current item, too', async () => {
    await tokenField().fill('abc');
    const put = await openOperation(page, 'ApiParcelByIdPut');
    pages.service.answerNext(jsonAnswer(412, {}), jsonAnswer(200, { key: 'x' }, { ETag: '"2"' }));
    await put.send({ id: 'x', 'If-Match': '"1"' });
    await put.answerTo(() => put.button(/current/).click());
    expect(authorized()).toEqual(['Bearer abc', 'Bearer abc']);
  });

  it('is in a password field that is not to be remembered, and is gone after a reload', async () => {
    expect(await tokenField().getAttribute('type')).toBe('password');
    expect(await tokenField().getAttribute('autocomplete')).toBe('off');
    await tokenField().fill('secret-token');
    const list = await openOperation(page, 'ApiParcelGet');
    await list.send({ limit: '1' });
    const kept =
      'return JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie, location.href, document.body.innerHTML])';
    expect(await run(page, kept)).not.toContain('secret-token');
    await page.reload();
    expect(await tokenField().inputValue()).toBe('');
  });

  it('that is missing or rejected is asked for, by a link to its field', async () => {
    const list = await openOperation(page, 'ApiParcelGet');
    const problem = { title: 'Unauthorized', status: 401, detail: 'The token has expired.' };
    for (const [given, words] of [
      ['', 'Put a token'],
      ['old', 'Put another token'],
    ] as const) {
      await tokenField().fill(given);
      pages.service.answerNext(jsonAnswer(401, problem, { 'WWW-Authenticate': 'Bearer realm="x"' }));
      const told = await list.send();
      for (const part of ['401 Unauthorized', problem.detail, words]) expect(told).toContain(part);
      expect(await tokenField().getAttribute('aria-invalid')).toBe('true');
      await list.status.getByRole('link', { name: 'Token' }).click();
      expect(await page.evaluate('document.activeElement.id')).toBe('token');
    }
    await tokenField().fill('new');
    expect(await tokenField().getAttribute('aria-invalid')).toBeNull();
  });

  it('that no header field can have is not sent', async () => {
    await tokenField().fill('“abc”');
    await (await openOperation(page, 'ApiParcelGet')).button('Send').click();
    expect(await page.evaluate('document.activeElement.id')).toBe('token');
    expect(pages.service.received).toEqual([]);
  });

  it('is a variable in what is copied, and not in it', async () => {
    await tokenField().fill('secret');
    const list = await openOperation(page, 'ApiParcelGet');
    await list.element.getByText('Code', { exact: true }).click();
    const [curl, snippet] = (await list.element.locator('[open] > pre').allTextContents()) as [string, string];
    expect(`${curl} ${snippet}`).not.toContain('secret');
    await promisify(execFile)('sh', ['-c', curl], { env: { ...process.env, TOKEN: 'mine' } });
    await page.evaluate(`(async () => { const token = 'mine'; ${snippet} })()`);
    expect(authorized()).toEqual(['Bearer mine', 'Bearer mine']);
    await list.send();
    expect(await list.element.textContent()).toMatch(/GET \/api\/parcel[\s\S]*Authorization: Bearer \$TOKEN/);
  });
});
