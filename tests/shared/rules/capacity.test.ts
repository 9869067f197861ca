import { afterAll, describe, expect, it } from '@jest/globals';
import { LARGEST_CONTENT, LARGEST_RESULT } from '../../../shared/gateway/gateway.js';
import { startTables } from '../../support/dynamodb/tables.js';
import { type Answer, expectStatus } from '../../support/service/answer.js';
import { PARCELS } from '../../support/service/parcels.js';
import { startService } from '../../support/service/service.js';

/** The bytes of a text inside the result's JSON. */
const inResult = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2;

/** The bytes of an answer as a result. */
const sizeOf = ({ status, headers, text }: Answer) =>
  Buffer.byteLength(JSON.stringify({ statusCode: status, headers, body: text, isBase64Encoded: false }));

describe('in memory', () => {
  /**
   * Makes a text such that its item takes a number of bytes in the list, with its comma. Each of its quotes takes four bytes
   * of the result. The other members of the item take as much as those of `other`.
   */
  function textOf(bytes: number, other: object): string {
    const free = bytes - inResult(JSON.stringify({ ...other, label: '' })) - 1;
    return 'x'.repeat(free % 4) + '"'.repeat(Math.floor(free / 4));
  }

  it('a list can be filled to the byte, then still fits into a result of Lambda, and has space again after a deletion', async () => {
    const service = startService();
    const call = (method: string, path: string, body?: object) => service.call(method, path, { body });
    const list = async () => (await call('GET', PARCELS)).text;
    const free = async () => LARGEST_CONTENT - inResult(await list());
    const [first] = JSON.parse(await list());
    const post = (bytes: number) => call('POST', PARCELS, { label: textOf(bytes, first) });
    while ((await free()) > 2_000_000) await expectStatus(201, post(2_000_000));
    await expectStatus(201, post((await free()) - 300));
    await expectStatus(507, post(301));
    await expectStatus(201, post(300));

    const full = await call('GET', PARCELS);
    expect(inResult(full.text)).toBe(LARGEST_CONTENT);
    expect(sizeOf(full)).toBeLessThanOrEqual(LARGEST_RESULT);
    const { key, label } = full.json.at(-1);
    const path = `${PARCELS}/${key}`;
    await expectStatus(507, call('POST', PARCELS, { label: 'x' }));
    for (const method of ['PUT', 'PATCH']) {
      const { json } = await expectStatus(507, call(method, path, { key, label: `${label}x` }));
      expect(json.detail).toContain('no room for the item');
    }
    expect(await list()).toBe(full.text);
    // `true` takes a byte less than `false`, so the label can be a character longer.
    await expectStatus(204, call('PATCH', path, { fragile: true, label: `${label}x` }));
    expect(await free()).toBe(0);
    await expectStatus(204, call('DELETE', path));
    await expectStatus(201, post(300));
  });

  it('a full collection answers 507 to POST, PUT and PATCH, and still answers all other requests', async () => {
    const large = startService();
    await large.call('POST', PARCELS, { body: { label: 'a' } });
    const capacity = inResult((await large.call('GET', PARCELS)).text);
    const service = startService(undefined, { capacity });
    const post = () => service.call('POST', PARCELS, { body: { label: 'a' } });
    const { json } = await expectStatus(201, post());
    const path = `${PARCELS}/${json.key}`;
    await expectStatus(507, post());
    await expectStatus(507, service.call('PUT', path, { body: { key: json.key, label: 'aa' } }));
    await expectStatus(507, service.call('PATCH', path, { body: { label: 'aa' } }));
    expect((await service.call('GET', path)).json).toEqual(json);
    await expectStatus(204, service.call('PATCH', path, { body: { label: 'b' } }));
    await expectStatus(204, service.call('DELETE', path));
    await expectStatus(201, post());
  });
});

describe('in a table', () => {
  /** The maximum size of a row in DynamoDB, in bytes. The other members take some of it. */
  const LARGEST_ROW = 400 * 1_024;
  const LARGEST_TEXT = LARGEST_ROW - 500;

  const tables = startTables();
  const start = async () => startService(undefined, { table: await (await tables).create() });

  afterAll(async () => (await tables).stop());

  it('an item above 400 KB returns 413, after the other checks, and changes nothing', async () => {
    const service = await start();
    const { json } = await expectStatus(201, service.call('POST', PARCELS, { body: { label: 'a' } }));
    const path = `${PARCELS}/${json.key}`;
    const unknown = `${PARCELS}/00000000-0000-4000-8000-000000000000`;
    // With a lone surrogate, a row has two bytes for each character.
    for (const label of ['x'.repeat(LARGEST_ROW), `${'x'.repeat(LARGEST_ROW / 2)}\ud800`]) {
      for (const [method, to] of [
        ['POST', PARCELS],
        ['PUT', path],
        ['PATCH', path],
      ] as const) {
        const answer = await expectStatus(413, service.call(method, to, { body: { key: json.key, label } }));
        expect(answer.json.detail).toBe('The item is too large to be stored. Send a smaller one.');
      }
      await expectStatus(412, service.call('PATCH', path, { headers: { 'If-Match': '"2"' }, body: { label } }));
      await expectStatus(404, service.call('PATCH', unknown, { body: { label } }));
    }
    expect((await service.call('GET', PARCELS)).json).toHaveLength(2);
    for (const label of ['x'.repeat(LARGEST_TEXT), `${'x'.repeat(LARGEST_TEXT / 2)}\ud800`]) {
      await expectStatus(204, service.call('PATCH', path, { body: { label } }));
      expect((await service.call('GET', path)).json.label).toBe(label);
    }
  });

  it('a list that is larger than a result has further pages, with each item once and in order', async () => {
    const service = await start();
    const [first] = (await service.call('GET', PARCELS)).json;
    const post = async (length: number) =>
      (await expectStatus(201, service.call('POST', PARCELS, { body: { label: 'x'.repeat(length) } }))).json.key;
    const keys: string[] = [first.key];
    while (keys.length < LARGEST_CONTENT / LARGEST_TEXT) keys.push(await post(LARGEST_TEXT));
    // The last item fills the page to the byte, and is then made one character too long.
    keys.push(await post(1));
    const free = LARGEST_CONTENT - inResult((await service.call('GET', PARCELS)).text);
    const path = `${PARCELS}/${keys.at(-1)}`;
    await expectStatus(204, service.call('PATCH', path, { body: { label: 'x'.repeat(1 + free) } }));
    const full = await expectStatus(200, service.call('GET', PARCELS));
    expect(inResult(full.text)).toBe(LARGEST_CONTENT);
    expect(sizeOf(full)).toBeLessThanOrEqual(LARGEST_RESULT);
    expect(full.headers).not.toHaveProperty('link');
    await expectStatus(204, service.call('PATCH', path, { body: { label: 'x'.repeat(2 + free) } }));
    const page = await expectStatus(200, service.call('GET', PARCELS));
    const [, next = ''] = /^<(.*)>; rel="next"$/.exec(page.headers.link ?? '') ?? [];
    const rest = await expectStatus(200, service.call('GET', next.slice(service.prefix.length)));
    expect(rest.json).toHaveLength(1);
    expect(rest.headers).not.toHaveProperty('link');
    expect([...page.json, ...rest.json].map(({ key }: { key: string }) => key)).toEqual(keys);
  });
});
