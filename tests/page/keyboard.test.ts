import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import swagger from '../../docs/swagger.json';
import { openOperation } from '../support/browser/page.js';
import { jsonAnswer } from '../support/browser/scripted.js';
import { servePages } from '../support/browser/served-pages.js';
import { anItem, COLLECTION, OPERATIONS } from '../support/service/resource.js';

const pages = servePages();

interface Focus {
  readonly name: string;
  readonly operation: string | undefined;
  readonly label: string;
  readonly outline: string;
  readonly isSeen: boolean;
}

/** The element that has the focus, and how that shows. */
const FOCUS = `(() => {
  const one = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(one);
  const { top, bottom, width, height } = one.getBoundingClientRect();
  return {
    name: one.localName,
    operation: one.closest('details[id]')?.id,
    label: (one.labels?.[0] ?? one).textContent.trim().replace(/\\s+/g, ' '),
    outline: outlineStyle + ' ' + outlineWidth,
    isSeen: width > 0 && height > 0 && bottom > 0 && top < innerHeight,
  };
})()`;

const focus = (page: Page) => page.evaluate(FOCUS) as Promise<Focus>;

/** Presses Tab until the focus is on the element that is wanted. On its way, the focus is always visible. */
async function tabTo(page: Page, isWanted: (focus: Focus) => boolean): Promise<void> {
  for (let presses = 0; presses < 250; presses += 1) {
    await page.keyboard.press('Tab');
    const now = await focus(page);
    expect(now).toMatchObject({
      outline: expect.stringMatching(/^(solid|auto|double) [2-9](\.\d+)?px$/),
      isSeen: true,
    });
    if (isWanted(now)) return;
  }
  throw new Error('The Tab key does not lead there.');
}

const described = Object.values(swagger.paths).flatMap((methods) => Object.values<{ operationId: string }>(methods));

describe.each(['light', 'dark'] as const)('by keyboard alone, in a %s scheme', (colorScheme) => {
  it('every operation can be opened, filled in and sent, with the focus always seen and never lost', async () => {
    const { page } = await pages.open({ colorScheme });
    const last = async () => pages.service.received.at(-1);
    for (const { operationId } of described) {
      await tabTo(page, ({ name, operation }) => name === 'summary' && operation === operationId);
      await page.keyboard.press('Enter');
      if (operationId.includes('ById')) {
        await tabTo(page, ({ label }) => /^id\b/.test(label));
        await page.keyboard.type('nobody');
      }
      const status = page.locator(`details[id="${operationId}"]`).getByRole('status').first();
      await tabTo(page, ({ label }) => label === 'Send');
      await page.keyboard.press(operationId.endsWith('Get') ? 'Enter' : 'Space');
      await status.filter({ hasText: /^\s*\d{3}/ }).waitFor();
      expect(await focus(page)).toMatchObject({ operation: operationId, label: 'Send', isSeen: true });
      expect((await last())?.path).toBe(operationId.includes('ById') ? `${COLLECTION}/nobody` : COLLECTION);
    }
    expect(pages.service.received).toHaveLength(described.length);
  });
});

describe('the focus', () => {
  it('stays in the operation when the button that had it goes away', async () => {
    const { page } = await pages.open();
    const list = await openOperation(page, OPERATIONS.list);
    const press = async (name: string) => {
      await list.button(name).focus();
      await page.keyboard.press('Enter');
    };
    const isHere = async () => {
      expect(await focus(page)).toMatchObject({ operation: OPERATIONS.list, isSeen: true });
      expect((await focus(page)).name).not.toBe('details');
    };
    pages.service.answerNext(new Promise(() => {}));
    await list.button('Send').click();
    await press('Cancel');
    await list.button('Cancel').waitFor({ state: 'hidden' });
    await isHere();
    pages.service.answerNext(jsonAnswer(200, [], { Link: `<${COLLECTION}?limit=1>; rel="next"` }));
    await list.send();
    await list.send(() => press('Next page'));
    await isHere();
    pages.service.answerNext(
      jsonAnswer(
        200,
        Array.from({ length: 2000 }, (_, index) => anItem(`item ${index}`)),
      ),
    );
    await list.send();
    await press('Show all');
    await list.status.getByText('"item 1999"').waitFor();
    await isHere();
  });

  it('is not taken by an answer that comes while somebody is elsewhere', async () => {
    const { page } = await pages.open();
    const list = await openOperation(page, OPERATIONS.list);
    const post = await openOperation(page, OPERATIONS.create);
    let answer: (answer: ReturnType<typeof jsonAnswer>) => void = () => {};
    pages.service.answerNext(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    await list.send(async () => {
      await list.button('Send').click();
      await post.field('item').focus();
      answer(jsonAnswer(200, []));
    });
    expect(await focus(page)).toMatchObject({ name: 'textarea', operation: OPERATIONS.create, isSeen: true });
  });
});
