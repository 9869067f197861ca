import { afterAll, expect, it } from '@jest/globals';
import { startTables } from '../../support/dynamodb/tables.js';
import { expectStatus } from '../../support/service/answer.js';
import { PARCELS } from '../../support/service/parcels.js';
import { type Service, startService } from '../../support/service/service.js';

const tables = startTables();

afterAll(async () => (await tables).stop());

/** The bytes of a text inside the result's JSON. */
const inResult = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2;

const post = (service: Service, label: string) => service.call('POST', PARCELS, { body: { label } });
const list = (service: Service) => service.call('GET', PARCELS);

it('a list in memory that has no room left returns 507, changes nothing, uses no Idempotency-Key, and has space again after a deletion', async () => {
  const roomy = startService();
  await post(roomy, 'abc');
  const service = startService(undefined, { capacity: inResult((await list(roomy)).text) });
  await expectStatus(507, post(service, 'abcd'));
  const { key } = (await expectStatus(201, post(service, 'abc'))).json;
  const path = `${PARCELS}/${key}`;
  const full = (await list(service)).text;
  for (const method of ['PUT', 'PATCH']) {
    const larger = service.call(method, path, { body: { key, label: 'abcd' } });
    expect((await expectStatus(507, larger)).json.detail).toContain('no room for the item');
  }
  expect((await list(service)).text).toBe(full);
  // `true` takes a byte less than `false`, so the label can be a character longer.
  await expectStatus(204, service.call('PATCH', path, { body: { fragile: true, label: 'abcd' } }));
  const once = (label: string) =>
    service.call('POST', PARCELS, { headers: { 'Idempotency-Key': 'k' }, body: { label } });
  await expectStatus(507, once('a'));
  await expectStatus(204, service.call('DELETE', path));
  await expectStatus(201, once('abc'));
});

/** The maximum size of a row in DynamoDB, in bytes. The other members take some of it. */
const LARGEST_ROW = 400 * 1_024;
const LARGEST_TEXT = LARGEST_ROW - 500;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

it('an item above 400 KB in a table returns 413, after the other checks, and changes nothing', async () => {
  const service = startService(undefined, { table: await (await tables).create() });
  const { key } = (await expectStatus(201, post(service, 'a'))).json;
  const path = `${PARCELS}/${key}`;
  // With a lone surrogate, a row has two bytes for each character.
  const largest = [(bytes: number) => 'x'.repeat(bytes), (bytes: number) => `${'x'.repeat(bytes / 2)}\ud800`];
  for (const label of largest.map((labelOf) => labelOf(LARGEST_ROW))) {
    for (const method of ['POST', 'PUT', 'PATCH']) {
      const to = method === 'POST' ? PARCELS : path;
      const answer = await expectStatus(413, service.call(method, to, { body: { key, label } }));
      expect(answer.json.detail).toBe('The item is too large to be stored. Send a smaller one.');
    }
    await expectStatus(412, service.call('PATCH', path, { headers: { 'If-Match': '"2"' }, body: { label } }));
    await expectStatus(404, service.call('PATCH', `${PARCELS}/${UNKNOWN}`, { body: { label } }));
  }
  expect((await list(service)).json).toHaveLength(2);
  for (const label of largest.map((labelOf) => labelOf(LARGEST_TEXT))) {
    await expectStatus(204, service.call('PATCH', path, { body: { label } }));
    expect((await service.call('GET', path)).json.label).toBe(label);
  }
});

it('a list in a table that does not fit into a result, to the byte, has further pages', async () => {
  const table = await (await tables).create();
  const roomy = startService(undefined, { table });
  // More than a megabyte, which is all that a query reads.
  for (const letter of 'bcd') await expectStatus(201, post(roomy, letter.repeat(LARGEST_TEXT)));
  await expectStatus(201, post(roomy, '"é€😀\\\ud800'));
  const whole = await list(roomy);
  const exact = await list(startService(undefined, { table, capacity: inResult(whole.text) }));
  expect([exact.text, exact.headers.link]).toEqual([whole.text, undefined]);
  const smaller = startService(undefined, { table, capacity: inResult(whole.text) - 1 });
  const page = await list(smaller);
  expect(page.json).toEqual(whole.json.slice(0, -1));
  const [, next = ''] = /^<(.*)>; rel="next"$/.exec(page.headers.link ?? '') ?? [];
  const rest = await smaller.call('GET', next.slice(smaller.prefix.length));
  expect([rest.json, rest.headers.link]).toEqual([whole.json.slice(-1), undefined]);
});
