import { afterAll, expect, it } from '@jest/globals';
import { LARGEST_CONTENT } from '../../../shared/gateway/gateway.js';
import { environmentOf, startTables } from '../../support/dynamodb/tables.js';
import { startDeployed } from '../../support/service/deployed.js';

const tables = startTables();

afterAll(async () => (await tables).stop());

/** The bytes that a text takes inside the JSON of a result. */
const inResult = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2;

it.each([
  { store: 'memory', outcome: 507, hasLink: false },
  { store: 'a table', outcome: 204, hasLink: true },
])("a list in $store fills a result of Lambda's to the byte, and never more", async ({ store, outcome, hasLink }) => {
  const isTable = store === 'a table';
  const service = startDeployed(undefined, isTable ? environmentOf(await (await tables).create()) : {});
  const list = () => service.call('GET', '/api/todo');
  const post = async (length: number) =>
    (await service.call('POST', '/api/todo', { body: { name: 'x'.repeat(length) } })).json.key;
  for (let count = 0; count < 16; count += 1) await post(390_000);
  const last = await post(1);
  const fill = LARGEST_CONTENT - inResult((await list()).text) + 1;
  const rename = async (length: number) =>
    (await service.call('PATCH', `/api/todo/${last}`, { body: { name: 'x'.repeat(length) } })).status;
  expect(await rename(fill)).toBe(204);
  const full = await list();
  expect([inResult(full.text), full.headers.link]).toEqual([LARGEST_CONTENT, undefined]);
  expect(await rename(fill + 1)).toBe(outcome);
  expect('link' in (await list()).headers).toBe(hasLink);
});
