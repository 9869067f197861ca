import { describe, expect, it } from '@jest/globals';
import { listed } from '../../../shared/http/answer.js';
import { chooseCoding, chooseType } from '../../../shared/http/negotiate.js';
import { aRequest } from '../../support/service/request.js';

const PLAIN = 'text/plain';
const JSON_TYPE = 'application/json';
const TEXT_JSON = 'text/json';

describe('the media type of a response', () => {
  it.each([
    ['*/*', JSON_TYPE],
    ['text/plain', PLAIN],
    ['TEXT/JSON', TEXT_JSON],
    ['text/plain, */*;q=0.5', PLAIN],
    ['text/*, text/plain;q=0.1', TEXT_JSON],
    ['application/json;q=0.5, text/json;q=0.9;ext=1', TEXT_JSON],
    ['*/*, application/json;q=0', PLAIN],
    ['text/plain;q=10, text/json;q=0.1', TEXT_JSON],
    ['text/plain;q=0.1234, text/json;q=0.1', TEXT_JSON],
    ['text/plain;q=1.000, text/json;q=0.9', PLAIN],
    ['text/plain;q=1., text/json;q=0.9', PLAIN],
    ['text/plain;v=1;q=0.1, text/json;q=0.5', TEXT_JSON],
    ['text/plain;q=0.1, text/json;q=0.5, text/plain', PLAIN],
    ['text/plain, text/json;q=0.5, text/plain;q=0.1', PLAIN],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8', JSON_TYPE],
    ['', JSON_TYPE],
  ])('for Accept: %s is %s', (accept, type) => {
    expect(chooseType(accept, [PLAIN, JSON_TYPE, TEXT_JSON], JSON_TYPE)).toBe(type);
  });
});

describe('what is remembered for Accept', () => {
  const headersFor = (accept: string) => listed(aRequest({ headers: { accept } }), '/', { json: '[]' }).headers;

  it('excludes values of more than 200 characters', () => {
    const ofLength = (length: number) => `text/plain${';x=1'.repeat(50)}`.slice(0, length);
    expect(headersFor(ofLength(200))).toBe(headersFor(ofLength(200)));
    expect(headersFor(ofLength(201))).not.toBe(headersFor(ofLength(201)));
    expect(headersFor(ofLength(201))).toEqual(headersFor(ofLength(200)));
  });

  it('is at most a hundred values, which are forgotten together when another one comes', () => {
    const values = Array.from({ length: 99 }, (_, number) => `text/json;n=${number}`);
    const known = values.map(headersFor);
    for (const [index, value] of values.entries()) expect(headersFor(value)).toBe(known[index]);
    headersFor('text/plain');
    expect(headersFor('text/json;n=0')).not.toBe(known[0]);
  });
});

describe('the content coding of a response', () => {
  it.each([
    [undefined, 'identity'],
    ['gzip', 'gzip'],
    ['br;q=1.0, GZIP;q=0.1', 'gzip'],
    ['gzip;q=0.001', 'gzip'],
    ['gzip, identity', 'gzip'],
    ['gzip;q=0.5, identity', 'identity'],
    ['*', 'gzip'],
    ['gzip;q=0, *', 'identity'],
    ['*, gzip;q=0.5', 'identity'],
    ['*;q=0', 'identity'],
    ['identity;q=0, gzip', 'gzip'],
    ['br', 'identity'],
  ])('for Accept-Encoding: %s is %s', (accept, coding) => {
    expect(chooseCoding(accept, ['gzip', 'identity'])).toBe(coding);
  });
});
