import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { generate } from '../../../docs/generate.js';
import { makeAssets } from '../../../docs/generator/assets.js';
import type { OpenApi } from '../../../docs/generator/describe.js';
import { toSwagger2 } from '../../../docs/generator/swagger2.js';
import { withTokens } from '../../../docs/generator/with-tokens.js';
import { makePage } from '../../../docs/page/markup/page.js';
import type { Document } from '../../../docs/page/markup/swagger-document.js';
import { ISSUER_PLACEHOLDER } from '../../../functions/placeholders.js';
import * as todo from '../../../functions/todo.js';
import { isRoute } from '../../../shared/routing/route.js';
import { openOperation, run } from '../../support/browser/page.js';
import { servePages } from '../../support/browser/served-pages.js';
import { gateways } from '../../support/gateways/gateways.js';
import { startDeployed } from '../../support/service/deployed.js';

const deployed = startDeployed(gateways.find(({ prefix }) => prefix === ''));
const pages = servePages(deployed);

/** What the service is described as without the resources that a team may have beside to-dos. */
const document: OpenApi = JSON.parse(generate({ todo })['docs/openapi.json'] as string);

const OPERATIONS = ['Post', 'Get', 'ByIdGet', 'ByIdPatch', 'ByIdPut', 'ByIdDelete'].map((name) => `ApiTodo${name}`);

/** Opens an operation, closes the others, and returns where its button Send is. */
const OPEN_ALONE = `
  for (const one of document.querySelectorAll('.operation[open]')) one.open = false;
  const operation = document.getElementById(given[0]);
  const isOpened = new Promise((resolve) => operation.addEventListener('toggle', resolve, { once: true }));
  operation.querySelector('summary').click();
  await isOpened;
  const { top, bottom } = operation.querySelector('.send').getBoundingClientRect();
  return { top, bottom };`;

it.each([
  ['as it is', 14_500, document],
  ['where callers sign in', 16_500, withTokens(document, Object.values(todo).filter(isRoute), ISSUER_PLACEHOLDER)],
])('the page of to-dos takes no more bytes than it may, compressed, %s: %i', (_, most, described) => {
  const { 'page.gzip': page } = makeAssets('{}', '{}', makePage(toSwagger2(described) as Document));
  expect(Buffer.from(page?.body as string, 'base64').length).toBeLessThanOrEqual(most);
});

it('the page of to-dos has each operation on one screen of a laptop, with Send in sight as soon as it is opened, also on a phone', async () => {
  const page = await pages.open();
  const statuses: string[] = [];
  for (const operationId of OPERATIONS) {
    for (const [width, height] of [
      [360, 740],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      const { top, bottom } = (await run(page, OPEN_ALONE, operationId)) as { top: number; bottom: number };
      expect([operationId, width, top > 0, bottom <= height]).toEqual([operationId, width, true, true]);
    }
    const operation = await openOperation(page, operationId);
    statuses.push((await operation.send()).slice(0, 3));
    const { height } = (await operation.element.boundingBox()) as { height: number };
    expect([operationId, height <= 800]).toEqual([operationId, true]);
  }
  expect(statuses).toEqual(['201', '200', '200', '204', '204', '204']);
});

it('the page of to-dos prints on at most a sheet for each operation, without buttons', async () => {
  const page = await pages.open('', toSwagger2(document) as Document);
  await openOperation(page, 'ApiTodoPost');
  const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g);
  const operations = await page.locator('.operation').count();
  expect(sheets?.length).toBeLessThanOrEqual(operations);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('button', { name: 'Send' }).first().isVisible()).toBe(false);
});

it('the page is made of parts that do not know to-dos', () => {
  const files = readdirSync('docs/page', { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name));
  expect(files.filter((name) => /to-?do/i.test(readFileSync(`docs/page/${name}`, 'utf8')))).toEqual([]);
});
