import { expect, it } from '@jest/globals';
import { contentHeaders } from '../../../shared/http/answer.js';
import { chooseCoding, chooseType } from '../../../shared/http/negotiate.js';
import { aRequest } from '../../support/service/request.js';

const JSON_TYPE = 'application/json';
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8';

it.each([
  [JSON_TYPE, ['', '*/*', BROWSER]],
  [
    'text/plain',
    ['text/plain', 'text/plain, */*;q=0.5', '*/*, application/json;q=0', 'application/*;q=0.1, */*;q=0.5'],
  ],
  ['text/plain', ['text/plain;q=1.000, text/json;q=0.9', 'text/plain;q=1., text/json']],
  ['text/plain', ['text/plain, text/json;q=0.5, text/plain;q=0.1', 'text/plain;q=0.1, text/json;q=0.5, text/plain']],
  ['text/json', ['TEXT/JSON', 'text/*, text/plain;q=0.1', 'application/json;q=0.5, text/json;q=0.9;ext=1']],
  ['text/json', ['text/plain;q=10, text/json;q=0.1', 'text/plain;q=0.1234, text/json;q=0.1']],
  ['text/json', ['text/plain;v=1;q=0.1, text/json;q=0.5']],
])('the media type of a response is %s for each Accept of %j (rule 12)', (type, fields) => {
  for (const accept of fields)
    expect([accept, chooseType(accept, ['text/plain', JSON_TYPE, 'text/json'], JSON_TYPE)]).toEqual([accept, type]);
});

it.each([
  ['gzip', ['gzip', 'br;q=1.0, GZIP;q=0.1', 'gzip;q=0.001', 'gzip, identity', '*', 'identity;q=0, gzip']],
  ['identity', [undefined, 'br', 'gzip;q=0.5, identity', 'gzip;q=0, *', '*, gzip;q=0.5', '*;q=0']],
])('the content coding of a response is %s for each Accept-Encoding of %j', (coding, fields) => {
  for (const accept of fields) expect([accept, chooseCoding(accept, ['gzip', 'identity'])]).toEqual([accept, coding]);
});

it('at most a hundred values of Accept are remembered, of at most 200 characters each', () => {
  const headersFor = (accept: string) => contentHeaders(aRequest({ headers: { accept } }));
  const longest = `text/plain${';x=1'.repeat(50)}`.slice(0, 200);
  expect(headersFor(longest)).toBe(headersFor(longest));
  expect(headersFor(`${longest}1`)).not.toBe(headersFor(`${longest}1`));
  expect(headersFor(`${longest}1`)).toEqual(headersFor(longest));
  const known = Array.from({ length: 99 }, (_, number) => headersFor(`text/json;n=${number}`));
  for (const [number, headers] of known.entries()) expect(headersFor(`text/json;n=${number}`)).toBe(headers);
  headersFor('text/plain');
  expect(headersFor('text/json;n=0')).not.toBe(known[0]);
});
