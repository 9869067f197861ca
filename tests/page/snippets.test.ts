import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { type Operation, openOperation } from '../support/browser/page.js';
import type { Received } from '../support/browser/scripted.js';
import { servePages } from '../support/browser/served-pages.js';
import { anItem, OPERATIONS } from '../support/service/resource.js';

const pages = servePages();
const run = promisify(execFile);

const NASTY = `it's "so" $HOME $(id) \`id\` \${x} \\ \\n \\' !! !x %s %41 & | ; < > * ? [a-z] {1..3} ~ # 😀 ü\u2028`;

const REQUESTS: readonly (readonly [operationId: string, fields: Readonly<Record<string, string>>])[] = [
  [OPERATIONS.create, { item: JSON.stringify(anItem(NASTY)) }],
  [OPERATIONS.create, { item: `{\n  "name": "a\\tb",\n\n  "x": '\n}\n` }],
  [OPERATIONS.create, { item: '@/etc/hostname' }],
  [OPERATIONS.create, { item: NASTY }],
  [OPERATIONS.create, { item: '' }],
  [OPERATIONS.find, { id: NASTY, 'If-None-Match': `"it's $HOME \`id\` \\ ! é"` }],
  [OPERATIONS.remove, { id: '-X', 'If-Match': '"@a", "b"' }],
  [OPERATIONS.replace, { id: 'nobody', item: '{"key":"nobody","name":"\\ud83d\\ude00 \\u0000"}' }],
  [OPERATIONS.list, { limit: '7', after: `a&b=c#d'"` }],
];

/** A request without what each client adds of its own. */
const said = (received: Received | undefined) => {
  const { method, path, body, headers = {} } = received ?? {};
  const names = ['content-type', 'accept', 'if-match', 'if-none-match'];
  return { method, path, body, ...Object.fromEntries(names.map((name) => [name, headers[name]])) };
};

/** Fills in an operation, copies a snippet, and sends the request from the page, too. */
async function copied(operationId: string, fields: Readonly<Record<string, string>>, button: string) {
  const { page } = await pages.shared();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const operation = await openOperation(page, operationId);
  for (const [name, value] of Object.entries(fields)) await operation.field(name).fill(value);
  await press(operation, button);
  const text = (await page.evaluate('navigator.clipboard.readText()')) as string;
  expect(pages.service.received).toEqual([]);
  await operation.send();
  return { page, text, sent: said(pages.service.received[0]) };
}

async function press(operation: Operation, button: string): Promise<void> {
  await operation.button(button).click();
  await operation.element
    .locator('[aria-live], [role=status]')
    .filter({ hasText: /copied/i })
    .waitFor();
}

const cwd = mkdtempSync(join(tmpdir(), 'todo-curl-'));

describe('the curl command', () => {
  it.each(REQUESTS)('does the same in a shell: %s %j', async (operationId, fields) => {
    const { text, sent } = await copied(operationId, fields, 'Copy as curl');
    for (const shell of ['sh', 'bash']) {
      await run(shell, ['-c', text], { cwd });
      expect([shell, said(pages.service.received.at(-1))]).toEqual([shell, sent]);
    }
    expect(pages.service.received).toHaveLength(3);
  });

  it('does the same when it is pasted into an interactive shell, which looks for ! even in quotes', async () => {
    const { text, sent } = await copied(OPERATIONS.create, { item: JSON.stringify(anItem(NASTY)) }, 'Copy as curl');
    const pasted = run('bash', ['--norc', '--noprofile', '-i'], { cwd, env: { ...process.env, HISTFILE: '' } });
    pasted.child.stdin?.end(`${text}\n`);
    await pasted;
    expect(said(pages.service.received.at(-1))).toEqual(sent);
    expect(pages.service.received).toHaveLength(2);
  });
});

describe('the fetch snippet', () => {
  it.each(REQUESTS)('does the same: %s %j', async (operationId, fields) => {
    const { page, text, sent } = await copied(operationId, fields, 'Copy as fetch');
    await page.evaluate(`(async () => { ${text} })()`);
    expect(said(pages.service.received.at(-1))).toEqual(sent);
    await new (Object.getPrototypeOf(async () => {}).constructor)(text)();
    const elsewhere = said(pages.service.received.at(-1));
    // Without one of its own, Node.js sends a text as text/plain, and this one is none.
    expect(elsewhere).toEqual(sent);
    expect(pages.service.received).toHaveLength(3);
  });
});

describe('copying', () => {
  it('says so where the browser does not let it', async () => {
    const { page } = await pages.open();
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("no"))');
    const post = await openOperation(page, OPERATIONS.create);
    await post.button('Copy as curl').click();
    await post.element.locator('[aria-live]').filter({ hasText: /\S/ }).first().waitFor();
    expect(await post.element.textContent()).not.toContain('Copied');
  });
});
