import { describe, expect, it } from '@jest/globals';
import { listed } from '../../../shared/http/answer.js';
import { createQueryParser, writeQuery } from '../../../shared/http/query.js';
import { aRequest } from '../../support/service/request.js';

const parse = createQueryParser({
  limit: { type: 'integer', minimum: 1, maximum: 1_000 },
  after: { type: 'string', format: 'uuid' },
  open: { type: 'boolean' },
  text: { type: 'string' },
  size: { type: 'integer' },
});
const GUID = '019AA5F2-7c4e-7a31-9d05-3b1f6d2c8e47';

/** The values, or the errors of the problem that rejects them. */
function values(query: string) {
  const outcome = parse(aRequest({ path: `/?${query}` }));
  return 'value' in outcome ? outcome.value : JSON.parse(outcome.rejected.body ?? '').errors;
}

it.each([
  [{ limit: 7, open: true, text: 'a b+c\n' }, 'limit=7&open=true&text=a%20b%2Bc%0A'],
  [{ text: '😀&*\u0000' }, 'text=%F0%9F%98%80%26*%00'],
  // UTF-8 can't hold half a surrogate pair.
  [{ text: '\ud800' }, 'text=%EF%BF%BD'],
])('the query of %j is written as %s', (written, text) => {
  expect(writeQuery(written)).toBe(text);
});

describe('the query', () => {
  it.each([
    ['', {}],
    ['limit=1000', { limit: 1_000 }],
    ['limit=007', { limit: 7 }],
    [`after=${GUID}&limit=2`, { limit: 2, after: GUID }],
    ['limit=x&limit=2', { limit: 2 }],
    ['open=true', { open: true }],
    ['open=false', { open: false }],
    ['Limit=x&other=y&__proto__=1', {}],
  ])('%j has the values %j: the declared ones, and the last of each name', (query, found) => {
    expect(values(query)).toEqual(found);
  });

  const limits = ['', '0', '+1', '1.5', '1e2', 'x', ' 1', '1001', '9'.repeat(5_000), `${'0'.repeat(15)}5`, '٣', '0x1'];
  const cursors = ['', 'x', '1', `${GUID}0`, ` ${GUID}`, `{${GUID}}`, '\u0000', 'x'.repeat(5_000)];
  const booleans = ['', 'TRUE', 'False', '1', '0', 'yes', 'null', ' true'];

  it.each([
    ['limit', limits, /^Must be an integer from 1 to 1000; got .{1,110}\.$/],
    ['after', cursors, /^Must be a GUID such as "[\da-f-]{36}"; got .{1,110}\.$/],
    ['open', booleans, /^Must be true or false; got ".*"\.$/],
  ])('may have no other %s, and the problem names each that is wrong', (parameter, texts, detail) => {
    for (const text of texts) {
      const wrong = `${parameter}=${encodeURIComponent(text)}`;
      const errors = [
        { parameter, detail: expect.stringMatching(detail) },
        { parameter: 'size', detail: 'Must be an integer; got "x".' },
      ];
      expect([text, values(`size=x&${wrong}`)]).toEqual([text, errors]);
    }
  });

  it('may have 512 characters, percent-encoded; beyond that, the problem names the longest parameter', () => {
    expect(values(`text=${'x'.repeat(507)}`)).toHaveProperty('text');
    expect(values(`limit=1&text=${'x'.repeat(499)}&after=${GUID}`)).toHaveProperty('text');
    const detail =
      'Must be shorter: all parameters except after may have 512 characters together, percent-encoded, but have 513.';
    expect(values(`limit=1&text=xx${'%20'.repeat(166)}`)).toEqual([{ parameter: 'text', detail }]);
  });

  it('has the default of a parameter that was not sent, which the link to the next page does not repeat', () => {
    const withDefaults = createQueryParser({
      limit: { type: 'integer', default: 50 },
      open: { type: 'boolean', default: false },
      text: { type: 'string', default: 'x'.repeat(600) },
      after: { type: 'string' },
    });
    const expectParsed = (query: string, value: object, link: string) => {
      const request = aRequest({ path: `/?${query}` });
      expect(withDefaults(request)).toEqual({ value });
      const { headers } = listed(request, '/notes', { json: '[]', next: GUID }, value);
      expect(headers.Link).toBe(`</notes?${link}after=${GUID}>; rel="next"`);
    };
    expectParsed('', { limit: 50, open: false, text: 'x'.repeat(600) }, '');
    const sent = { limit: 50, open: false, text: 'a b', after: '1' };
    expectParsed('text=a+b&limit=50&after=1&other=2', sent, 'limit=50&text=a%20b&');
  });
});
