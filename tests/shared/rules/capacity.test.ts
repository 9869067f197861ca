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

it('a list in memory that has no room left returns 507, changes nothing, uses no Idempotency-Key, and has space again after a deletion (rule 23)', async () => {
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

/** The most bytes that an item's JSON may have in a table. */
const LARGEST_ITEM = 400_000;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

it.each([
  ['one', 'x'],
  ['two', 'é'],
  ['six', '\ud800'],
])(
  'in a table, the JSON of an item may have 400,000 bytes, with %s for each character; one more returns 413',
  async (_bytes, character) => {
    const service = startService(undefined, { table: await (await tables).create() });
    const { json: item } = await expectStatus(201, post(service, ''.padEnd(1, character)));
    const path = `${PARCELS}/${item.key}`;
    const sizeOf = (label: string) => Buffer.byteLength(JSON.stringify({ ...item, label }));
    const left = LARGEST_ITEM - sizeOf('');
    const size = sizeOf(character) - sizeOf('');
    const largest = character.repeat(left / size) + 'x'.repeat(left % size);
    expect(sizeOf(largest)).toBe(LARGEST_ITEM);
    const send = (method: string, label: string, to = path, headers = {}) =>
      service.call(method, method === 'POST' ? PARCELS : to, { headers, body: { key: item.key, label } });
    for (const method of ['POST', 'PUT', 'PATCH']) {
      const { json } = await expectStatus(413, send(method, `${largest}x`));
      expect(json.detail).toBe('The item is too large to be stored. Send a smaller one.');
    }
    // The item is looked for first, and then its version is compared (rule 5).
    await expectStatus(412, send('PATCH', `${largest}x`, path, { 'If-Match': '"2"' }));
    await expectStatus(404, send('PATCH', `${largest}x`, `${PARCELS}/${UNKNOWN}`));
    expect((await list(service)).json).toEqual([expect.anything(), item]);
    const created = await expectStatus(201, send('POST', largest));
    expect(created.json.label).toBe(largest);
    for (const method of ['PUT', 'PATCH']) await expectStatus(204, send(method, largest));
    expect((await service.call('GET', path)).json.label).toBe(largest);
    // Counted is the item as it would be stored: `true` takes a byte less than `false`.
    await expectStatus(413, service.call('PATCH', path, { body: { pieces: 5, weight: 0.25 } }));
    await expectStatus(204, service.call('PATCH', path, { body: { fragile: true, label: `${largest}x` } }));
  },
);

it('an item that could never fit returns 413 before its Idempotency-Key is looked at, which is free after that', async () => {
  const table = await (await tables).create();
  for (const service of [startService(undefined, { table }), startService(undefined, { capacity: 300_000 })]) {
    const once = (label: string) =>
      service.call('POST', PARCELS, { headers: { 'Idempotency-Key': 'k' }, body: { label } });
    await expectStatus(413, once('x'.repeat(400_000)));
    const first = await expectStatus(201, once('a'));
    await expectStatus(413, once('x'.repeat(400_000)));
    await expectStatus(422, once('b'));
    expect(await once('a')).toEqual(first);
  }
});

it('a list in memory that has no room left gives a POST with a known Idempotency-Key its first answer again', async () => {
  const roomy = startService();
  await post(roomy, 'abc');
  const service = startService(undefined, { capacity: inResult((await list(roomy)).text) });
  const once = (label: string) =>
    service.call('POST', PARCELS, { headers: { 'Idempotency-Key': 'k' }, body: { label } });
  const first = await expectStatus(201, once('abc'));
  expect(await once('abc')).toEqual(first);
  await expectStatus(422, once('abcd'));
  await expectStatus(507, post(service, 'a'));
});

/** A text of which one item is nearly as large as may be. */
const LARGEST_TEXT = LARGEST_ITEM - 500;

it('a list in a table that does not fit into a result, to the byte, has further pages (rules 15 and 23)', async () => {
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
