import { afterAll, expect, it } from '@jest/globals';
import type { Document } from '../../docs/page/markup/swagger-document.js';
import { parcelsDocument } from '../support/browser/documents.js';
import { OPEN_ALL, openOperation, run, until } from '../support/browser/page.js';
import { jsonAnswer, servePages } from '../support/browser/served-pages.js';
import { answerOf } from '../support/service/answer.js';
import { type Served, serve } from '../support/service/serve.js';

const pages = servePages();

const MARKUP = [
  `"><img src=x onerror="window.run=1;alert(1)">`,
  `' onfocus='alert(1)' autofocus x='`,
  '</script></style></textarea></title><script>alert(1)</script>',
  '<!--<script>',
  "`<svg onload=alert(1)>` <%= 7 %> {{7}} $& $' \\u2028\u2028",
].join(' ');

const IN_JSON = JSON.stringify(MARKUP).slice(1, -1);

/** Markup that has become part of the page, or could run. */
const RAN = `[
  window.run,
  ...[...document.querySelectorAll('body :is(img, svg, iframe, object, embed, base, meta, link, style), body script:not(:last-of-type)')].map((one) => one.outerHTML),
  ...[...document.querySelectorAll('*')].flatMap((one) => [...one.attributes].filter(({ name, value }) => name.startsWith('on') || /^\\s*javascript:/i.test(value)).map(({ name }) => one.localName + ' ' + name)),
].filter(Boolean)`;

/** Puts markup behind every text of a document, and into its names. */
function withMarkup(document: object): Document {
  const names = ['Parcel', 'ParcelPatch', 'Problem', 'limit', 'fragile', '/api/parcel'];
  const text = JSON.stringify(document, (name, value) =>
    typeof value !== 'string' || ['in', 'type', 'format', '$ref'].includes(name) ? value : `${value} ${MARKUP}`,
  );
  const inJson = JSON.stringify(MARKUP.replaceAll('/', '|')).slice(1, -1);
  return JSON.parse(
    names.reduce(
      (json, name) => json.replaceAll(new RegExp(`("|/definitions/)${name}(?=[/"])`, 'g'), (found) => found + inJson),
      text,
    ),
  );
}

it('a hostile document runs nothing: its texts, names, ids, examples and paths are shown as they are', async () => {
  const document = withMarkup(parcelsDocument);
  const page = await pages.open('', document);
  await page.evaluate(OPEN_ALL);
  expect(await page.title()).toBe(document.info.title);
  expect(await page.locator('h1').textContent()).toContain(MARKUP);
  await page.evaluate(
    `for (const field of document.querySelectorAll('textarea, input:not([type=hidden])')) field.focus();
    for (const form of document.forms) form.querySelector('button.send').click();`,
  );
  expect(await page.evaluate(RAN)).toEqual([]);
});

const text = (body: string) => answerOf(502, { 'Content-Type': 'text/html' }, Buffer.from(body));

it.each([
  ['an item', jsonAnswer(201, { [MARKUP]: [MARKUP] }, { ETag: '"<img>"', Location: '/api/parcel/"x>' }), IN_JSON],
  ['a problem', jsonAnswer(400, { title: MARKUP, errors: [{ pointer: MARKUP }, null, 7, MARKUP] }), IN_JSON],
  ['a problem of other types', jsonAnswer(400, { title: 7, detail: { a: [] }, errors: { length: 1 } }), 'object'],
  ['text', text(MARKUP), MARKUP],
  ['JSON that is cut off', text('[{"label":'), '[{"label":'],
  ['bytes that are not text', text('\u0000\ufffd'), '\ufffd'],
  ['deep JSON', answerOf(200, {}, Buffer.from('['.repeat(5000) + ']'.repeat(5000))), ']'],
  ['a new item elsewhere', jsonAnswer(201, {}, { Location: `javascript:alert(1)//api/parcel/x` }), '{}'],
  ['a new item at no URL', jsonAnswer(201, {}, { Location: 'http://[' }), '{}'],
  ['a new item with a malformed escape', jsonAnswer(201, null, { Location: `/api/parcel/%` }), 'null'],
])('a hostile answer runs nothing, and is shown as it is: %s', async (_, answer, shown) => {
  const page = await pages.open();
  const post = await openOperation(page, 'ApiParcelPost');
  pages.service.answerNext(answer);
  expect(await post.send()).toMatch(new RegExp(`^${answer.status}`));
  if (await post.button(/^Show all/).isVisible()) {
    await post.button(/^Show all/).click();
    await until(page, `/\\]$/.test(document.querySelector('#ApiParcelPost [role=status]').textContent)`);
  }
  expect(await post.status.textContent()).toContain(shown);
  await page.evaluate(OPEN_ALL);
  expect(await page.evaluate(RAN)).toEqual([]);
  // Even deep JSON does not become much longer by its indentation.
  expect(await page.evaluate('document.body.textContent.length')).toBeLessThan(1e6);
  expect(await post.send()).toMatch(/^201/);
});

it.each([`?id=x&url=https://evil.example.net/${encodeURIComponent(MARKUP)}`, `#${encodeURIComponent(MARKUP)}`, '#%'])(
  "the page's own URL makes the page send and run nothing, whatever it says: %s",
  async (end) => {
    const page = await pages.open(end);
    expect(await page.evaluate(RAN)).toEqual([]);
    expect(pages.service.received).toEqual([]);
    expect(await (await openOperation(page, 'ApiParcelGet')).send()).toMatch(/^200/);
    expect(pages.service.received.map(({ path }) => path)).toEqual(['/api/parcel']);
  },
);

it("the page's policy stops injected scripts, and requests to other hosts", async () => {
  const page = await pages.open();
  await run(
    page,
    `// Code that is evaluated from outside may do more, until it awaits something.
    await new Promise((resolve) => setTimeout(resolve));
    const script = document.createElement('script');
    try { script.textContent = 'window.run = 1'; document.body.append(script); } catch {}
    try { document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.run = 1">'); } catch {}
    try { (0, eval)('window.run = 1'); } catch {}
    await fetch('https://evil.example.net/').catch(() => {});`,
  );
  expect(await page.evaluate('window.run')).toBeUndefined();
  expect(pages.faults.splice(0).join('\n')).toMatch(/Content Security Policy/);
});

let open: Served | undefined;

afterAll(() => open?.stop());

it('a page of another origin changes nothing, by a body of no media type, a beacon, a form, or calls that the gateway lets all pages make', async () => {
  // As the emulator does, and any gateway may.
  const names = ['origin', 'methods', 'headers'];
  const allowed = Object.fromEntries(names.map((name) => [`access-control-allow-${name}`, '*']));
  open = await serve({
    prefix: '',
    async call(method, path, request) {
      if (method === 'OPTIONS') return answerOf(204, allowed, Buffer.alloc(0));
      const answer = await pages.service.call(method, path, request);
      return { ...answer, headers: { ...answer.headers, ...allowed } };
    },
  });
  const before = (await pages.service.call('GET', '/api/parcel')).json;
  // A window of its own, which it leaves.
  const page = await pages.page.context().newPage();
  await page.goto(`${pages.url}/api/parcel`);
  const rejected: string[] = [];
  page.on('response', (response) => response.status() === 403 && rejected.push(response.request().method()));
  const list = `${open.url}/api/parcel`;
  const item = JSON.stringify({ ...before[0], label: 'forged' });
  await run(
    page,
    `const [list, one, item] = given;
    const headers = { 'Content-Type': 'application/json' };
    await fetch(list, { method: 'POST', mode: 'no-cors', body: new Blob([item]) });
    navigator.sendBeacon(list, new Blob([item]));
    await fetch(list, { method: 'POST', headers, body: item });
    for (const method of ['PUT', 'PATCH', 'DELETE']) await fetch(one, { method, headers, body: item });`,
    list,
    `${list}/${before[0].key}`,
    item,
  );
  await page.setContent(
    `<form method=post enctype=text/plain action="${list}"><input name='${item.slice(0, -1)},"x":"' value='"}'></form>`,
  );
  await Promise.all([page.waitForNavigation(), page.evaluate('document.forms[0].submit()')]);
  expect(rejected.sort()).toEqual(['DELETE', 'PATCH', 'POST', 'POST', 'POST', 'POST', 'PUT']);
  expect((await pages.service.call('GET', '/api/parcel')).json).toEqual(before);
  await page.close();
});
