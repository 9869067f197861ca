import { expect, it } from '@jest/globals';
import { LARGEST_CONTENT, LARGEST_RESULT } from '../../shared/gateway/gateway.js';
import { type Gateway, gateways } from '../support/gateways/gateways.js';
import { answerOf } from '../support/service/answer.js';
import { matchesDocument } from '../support/service/matches-document.js';
import { faultsOf } from '../support/service/result-faults.js';
import { loadHandler } from '../support/service/service.js';

/** The longest origin that the configuration takes, and the longest prefix that answers repeat. */
const ORIGIN = `https://${'a'.repeat(241)}.example.com:65535`;
const PREFIX = `/${'p'.repeat(511)}`;

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** What a text takes inside the result's JSON, in bytes. */
const inResult = (text: string) => bytesOf(text) - 2;

/**
 * A name of quotes, each of which takes four bytes of the result, such that its item takes just so many with its comma.
 * Its other members take what they take in another item.
 */
function nameFor(bytes: number, other: object): string {
  const room = bytes - inResult(JSON.stringify({ ...other, name: '' })) - 1;
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
  const call = startAtLongest();
  const list = async () => (await call('GET', '/api/todo')).body;
  const room = async () => LARGEST_CONTENT - inResult(await list());
  const [first] = JSON.parse(await list());
  const post = (bytes: number) => call('POST', '/api/todo', { name: nameFor(bytes, first) });
  const posted = async (bytes: number) => expect(await post(bytes)).toMatchObject({ statusCode: 201 });
  while ((await room()) > 2_000_000) await posted(2_000_000);
  await posted((await room()) - 200);
  expect(await post(201)).toMatchObject({ statusCode: 507 });
  await posted(200);

  const full = await list();
  expect(inResult(full)).toBe(LARGEST_CONTENT);
  const items: { key: string; name: string }[] = JSON.parse(full);
  const page = await call('GET', `/api/todo?limit=${items.length - 1}`);
  expect(page.headers).toMatchObject({
    'Access-Control-Allow-Origin': ORIGIN,
    Link: `<${PREFIX}/api/todo?limit=${items.length - 1}&after=${items.at(-2)?.key}>; rel="next"`,
  });
  expect(bytesOf({ ...page, body: '' })).toBeLessThanOrEqual(LARGEST_RESULT - LARGEST_CONTENT);

  const { key, name } = items.at(-1) as { key: string; name: string };
  const path = `/api/todo/${key}`;
  expect(await call('POST', '/api/todo', { name: 'x' })).toMatchObject({ statusCode: 507 });
  for (const method of ['PUT', 'PATCH']) {
    const rejected = await call(method, path, { key, name: `${name}x` });
    expect(rejected).toMatchObject({ statusCode: 507, body: expect.stringContaining('no room left') });
  }
  expect(await list()).toBe(full);
  // Done, the item takes a byte less.
  expect(await call('PATCH', path, { isComplete: true, name: `${name}x` })).toMatchObject({ statusCode: 204 });
  expect(await room()).toBe(0);
  expect(await call('DELETE', path)).toMatchObject({ statusCode: 204 });
  await posted(200);
});
