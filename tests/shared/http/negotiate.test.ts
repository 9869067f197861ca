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
    ['application/json', JSON_TYPE],
    ['text/plain', PLAIN],
    ['TEXT/JSON', TEXT_JSON],
    ['text/plain, application/json', JSON_TYPE],
    ['text/plain, */*;q=0.5', PLAIN],
    ['text/*', PLAIN],
    ['text/*, text/plain;q=0.1', TEXT_JSON],
    ['application/json;q=0.5, text/json;q=0.9;ext=1', TEXT_JSON],
    ['application/json;q=0, text/json;q=0.001', TEXT_JSON],
    ['*/*, application/json;q=0', PLAIN],
    ['text/plain;q=2, text/json;q=0.1', TEXT_JSON],
    ['text/plain;q=5.0, text/json;q=0.1', TEXT_JSON],
    ['text/plain;q=1.5, text/json;q=0.1', TEXT_JSON],
    ['text/plain;q=0.1234, text/json;q=0.1', TEXT_JSON],
    ['text/plain;q=1.000, text/json;q=0.9', PLAIN],
    ['text/plain;q=1., text/json;q=0.9', PLAIN],
    ['text/plain;v=1;q=0.1, text/json;q=0.5', TEXT_JSON],
    ['text/plain;q=0.1, text/json;q=0.5, text/plain', PLAIN],
    ['text/plain, text/json;q=0.5, text/plain;q=0.1', PLAIN],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8', JSON_TYPE],
    ['image/png', JSON_TYPE],
    ['nonsense', JSON_TYPE],
    ['', JSON_TYPE],
  ])('for Accept: %s is %s', (accept, type) => {
    expect(chooseType(accept, [PLAIN, JSON_TYPE, TEXT_JSON], JSON_TYPE)).toBe(type);
  });

  it('is the same for each request with the same Accept, however many others or long ones come between', () => {
    const typeFor = (headers = {}) => listed(aRequest({ headers }), '/', { json: '[]' }).headers['Content-Type'];
    const long = `text/plain, ${'image/png, '.repeat(100)}text/plain`;
    for (let round = 0; round < 2; round += 1) {
      for (let number = 0; number < 250; number += 1) {
        const accept = `text/json;q=0.9, application/json;q=0.5;n=${number}`;
        expect(typeFor({ accept })).toBe('text/json; charset=utf-8');
        expect(typeFor({ accept })).toBe('text/json; charset=utf-8');
      }
      expect(typeFor({ accept: long })).toBe('text/plain; charset=utf-8');
      expect(typeFor()).toBe('application/json; charset=utf-8');
    }
  });
});

describe('what is remembered for Accept', () => {
  const headersFor = (accept: string) => listed(aRequest({ headers: { accept } }), '/', { json: '[]' }).headers;
  let others = 0;
  const fill = (count: number) => {
    for (const last = others + count; others < last; others += 1) headersFor(`text/json;n=${others}`);
  };

  it('is forgotten with all the others when a hundred are remembered and another one comes', () => {
    for (let known = headersFor('text/plain'), rounds = 0; headersFor('text/plain') === known; rounds += 1) {
      expect(rounds).toBeLessThan(100);
      fill(1);
    }
    // Now only the last of the others and this one are remembered.
    const known = headersFor('text/plain');
    fill(98);
    expect(headersFor('text/plain')).toBe(known);
    fill(1);
    expect(headersFor('text/plain')).not.toBe(known);
    expect(headersFor('text/plain')).toEqual(known);
  });

  it('is no value of more than 200 characters', () => {
    const ofLength = (length: number) => `text/plain${';x=1'.repeat(50)}`.slice(0, length);
    expect(headersFor(ofLength(200))).toBe(headersFor(ofLength(200)));
    expect(headersFor(ofLength(201))).not.toBe(headersFor(ofLength(201)));
  });
});

describe('the content coding of a response', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br', 'gzip'],
    ['br;q=1.0, GZIP;q=0.1', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=0.001', 'gzip'],
    ['identity', 'identity'],
    ['gzip, identity', 'gzip'],
    ['gzip;q=0.5, identity', 'identity'],
    ['gzip;q=0.5, identity;q=0.5', 'gzip'],
    ['*', 'gzip'],
    ['*;q=0.1', 'gzip'],
    ['gzip;q=0, *', 'identity'],
    ['*, gzip;q=0.5', 'identity'],
    ['*;q=0', 'identity'],
    ['identity;q=0', 'identity'],
    ['identity;q=0, gzip', 'gzip'],
    ['br', 'identity'],
  ])('for Accept-Encoding: %s is %s', (accept, coding) => {
    expect(chooseCoding(accept, ['gzip', 'identity'])).toBe(coding);
  });
});
