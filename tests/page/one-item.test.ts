import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { openOperation } from '../support/browser/page.js';
import { servePages } from '../support/browser/served-pages.js';
import type { Fault } from '../support/dynamodb/faults.js';
import { startFaultyServer } from '../support/dynamodb/faulty-server.js';
import { startTables } from '../support/dynamodb/tables.js';
import { anItem, COLLECTION, OPERATIONS, TEXT } from '../support/service/resource.js';
import { keepInTables } from '../support/service/service.js';

const tables = startTables();
const table = tables.then(({ endpoint }) => startFaultyServer(endpoint));
keepInTables(async () => ({
  ...(await (await tables).create()),
  AWS_ENDPOINT_URL_DYNAMODB: (await table).endpoint,
}));
const pages = servePages();

afterAll(async () => {
  await (await table).stop();
  await (await tables).stop();
});

/** A POST puts two rows: the use of its key, and the item. Nothing happens to this one. */
const NONE: Fault = {};

describe('one click on Send creates one item, and sending again by hand until it is there creates no other,', () => {
  it.each<[string, Fault[]]>([
    ['the table refuses each write', ['deny', 'deny']],
    ['the table refuses the item', [NONE, 'deny', NONE, 'deny']],
    ['the table has the use of the key, and its reply is lost', ['cut after', 'deny', 'deny']],
    ['the table has the item, and its reply is lost', [NONE, 'cut after', 'deny', NONE, 'deny']],
    ['the table has the item and says that it failed', [NONE, 'fail after', 'deny']],
    ['the item is late', [NONE, { late: 300 }, 'cut after', 'deny']],
    ['the item comes twice', [NONE, { again: 100 }]],
  ])('where %s', async (_where, faults) => {
    (await table).misbehaveIn('PutItem', ...faults);
    await createsOne();
  });

  it.each<[string, (route: Route) => Promise<void>]>([
    ['the answer is lost', (route) => route.abort('connectionreset')],
    ['a gateway answers 502 instead', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' })],
    ['a gateway answers 503 instead', (route) => route.fulfill({ status: 503, headers: { 'Retry-After': '1' } })],
    ['a gateway answers 504 instead', (route) => route.fulfill({ status: 504, json: { message: 'timed out' } })],
  ])('where the item was created, and %s', async (_where, answer) => {
    const { page } = await pages.shared();
    await page.route(`**${COLLECTION}`, async (route) => {
      await route.fetch();
      await answer(route);
    });
    await createsOne(() => page.unroute(`**${COLLECTION}`));
  });
});

let count = 0;
let still: Promise<Page> | undefined;

/** The page, with a clock that stands still. */
async function stop(): Promise<Page> {
  const { page } = await pages.shared();
  await page.clock.install();
  return page;
}

/** Sends a POST of a text of its own, and again as the page offers or does by itself, until it is answered 201. */
async function createsOne(mend = async () => {}): Promise<void> {
  still ??= stop();
  const page = await still;
  count += 1;
  const text = `item ${count}`;
  const post = await openOperation(page, OPERATIONS.create);
  await post.field('item').fill(JSON.stringify(anItem(text)));
  await post.button('Send').click();
  for (let status = ''; !/^\s*201/.test(status); await setTimeout(5)) {
    status = (await post.status.textContent()) ?? '';
    if (/Sending it again in/.test(status)) await page.clock.runFor(2_000);
    if (!/may have been/.test(status)) continue;
    await mend();
    await post.button('Send again').click();
  }
  const posts = pages.service.received.filter(({ method }) => method === 'POST');
  expect(new Set(posts.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  const { json } = await pages.service.call('GET', COLLECTION);
  expect(json.filter((item: Record<string, unknown>) => item[TEXT] === text)).toHaveLength(1);
}
