import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { documentWithTokens } from '../support/browser/documents.js';
import { openOperation, run, until } from '../support/browser/page.js';
import { jsonAnswer, servePages } from '../support/browser/served-pages.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const pages = servePages();
const runFile = promisify(execFile);
const cwd = temporaryFolder();

const NASTY = `it's "so" $HOME $(id) \`id\` \${x} \\ \\n \\' !! !x %s %41 & | ; < > * ? [a-z] {1..3} ~ # 😀 ü\u2028`;

beforeAll(() => pages.page.context().grantPermissions(['clipboard-read', 'clipboard-write']));

/** The parts of a request that all clients send alike. */
const essence = ({ method, path, body, headers }: (typeof pages.service.received)[number]) => {
  const names = ['content-type', 'accept', 'if-match', 'if-none-match'];
  return { method, path, body, ...Object.fromEntries(names.map((name) => [name, headers[name]])) };
};

/** Fills in an operation, and copies its request as curl and as fetch. */
async function copied(operationId: string, fields: Readonly<Record<string, string>>) {
  const { page } = pages;
  const operation = await openOperation(page, operationId);
  for (const [name, value] of Object.entries(fields)) await operation.field(name).fill(value);
  const snippets: string[] = [];
  for (const kind of ['curl', 'fetch']) {
    await operation.button(`Copy as ${kind}`).click();
    await operation.element.locator('[aria-live]').filter({ hasText: 'Copied' }).waitFor();
    snippets.push((await page.evaluate('navigator.clipboard.readText()')) as string);
  }
  expect(pages.service.received).toEqual([]);
  return { operation, snippets: snippets as [curl: string, fetch: string] };
}

describe('the curl command and the fetch snippet', () => {
  beforeEach(() => pages.open());

  it.each<[operationId: string, fields: Readonly<Record<string, string>>]>([
    ['ApiParcelPost', { item: JSON.stringify({ label: NASTY }) }],
    ['ApiParcelPost', { item: '@/etc/hostname\n\n' }],
    ['ApiParcelByIdGet', { id: NASTY, 'If-None-Match': `"it's $HOME \`id\` \\ ! é"` }],
    ['ApiParcelByIdDelete', { id: '-X', 'If-Match': '"@a", "b"' }],
    ['ApiParcelGet', { limit: '7', after: `a&b=c#d'"` }],
  ])('do what Send does: %s %j', async (operationId, fields) => {
    const { operation, snippets } = await copied(operationId, fields);
    const [curl, snippet] = snippets;
    await operation.send();
    await runFile('sh', ['-c', curl], { cwd });
    // An interactive shell looks for ! even in quotes.
    const pasted = runFile('bash', ['--norc', '--noprofile', '-i'], { cwd, env: { ...process.env, HISTFILE: '' } });
    pasted.child.stdin?.end(`${curl}\n`);
    await pasted;
    await new (Object.getPrototypeOf(async () => {}).constructor)(snippet)();
    const [sent, ...again] = pages.service.received.map(essence);
    expect(again).toEqual([sent, sent, sent]);
  });

  it('are shown under Code as they are copied, also after a field has changed', async () => {
    const { operation } = await copied('ApiParcelByIdGet', { id: 'before' });
    await operation.element.getByText('Code', { exact: true }).click();
    const { snippets } = await copied('ApiParcelByIdGet', { id: 'after' });
    expect(await operation.element.locator('[open] > pre').allTextContents()).toEqual(snippets);
  });

  it('say so if the browser does not let the page copy', async () => {
    await pages.page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("no"))');
    const post = await openOperation(pages.page, 'ApiParcelPost');
    await post.button('Copy as curl').click();
    const said = post.element.locator('[aria-live]').filter({ hasText: /./ });
    expect(await said.textContent()).toMatch(/\bcopy\b/);
  });
});

/** Reads the commands of an operation whose part "Code" has just been opened: the page writes them then. */
async function snippetsOf(operation: Locator): Promise<readonly [string, string]> {
  const written = operation.locator('[open] > pre');
  await written.filter({ hasText: 'curl' }).waitFor();
  return (await written.allTextContents()) as [string, string];
}

it('the note that code was copied goes when a field changes, because the copy has not what is in it', async () => {
  const page = await pages.open();
  await page.evaluate('navigator.clipboard.writeText = async () => {}');
  const list = await openOperation(page, 'ApiParcelGet');
  await list.button('Copy as curl').click();
  await until(page, `document.querySelector('#ApiParcelGet .said').textContent === 'Copied'`);
  await list.field('limit').fill('1');
  expect(await list.element.locator('.said').textContent()).toBe('');
});

describe('the token', () => {
  beforeEach(() => pages.open('', documentWithTokens));

  const tokenField = () => pages.page.getByLabel('Token', { exact: true });

  /** The header fields that were received with a token in them. */
  const authorized = () => pages.service.received.map(({ headers }) => headers.authorization);

  it('is sent as it was given, with or without its scheme, also to fetch the current item', async () => {
    const list = await openOperation(pages.page, 'ApiParcelGet');
    for (const given of ['', ' Bearer abc.def\n', 'Authorization: bearer abc.def ', 'abc.def']) {
      await tokenField().fill(given);
      await list.send();
    }
    const put = await openOperation(pages.page, 'ApiParcelByIdPut');
    pages.service.answerNext(jsonAnswer(412, {}), jsonAnswer(200, { key: 'x' }, { ETag: '"2"' }));
    await put.send({ id: 'x', 'If-Match': '"1"' });
    await put.answerTo(() => put.button(/current/).click());
    expect(pages.service.received[4]?.headers['if-match']).toBe('"1"');
    expect(authorized()).toEqual([undefined, ...Array(5).fill('Bearer abc.def')]);
  });

  it('that is missing or rejected is asked for, by a link to its field', async () => {
    const list = await openOperation(pages.page, 'ApiParcelGet');
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
      expect(await pages.page.evaluate('document.activeElement.id')).toBe('token');
      // A reload shows the operation again.
      expect(await pages.page.evaluate('location.hash')).toBe('#ApiParcelGet');
    }
    await tokenField().fill('new');
    expect(await tokenField().getAttribute('aria-invalid')).toBeNull();
  });

  it('is the only one that a command takes from a variable: other fields stay what was typed, and run nothing', async () => {
    await tokenField().fill('secret');
    const condition = '"$(touch ran)", Bearer $TOKEN';
    for (const typed of [condition, 'Bearer $TOKEN']) {
      const find = await openOperation(pages.page, 'ApiParcelByIdGet');
      await find.field('id').fill('x');
      await find.field('If-None-Match').fill(typed);
      await find.element
        .locator('details')
        .filter({ hasText: /^Code/ })
        .evaluate((one) => one.setAttribute('open', ''));
      const [curl, snippet] = await snippetsOf(find.element);
      await find.send();
      await runFile('sh', ['-c', curl], { cwd, env: { ...process.env, TOKEN: 'secret' } });
      await pages.page.evaluate(`(async () => { const token = 'secret'; ${snippet} })()`);
      const sent = pages.service.received
        .splice(0)
        .map(({ headers }) => [headers['if-none-match'], headers.authorization]);
      expect(sent).toEqual(Array(3).fill([typed, 'Bearer secret']));
    }
    expect(existsSync(`${cwd}/ran`)).toBe(false);
  });

  it('goes to no operation that asks for none', async () => {
    const document = structuredClone(documentWithTokens) as {
      paths: Record<string, Record<string, { security?: object }>>;
    };
    delete document.paths['/api/parcel']?.get?.security;
    await pages.open('', document as unknown as typeof documentWithTokens);
    await tokenField().fill('secret');
    const list = await openOperation(pages.page, 'ApiParcelGet');
    await list.element.getByText('Code', { exact: true }).click();
    expect((await snippetsOf(list.element)).join()).not.toContain('Authorization');
    await list.send();
    await (await openOperation(pages.page, 'ApiParcelPost')).send();
    expect(authorized()).toEqual([undefined, 'Bearer secret']);
  });

  it('that no header field can have is not sent', async () => {
    await tokenField().fill('“abc”');
    await (await openOperation(pages.page, 'ApiParcelGet')).button('Send').click();
    expect(await pages.page.evaluate('document.activeElement.id')).toBe('token');
    expect(pages.service.received).toEqual([]);
  });

  it('is a variable in what is shown and copied, is kept nowhere, and is gone after a reload', async () => {
    const { page } = pages;
    await tokenField().fill('secret');
    const list = await openOperation(page, 'ApiParcelGet');
    await list.element.getByText('Code', { exact: true }).click();
    const [curl, snippet] = await snippetsOf(list.element);
    await runFile('sh', ['-c', curl], { env: { ...process.env, TOKEN: 'mine' } });
    await page.evaluate(`(async () => { const token = 'mine'; ${snippet} })()`);
    await list.send({ limit: '1' });
    expect(authorized()).toEqual(['Bearer mine', 'Bearer mine', 'Bearer secret']);
    expect(await list.element.textContent()).toMatch(/GET \/api\/parcel[\s\S]*Authorization: Bearer \$TOKEN/);
    const kept =
      'return [{ ...sessionStorage }, { ...localStorage }, document.cookie, location.href, document.body.innerHTML]';
    expect(JSON.stringify(await run(page, kept))).not.toContain('secret');
    expect(await tokenField().getAttribute('type')).toBe('password');
    expect(await tokenField().getAttribute('autocomplete')).toBe('off');
    await page.reload();
    expect(await tokenField().inputValue()).toBe('');
  });
});
