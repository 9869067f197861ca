import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { openOperation } from '../support/browser/page.js';
import { type Received, servePages } from '../support/browser/served-pages.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const pages = servePages();
const runFile = promisify(execFile);
const cwd = temporaryFolder();

const NASTY = `it's "so" $HOME $(id) \`id\` \${x} \\ \\n \\' !! !x %s %41 & | ; < > * ? [a-z] {1..3} ~ # 😀 ü\u2028`;

beforeAll(() => pages.page.context().grantPermissions(['clipboard-read', 'clipboard-write']));

/** The parts of a request that all clients send alike. */
const essence = ({ method, path, body, headers }: Received) => {
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
  it.each<[operationId: string, fields: Readonly<Record<string, string>>]>([
    ['ApiParcelPost', { item: JSON.stringify({ label: NASTY }) }],
    ['ApiParcelPost', { item: `{\n  "label": "a\\tb",\n\n  "x": '\n}\n` }],
    ['ApiParcelPost', { item: '@/etc/hostname' }],
    ['ApiParcelPost', { item: '' }],
    ['ApiParcelByIdGet', { id: NASTY, 'If-None-Match': `"it's $HOME \`id\` \\ ! é"` }],
    ['ApiParcelByIdDelete', { id: '-X', 'If-Match': '"@a", "b"' }],
    ['ApiParcelByIdPut', { id: 'nobody', item: '{"key":"nobody","label":"\\ud83d\\ude00 \\u0000"}' }],
    ['ApiParcelGet', { limit: '7', after: `a&b=c#d'"` }],
  ])('do what Send does: %s %j', async (operationId, fields) => {
    const { operation, snippets } = await copied(operationId, fields);
    const [curl, snippet] = snippets;
    await operation.send();
    for (const shell of ['sh', 'bash']) await runFile(shell, ['-c', curl], { cwd });
    await pages.page.evaluate(`(async () => { ${snippet} })()`);
    await new (Object.getPrototypeOf(async () => {}).constructor)(snippet)();
    const [sent, ...again] = pages.service.received.map(essence);
    expect(again).toEqual([sent, sent, sent, sent]);
  });

  it('do so in an interactive shell, too, which looks for ! even in quotes', async () => {
    const { operation, snippets } = await copied('ApiParcelPost', { item: JSON.stringify({ label: NASTY }) });
    await operation.send();
    const pasted = runFile('bash', ['--norc', '--noprofile', '-i'], { cwd, env: { ...process.env, HISTFILE: '' } });
    pasted.child.stdin?.end(`${snippets[0]}\n`);
    await pasted;
    const [sent, ...again] = pages.service.received.map(essence);
    expect(again).toEqual([sent]);
  });

  it('are shown under Code as they are copied, also after a field has changed', async () => {
    const { operation } = await copied('ApiParcelByIdGet', { id: 'before' });
    await operation.element.getByText('Code', { exact: true }).click();
    const { snippets } = await copied('ApiParcelByIdGet', { id: 'after' });
    expect(await operation.element.locator('[open] > pre').allTextContents()).toEqual(snippets);
  });
});

describe('copying', () => {
  it('says so if the browser does not allow it', async () => {
    const page = await pages.open();
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("no"))');
    const post = await openOperation(page, 'ApiParcelPost');
    await post.button('Copy as curl').click();
    await post.element.locator('[aria-live]').filter({ hasText: /\S/ }).first().waitFor();
    expect(await post.element.textContent()).not.toContain('Copied');
  });
});
