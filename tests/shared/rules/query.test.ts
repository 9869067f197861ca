import { describe, expect, it } from '@jest/globals';
import { LARGEST_CONTENT, LARGEST_RESULT } from '../../../shared/gateway/gateway.js';
import { listed } from '../../../shared/http/answer.js';
import { route } from '../../../shared/routing/route.js';
import { restUnder, typicalGateways } from '../../support/gateways/gateways.js';
import { expectStatus } from '../../support/service/answer.js';
import { startService } from '../../support/service/service.js';

const PATH = '/api/parameters';
const NEXT = '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47';
const GUID = '019AA5F2-7c4e-7a31-9d05-3b1f6d2c8e47';
const DEFAULTS = { size: 50, fast: false, note: 'x'.repeat(600) };

/** Answers with the parameters, as a page that always has a next one. */
const listParameters = route({
  method: 'GET',
  template: PATH,
  query: {
    limit: { type: 'integer', minimum: 1, maximum: 1_000 },
    after: { type: 'string', format: 'uuid' },
    open: { type: 'boolean' },
    text: { type: 'string' },
    size: { type: 'integer', default: DEFAULTS.size },
    fast: { type: 'boolean', default: DEFAULTS.fast },
    note: { type: 'string', default: DEFAULTS.note },
  },
  answers: { 200: { headers: ['ETag', 'Link'] }, 304: {}, 412: {} },
  async run({ request, query }) {
    // As long as a digest.
    const page = { json: JSON.stringify(query), next: NEXT, tag: () => 'x'.repeat(43) };
    return listed(request, PATH, page, query, undefined);
  },
});

const routes = [listParameters];
const service = startService(undefined, { routes });
const errorsOf = async (query: string) =>
  (await expectStatus(400, service.call('GET', `${PATH}?${query}`))).json.errors;

describe.each(typicalGateways)('the query behind $name (rules 10 and 15)', (gateway) => {
  const behind = startService(gateway, { routes });

  it.each([
    ['', {}, ''],
    ['Limit=x&other=y&__proto__=1', {}, ''],
    ['limit=007', { limit: 7 }, 'limit=7&'],
    [`after=${GUID}&limit=1000`, { after: GUID, limit: 1_000 }, 'limit=1000&'],
    ['limit=x&limit=1&open=true', { limit: 1, open: true }, 'limit=1&open=true&'],
    ['open=True&fast=FALSE', { open: true, fast: false }, 'fast=false&open=true&'],
    ['text=&open=true&open=false', { text: '', open: false }, 'open=false&text=&'],
    ['fast=true&size=50&text=a+b', { fast: true, text: 'a b' }, 'size=50&fast=true&text=a%20b&'],
    [
      'text=b%2Bc%26d%3De%23%25%3E%22%C3%A4%F0%9F%98%80%00*',
      { text: 'b+c&d=e#%>"ä😀\u0000*' },
      'text=b%2Bc%26d%3De%23%25%3E%22%C3%A4%F0%9F%98%80%00*&',
    ],
  ])('%j has its values, else the defaults, and the link to the next page repeats what was sent', async (...row) => {
    const [sent, values, repeated] = row;
    const { json, headers } = await behind.call('GET', `${PATH}?${sent}`);
    expect(json).toEqual({ ...DEFAULTS, ...values });
    expect(headers.link).toBe(`<${gateway.prefix}${PATH}?${repeated}after=${NEXT}>; rel="next"`);
    const next = await behind.call('GET', `${PATH}?${repeated}after=${NEXT}`);
    expect(next.json).toEqual({ ...json, after: NEXT });
  });
});

const limits = ['', '0', '+1', '1.5', '1e2', 'x', ' 1', '1001', '9'.repeat(5_000), `${'0'.repeat(15)}5`, '٣', '0x1'];
const cursors = ['', 'x', '1', `${GUID}0`, ` ${GUID}`, `{${GUID}}`, '\u0000', 'x'.repeat(5_000)];
const booleans = ['', '1', '0', 'yes', 'null', ' true'];

it.each([
  ['limit', limits, /^Must be an integer from 1 to 1000; got .{1,110}\.$/],
  ['after', cursors, /^Must be a GUID such as "[\da-f-]{36}"; got .{1,110}\.$/],
  ['open', booleans, /^Must be true or false; got ".*"\.$/],
])('the query may have no other %s, and the problem names each that is wrong', async (parameter, texts, detail) => {
  for (const text of texts) {
    const size = { parameter: 'size', detail: 'Must be an integer; got "x".' };
    const errors = [{ parameter, detail: expect.stringMatching(detail) }, size];
    const query = `size=x&${parameter}=${encodeURIComponent(text)}`;
    expect([text, await errorsOf(query)]).toEqual([text, errors]);
  }
});

it('a query of 512 characters, percent-encoded, fits into a link beside the longest prefix and origin; more returns 400', async () => {
  const origin = `https://${'a'.repeat(241)}.example.com:65535`;
  const prefixed = startService(restUnder(`/${'p'.repeat(511)}`), { corsOrigins: [origin], routes });
  const list = (query: string) =>
    expectStatus(200, prefixed.call('GET', `${PATH}?${query}`, { headers: { Origin: origin } }));
  const { headers } = await list(`limit=1&text=x${'%22'.repeat(166)}&after=${GUID}`);
  expect(headers.link?.length).toBeGreaterThan(1_000);
  const bytes = Buffer.byteLength(JSON.stringify({ statusCode: 200, headers, body: '', isBase64Encoded: false }));
  // Lambda's own words in its log: Exceeded maximum allowed payload size (6291556 bytes).
  expect(LARGEST_RESULT).toBe(6_291_556);
  expect(bytes + LARGEST_CONTENT).toBeLessThanOrEqual(LARGEST_RESULT);
  expect((await list(headers.link?.replace(/^.*\?|>.*$/g, '') as string)).headers).toEqual(headers);
  const detail =
    'Must be shorter: all parameters except after may have 512 characters together, percent-encoded, but have 513.';
  expect(await errorsOf(`limit=1&text=xx${'%22'.repeat(166)}`)).toEqual([{ parameter: 'text', detail }]);
});
