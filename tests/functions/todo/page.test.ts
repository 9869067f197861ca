import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { environmentOf, localTable } from '../../../serverless/dynamodb.js';
import { openOperation, until } from '../../support/browser/page.js';
import { servePages } from '../../support/browser/served-pages.js';
import { gateways } from '../../support/gateways/gateways.js';
import { startDeployed } from '../../support/service/deployed.js';

const deployed = startDeployed(gateways.find(({ prefix }) => prefix === ''));
const pages = servePages({ of: deployed });

const SIGN_IN = {
  ...environmentOf(localTable('todos', 'http://127.0.0.1:1')),
  TOKEN_ISSUER: 'https://example.com',
  TOKEN_AUDIENCE: 'todos',
};

const OPERATIONS = [
  'ApiTodoPost',
  'ApiTodoGet',
  'ApiTodoByIdGet',
  'ApiTodoByIdPatch',
  'ApiTodoByIdPut',
  'ApiTodoByIdDelete',
];

describe('the page of to-dos', () => {
  it.each([
    ['as it is', 14_000, deployed],
    ['where callers sign in', 16_000, startDeployed(gateways[0], SIGN_IN)],
  ])('takes no more bytes than it may, compressed, %s: %i', async (_, most, service) => {
    const { status, headers, content } = await service.call('GET', '/swagger/ui', {
      headers: { 'accept-encoding': 'gzip' },
    });
    expect([status, headers['content-encoding']]).toEqual([200, 'gzip']);
    expect(content.length).toBeLessThanOrEqual(most);
  });

  it.each([
    [1280, 800],
    [360, 740],
  ])('has Send in sight as soon as an operation is opened, at %i × %i', async (width, height) => {
    const { page } = await pages.openWith({ viewport: { width, height } });
    for (const operationId of OPERATIONS) {
      const summary = page.locator(`#${operationId} > summary`);
      await summary.click();
      const send = (await openOperation(page, operationId)).button('Send');
      await until(page, `location.hash === '#${operationId}'`);
      const { y, height: tall } = (await send.boundingBox()) as { y: number; height: number };
      expect([operationId, y > 0, y + tall <= height]).toEqual([operationId, true, true]);
      await summary.click();
    }
  });

  it('prints on at most five sheets', async () => {
    const { page } = await pages.openWith();
    await openOperation(page, 'ApiTodoPost');
    const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g);
    expect(sheets?.length).toBeLessThanOrEqual(5);
  });

  it('creates, lists, finds, changes, replaces and deletes an item', async () => {
    const page = await pages.open();
    const statuses: string[] = [];
    for (const operationId of OPERATIONS) {
      const operation = await openOperation(page, operationId);
      statuses.push((await operation.send()).slice(0, 3));
      const { height } = (await operation.element.boundingBox()) as { height: number };
      expect([operationId, height, height <= 800]).toEqual([operationId, height, true]);
      await operation.element.locator('> summary').click();
    }
    expect(statuses).toEqual(['201', '200', '200', '204', '204', '204']);
  });

  it('is made of parts that do not know to-dos', () => {
    const files = readdirSync('docs/page', { recursive: true, encoding: 'utf8' });
    for (const name of files.filter((file) => /\.\w+$/.test(file))) {
      expect([name, /to-?do/i.exec(readFileSync(`docs/page/${name}`, 'utf8'))]).toEqual([name, null]);
    }
  });
});
