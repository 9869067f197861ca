import { expect, it, jest } from '@jest/globals';
import { LARGEST_CONTENT, LARGEST_RESULT } from '../../shared/gateway/gateway.js';
import type { Resource } from '../../shared/store/store.js';
import { type Gateway, gateways } from '../support/gateways/gateways.js';
import { addNotes } from '../support/service/add-notes.js';
import { answerOf } from '../support/service/answer.js';
import { matchesDocument } from '../support/service/matches-document.js';
import { NOTES } from '../support/service/notes.js';
import { anItem, COLLECTION } from '../support/service/resource.js';
import { faultsOf } from '../support/service/result-faults.js';
import { loadHandler, startService } from '../support/service/service.js';

/** The longest origin that the configuration takes, and the longest prefix that answers repeat. */
const ORIGIN = `https://${'a'.repeat(241)}.example.com:65535`;
const PREFIX = `/${'p'.repeat(511)}`;

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** What a text takes inside the result's JSON, in bytes. */
const inResult = (text: string) => bytesOf(text) - 2;

/**
 * A text of quotes, each of which takes four bytes of the result, such that its item takes just so many with its comma.
 * Its other members take what they take in another item.
 */
function textOf(bytes: number, other: object): string {
  const room = bytes - inResult(JSON.stringify({ ...other, text: '' })) - 1;
  return 'x'.repeat(room % 4) + '"'.repeat(Math.floor(room / 4));
}

interface Result {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** The service, called as by a page of that origin and behind that prefix; each result is checked as a whole. */
function startAtLongest() {
  const handle = loadHandler({ CORS_ORIGINS: ORIGIN });
  const headers = { Origin: ORIGIN, 'Content-Type': 'application/json' };
  return async (method: string, path: string, body?: object) => {
    const [route = '', query = ''] = path.split('?');
    const event = (gateways[0] as Gateway).event({
      method,
      path: route,
      query,
      headers,
      body: body && JSON.stringify(body),
    });
    const { requestContext, ...rest } = event as { requestContext: object };
    const result = await handle({ ...rest, requestContext: { ...requestContext, path: PREFIX + route } });
    expect(faultsOf(result)).toEqual([]);
    const { statusCode, headers: fields, body: text } = result as Result;
    matchesDocument(method, path, answerOf(statusCode, fields, Buffer.from(text)));
    return result as Result;
  };
}

it('a full list is a result that Lambda lets out, under the longest prefix, for the longest origin, and with a link', async () => {
  addNotes();
  const call = startAtLongest();
  const list = async () => (await call('GET', NOTES)).body;
  const room = async () => LARGEST_CONTENT - inResult(await list());
  const [first] = JSON.parse(await list());
  const post = (bytes: number) => call('POST', NOTES, { text: textOf(bytes, first) });
  const posted = async (bytes: number) => expect(await post(bytes)).toMatchObject({ statusCode: 201 });
  while ((await room()) > 2_000_000) await posted(2_000_000);
  await posted((await room()) - 200);
  expect(await post(201)).toMatchObject({ statusCode: 507 });
  await posted(200);

  const full = await list();
  expect(inResult(full)).toBe(LARGEST_CONTENT);
  const items: { key: string; text: string }[] = JSON.parse(full);
  const page = await call('GET', `${NOTES}?limit=${items.length - 1}`);
  expect(page.headers).toMatchObject({
    'Access-Control-Allow-Origin': ORIGIN,
    Link: `<${PREFIX}${NOTES}?limit=${items.length - 1}&after=${items.at(-2)?.key}>; rel="next"`,
  });
  expect(bytesOf({ ...page, body: '' })).toBeLessThanOrEqual(LARGEST_RESULT - LARGEST_CONTENT);

  const { key, text } = items.at(-1) as { key: string; text: string };
  const path = `${NOTES}/${key}`;
  expect(await call('POST', NOTES, { text: 'x' })).toMatchObject({ statusCode: 507 });
  for (const method of ['PUT', 'PATCH']) {
    const rejected = await call(method, path, { text: `${text}x` });
    expect(rejected).toMatchObject({ statusCode: 507, body: expect.stringContaining('no room left') });
  }
  expect(await list()).toBe(full);
  // Pinned, the item takes a byte less.
  expect(await call('PATCH', path, { isPinned: true, text: `${text}x` })).toMatchObject({ statusCode: 204 });
  expect(await room()).toBe(0);
  expect(await call('DELETE', path)).toMatchObject({ statusCode: 204 });
  await posted(200);
});

it('a full collection answers 507 to POST, PUT and PATCH, and goes on answering the rest', async () => {
  const roomy = startService();
  await roomy.call('POST', COLLECTION, { body: anItem('a') });
  const capacity = inResult((await roomy.call('GET', COLLECTION)).text);
  const service = startWith(capacity);
  const { json } = await service.call('POST', COLLECTION, { body: anItem('a') });
  const path = `${COLLECTION}/${json.key}`;
  expect((await service.call('POST', COLLECTION, { body: anItem('a') })).status).toBe(507);
  expect((await service.call('PUT', path, { body: { key: json.key, ...anItem('aa') } })).status).toBe(507);
  expect((await service.call('PATCH', path, { body: anItem('aa') })).status).toBe(507);
  expect((await service.call('GET', path)).json).toEqual(json);
  expect((await service.call('PATCH', path, { body: anItem('b') })).status).toBe(204);
  expect((await service.call('DELETE', path)).status).toBe(204);
  expect((await service.call('POST', COLLECTION, { body: anItem('a') })).status).toBe(201);
});

/** The service with a collection in memory that has room for so many bytes. */
function startWith(capacity: number) {
  jest.doMock('../../shared/store/memory.js', () => {
    const { MemoryStore } =
      jest.requireActual<typeof import('../../shared/store/memory.js')>('../../shared/store/memory.js');
    return {
      MemoryStore: class extends MemoryStore<never> {
        constructor(resource: Resource<never>) {
          super(resource, capacity);
        }
      },
    };
  });
  const service = startService();
  jest.dontMock('../../shared/store/memory.js');
  return service;
}
