import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import { documentWithTokens } from '../documents.js';
import { jsonAnswer, servePage } from './served-page.js';

const opened = servePage({ document: documentWithTokens });
const { run, operation, answerNext } = opened;

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const RULES_ON_COLOURS = ['color-contrast', 'link-in-text-block'];
const NO_COLOURS = Object.fromEntries(RULES_ON_COLOURS.map((rule) => [rule, { enabled: false }]));

/** Lists what axe finds wrong with the page as it is now, also outside the window, by rule and element. */
async function violations(runOnly: readonly string[], rules = {}): Promise<unknown[]> {
  const options = JSON.stringify({ runOnly, rules, resultTypes: ['violations'] });
  const found = await run<AxeResults>(`axe.run(document, ${options})`);
  return found.violations.map(({ id, nodes }) => [id, nodes.map((node) => [node.target, node.failureSummary])]);
}

/** Makes the window as wide, and waits for the next frame, after which browsers observe sizes. */
async function resize(width: number): Promise<void> {
  await opened.page.setViewportSize({ width, height: 640 });
  await run('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
}

const background = () => run<string>('getComputedStyle(document.documentElement).backgroundColor');

it('axe finds nothing wrong with the page in a light scheme and in a dark one, at a desk and on a phone', async () => {
  // Operations that are answered, rejected, under way, and not sent.
  await operation('ApiParcelPost').send();
  await operation('ApiParcelByIdPut').send({ item: '{"label":" ","fragile":"yes"}' });
  answerNext(jsonAnswer(503, {}), jsonAnswer(401, {}), new Promise(() => {}));
  await operation('ApiParcelByIdDelete').send();
  await operation('ApiParcelGet').send();
  await operation('ApiParcelByIdPatch').open();
  await operation('ApiParcelByIdPatch').button('Send').click();
  const find = operation('ApiParcelByIdGet');
  await find.open();
  await find.field('id').fill('');
  await find.button('Send').click();
  await run(`document.querySelectorAll('details').forEach((one) => (one.open = true))`);
  expect(await run(LOOSE_TEXTS)).toEqual([]);
  await run(AXE);
  await resize(1280);
  expect(await violations(RULES)).toEqual([]);
  expect(await background()).toMatch(/^rgb\(2\d\d, 2\d\d, 2\d\d\)/);
  // A scheme changes nothing but colours, and a width no colours.
  await opened.page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(RULES_ON_COLOURS)).toEqual([]);
  expect(await background()).toMatch(/^rgb\(\d\d, \d\d, \d\d\)/);
  await resize(360);
  expect(await violations(RULES, NO_COLOURS)).toEqual([]);
});

it('there is no horizontal scroll bar, nothing over anything else, and no control too low for a finger, at a desk, at 400 % zoom, and with large or wide text', async () => {
  const word = 'long'.repeat(100);
  answerNext(
    jsonAnswer(200, Array(20).fill({ key: word, [word]: [word] }), { 'X-Long': word }),
    jsonAnswer(400, { title: word, detail: word, errors: [{ pointer: word, detail: word }] }),
  );
  await operation('ApiParcelGet').send();
  await operation('ApiParcelByIdGet').send({ id: word });
  // With buttons that are shown on occasion.
  await run(`document.querySelectorAll('details, button').forEach((one) => { one.open = true; one.hidden = false; })`);
  for (const width of [1280, 320]) {
    await resize(width);
    expect([width, await run(`[${OVERFLOW}, ${OVERLAPS}, ${LOW}]`)]).toEqual([width, [[], [], []]]);
  }
  await resize(360);
  for (const style of ['html { font-size: 200%; }', SPACING]) {
    await run(`{
      const style = new CSSStyleSheet();
      style.replaceSync(${JSON.stringify(style)});
      document.adoptedStyleSheets = [style];
    }`);
    expect([style, await run(`[${OVERFLOW}, ${OVERLAPS}]`)]).toEqual([style, [[], []]]);
  }
});

/** Text spacing that readers may set (WCAG 2.2, 1.4.12). */
const SPACING =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }';

/** Elements that are wider than the window and don't scroll by themselves. */
const OVERFLOW = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth > clientWidth ? [...document.querySelectorAll('body *')]
    .filter((one) => one.getBoundingClientRect().right > clientWidth + 1).map((one) => one.outerHTML.slice(0, 120)) : [];
})()`;

/** Texts and controls that lie over each other. */
const OVERLAPS = `(() => {
  const shown = [...document.querySelectorAll('h1, h2, h3, p, pre, label, input, select, textarea, button, dt, dd, summary > *')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length === 1)
    .map((one) => [one, one.getBoundingClientRect()]);
  const covers = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  return shown.flatMap(([one, area], index) => shown.slice(index + 1)
    .filter(([other, its]) => covers(area, its) && !one.contains(other) && !other.contains(one))
    .map(([other]) => one.outerHTML.slice(0, 80) + ' and ' + other.outerHTML.slice(0, 80)));
})()`;

/** Controls with less than 24 pixels (WCAG 2.2, 2.5.8). axe also takes smaller ones if they are far enough apart. */
const LOW = `[...document.querySelectorAll('summary, button, input:not([type=hidden]), select, textarea')]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 24).map((one) => one.outerHTML)`;

/** Texts in flex boxes beside elements, which Firefox makes items of their own, also around a `wbr`. Chromium does not show that. */
const LOOSE_TEXTS = `[...document.querySelectorAll('body *')].filter((one) => getComputedStyle(one).display.endsWith('flex'))
  .flatMap(({ childNodes }) => [...childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() && childNodes.length > 1))
  .map((node) => node.data)`;

it('the token is asked for after 401, and kept nowhere: not in storage, in the address, in what is shown, or after a reload', async () => {
  const list = operation('ApiParcelGet');
  const token = opened.page.getByLabel('Token', { exact: true });
  for (const needed of ['a token', 'another token']) {
    answerNext(jsonAnswer(401, { title: 'Unauthorized', detail: 'The token has expired.' }));
    expect(await list.send()).toMatch(
      new RegExp(`^401 .*The token has expired\\.\\s*Put ${needed} into the field Token`),
    );
    expect(await token.getAttribute('aria-invalid')).toBe('true');
    await token.fill('“abc”');
    await list.button('Send').click();
    expect(await run('document.activeElement.id')).toBe('token');
    await token.fill('secret');
  }
  expect(opened.received.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer secret']);
  const kept = '[{ ...sessionStorage }, { ...localStorage }, document.cookie, location.href, document.body.innerHTML]';
  expect(JSON.stringify(await run(kept))).not.toContain('secret');
  expect(await list.element.textContent()).toContain('Authorization: Bearer $TOKEN');
  await opened.page.reload();
  expect(await token.inputValue()).toBe('');
});
