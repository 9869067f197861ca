import { expect, it } from '@jest/globals';
import type { Document } from '../../../docs/page/markup/swagger.js';
import { parcelsDocument } from '../../support/browser/documents.js';
import { jsonAnswer, servePage } from '../../support/browser/served-page.js';
import { answerOf } from '../../support/service/answer.js';

const MARKUP = [
  `"><img src=x onerror="window.ran=1;alert(1)">`,
  `' onfocus='alert(1)' autofocus x='`,
  '</script></style></textarea></title><script>alert(1)</script>',
  '<!--<script>',
  "`<svg onload=alert(1)>` <%= 7 %> {{7}} $& $' \\u2028\u2028",
].join(' ');

/** Puts markup behind every text of a document but media types, and into its names. */
function withMarkup(document: object): Document {
  const names = ['Parcel', 'ParcelPatch', 'Problem', 'limit', 'fragile', '/api/parcel'];
  const text = JSON.stringify(document, (name, value) => {
    const isPlain = ['in', 'type', 'format', '$ref'].includes(name) || /^[\w-]+\/[\w+-]+$/.test(value);
    return typeof value === 'string' && !isPlain ? `${value} ${MARKUP}` : value;
  });
  const inJson = JSON.stringify(MARKUP.replaceAll('/', '|')).slice(1, -1);
  const pattern = new RegExp(`("|/definitions/)(${names.join('|')})(?=[/"])`, 'g');
  return JSON.parse(text.replaceAll(pattern, (found) => found + inJson));
}

const document = withMarkup(parcelsDocument);
const opened = servePage({ document, end: `?id=x&url=//evil.example.net/${encodeURIComponent(MARKUP)}#%${MARKUP}` });
const { run, received, answerNext, faults } = opened;

/** Markup that has become part of the page, or could run. */
const RAN = `[
  window.ran,
  ...[...document.querySelectorAll('body :is(img, svg, iframe, object, embed, base, meta, link, style), body script:not(:last-of-type)')].map((one) => one.outerHTML),
  ...[...document.querySelectorAll('*')].flatMap((one) => [...one.attributes].filter(({ name, value }) => name.startsWith('on') || /^\\s*javascript:/i.test(value)).map(({ name }) => one.localName + ' ' + name)),
].filter(Boolean)`;

it("runs and sends nothing of its document's texts, names, ids, examples and paths, nor of its own URL", async () => {
  await run(`document.querySelectorAll('details').forEach((one) => (one.open = true))`);
  expect(await opened.page.title()).toBe(document.info.title);
  expect(await opened.page.locator('h1').textContent()).toContain(MARKUP);
  expect(received).toEqual([]);
  await run(`document.querySelectorAll('textarea, input:not([type=hidden])').forEach((field) => field.focus())`);
  expect(await run(RAN)).toEqual([]);
});

const html = (body: string) => answerOf(502, { 'Content-Type': 'text/html' }, Buffer.from(body));

it.each([
  ['an item', jsonAnswer(201, { [MARKUP]: [MARKUP] }, { ETag: '"<img>"' }), JSON.stringify(MARKUP)],
  ['a problem', jsonAnswer(400, { title: MARKUP, detail: MARKUP, errors: [{ pointer: MARKUP }, null, 7] }), MARKUP],
  ['a problem of other types', jsonAnswer(400, { title: 7, detail: { a: [] }, errors: { length: 1 } }), 'object'],
  ['text', html(MARKUP), MARKUP],
  ['JSON that is cut off', html('[{"label":'), '[{"label":'],
  ['bytes that are not text', html('\u0000\ufffd'), '\ufffd'],
])('runs nothing of an answer, and shows it as it is: %s', async (_, answer, shown) => {
  answerNext(answer);
  await run(`document.querySelectorAll('details').forEach((one) => (one.open = true))`);
  await opened.page.locator('.post .send').click();
  const status = opened.page.locator('.post [role=status]');
  await status.filter({ hasText: new RegExp(`^${answer.status}`) }).waitFor();
  expect(await status.textContent()).toContain(shown);
  expect(await run(RAN)).toEqual([]);
});

it('has a policy that stops injected scripts, and requests to other hosts', async () => {
  await run(`(async () => {
    // Code that is evaluated from outside may do more, until it awaits something.
    await new Promise((resolve) => setTimeout(resolve));
    const script = document.createElement('script');
    try { script.textContent = 'window.ran = 1'; document.body.append(script); } catch {}
    try { document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.ran = 1">'); } catch {}
    try { (0, eval)('window.ran = 1'); } catch {}
    await fetch('https://evil.example.net/').catch(() => {});
  })()`);
  expect(await run('window.ran')).toBeUndefined();
  expect(faults.splice(0).join('\n')).toMatch(/Content Security Policy/);
});

it('changes nothing from another origin, by a body of no media type, a beacon, or a form', async () => {
  const before = (await opened.call('GET', '/api/parcel')).json;
  const list = `${opened.url}/api/parcel`;
  const item = '{"label":"forged"}';
  // A window of its own, which it leaves.
  const page = await opened.page.context().newPage();
  await page.goto(list.replace('127.0.0.1', 'localhost'));
  const statuses: number[] = [];
  page.on('response', (response) => statuses.push(response.status()));
  await page.evaluate(`(async ([list, body]) => {
    await fetch(list, { method: 'POST', mode: 'no-cors', body: new Blob([body]) });
    navigator.sendBeacon(list, new Blob([body]));
  })(${JSON.stringify([list, item])})`);
  await page.setContent(
    `<form method=post enctype=text/plain action="${list}"><input name='${item.slice(0, -1)},"x":"' value='"}'></form>`,
  );
  await Promise.all([page.waitForNavigation(), page.evaluate('document.forms[0].submit()')]);
  await page.close();
  expect(statuses).toEqual([403, 403, 403]);
  expect((await opened.call('GET', '/api/parcel')).json).toEqual(before);
});
