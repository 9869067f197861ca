import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import { openApiWithTokens } from '../../support/service/service.js';
import { jsonAnswer, servePage } from './served-page.js';

const opened = servePage(openApiWithTokens);
const { run, operation, answerNext } = opened;

/** Makes the window as wide, and waits for the next frame, after which browsers observe sizes. */
async function resize(width: number): Promise<void> {
  await opened.page.setViewportSize({ width, height: 640 });
  await run('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
}

it('axe finds nothing wrong with the page in a light scheme at a desk, and in a dark one on a phone', async () => {
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
  await run(readFileSync('node_modules/axe-core/axe.min.js', 'utf8'));
  // A scheme changes nothing but colours, and a width no colours.
  for (const [colorScheme, width, background] of [
    ['light', 1280, /^rgb\(2\d\d, 2\d\d, 2\d\d\)/],
    ['dark', 360, /^rgb\(\d\d, \d\d, \d\d\)/],
  ] as const) {
    await opened.page.emulateMedia({ colorScheme });
    await resize(width);
    expect(await run('getComputedStyle(document.documentElement).backgroundColor')).toMatch(background);
    const { violations } = await run<AxeResults>(`axe.run(document, { runOnly: ${RULES} })`);
    const found = violations.map(({ id, nodes }) => [id, nodes.map((node) => [node.target, node.failureSummary])]);
    expect([colorScheme, found]).toEqual([colorScheme, []]);
  }
});

const RULES = JSON.stringify(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']);

it('there is no horizontal scroll bar, and no control too low for a finger, at a desk, at 400 % zoom, or with large text, however long words are', async () => {
  const word = 'long'.repeat(100);
  answerNext(
    jsonAnswer(200, Array(20).fill({ key: word, [word]: [word] }), { 'X-Long': word }),
    jsonAnswer(400, { title: word, detail: word, errors: [{ pointer: word, detail: word }] }),
  );
  await operation('ApiParcelGet').send();
  await operation('ApiParcelByIdGet').send({ id: word });
  // With buttons that are shown on occasion.
  await run(`document.querySelectorAll('details, button').forEach((one) => { one.open = true; one.hidden = false; })`);
  for (const [width, fontSize] of [
    [1280, '100%'],
    [320, '100%'],
    [360, '200%'],
  ] as const) {
    await resize(width);
    await run(`document.documentElement.style.fontSize = '${fontSize}'`);
    expect([width, fontSize, await run(`[${OVERFLOW}, ${LOW}]`)]).toEqual([width, fontSize, [[], []]]);
  }
});

/** Elements that are wider than the window and don't scroll by themselves. */
const OVERFLOW = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth > clientWidth ? [...document.querySelectorAll('body *')]
    .filter((one) => one.getBoundingClientRect().right > clientWidth + 1).map((one) => one.outerHTML.slice(0, 120)) : [];
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
  await opened.page.reload();
  expect(await token.inputValue()).toBe('');
});
