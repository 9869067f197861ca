import { describe, expect, it } from '@jest/globals';
import type { Outcome } from '../../docs/page/browser/request.js';
import { learn, nextOf, noteTyped, suggestKey, tagFor } from '../../docs/page/browser/suggestions.js';
import { anOperation } from './operation.js';

const LIST = 'http://localhost/live/api/parcel';

/** The operations of a page. The first two are on a parcel, the others under other paths. */
function somePage() {
  const item = '{"key":"example","label":"Books"}';
  const put = anOperation('PUT', '/api/parcel/{id}', { 'path id': '', 'body item': item, 'header If-Match': '' });
  const patch = anOperation('PATCH', '/api/Parcel/{id}', { 'path id': '', 'body item': '{}' });
  const otherPaths = ['/api/packet/{id}', '/api/parcel/{id}/parts', '/api/parcel', '/{id}'];
  const others = otherPaths.map((path) => anOperation('GET', path, { 'path id': '' }));
  const operations = [put, patch, ...others];
  return {
    put,
    patch,
    ids: () => operations.map(({ field }) => field('id').value),
    answered: (...answer: Parameters<typeof outcomeOf>) => learn(outcomeOf(...answer), operations),
  };
}

/** The outcome of a request such as `GET /key`. */
function outcomeOf(line: string, status: number, json?: unknown, headers: Record<string, string> = {}) {
  const [method = '', path = ''] = line.split(' ');
  const text = json === undefined ? '' : JSON.stringify(json);
  const response = new Response(json === undefined ? null : text, { status, headers });
  return { request: { method, url: new URL(LIST + path) }, response, text, json } as Outcome;
}

describe('an item', () => {
  it("that was just created fills in the ids and PUT's body, only of its own resource", () => {
    const { put, patch, ids, answered } = somePage();
    const created = { key: 'a b', label: 'new', n: 1 };
    answered('POST', 201, created, { Location: '/live/API/parcel/a%20b' });
    expect(ids()).toEqual(['a b', 'a b', '', '', '', '']);
    expect([put.field('item').value, patch.field('item').value]).toEqual([JSON.stringify(created, null, 2), '{}']);
  });

  it('that comes first in a list fills in the ids that are empty or not on the list', () => {
    const { put, patch, ids, answered } = somePage();
    answered('GET', 200, [{ key: 'first', label: 'A' }, { key: 'second' }]);
    expect(ids()).toEqual(['first', 'first', '', '', '', '']);
    expect(JSON.parse(put.field('item').value)).toEqual({ key: 'first', label: 'A' });
    patch.field('id').value = 'second';
    answered('GET ?limit=2', 200, [{ key: 'later' }, { key: 'second' }]);
    expect(ids()).toEqual(['later', 'second', '', '', '', '']);
  });

  it.each<[what: string, id: string, ...answer: Parameters<typeof outcomeOf>]>([
    ['what was not found', '', 'GET /x', 404, { key: 'x' }],
    ['what was changed', '', 'PATCH /y', 200, { key: 'y' }],
    ['an empty list', '', 'GET', 200, []],
    ['a list of null', '', 'GET', 200, [null, {}]],
    ['a key that is not text', '', 'GET', 200, [{ key: { toString: 1 } }]],
    ['no JSON', '', 'GET /x', 200],
    ['a number as a key', '7', 'GET', 200, [{ key: 7 }]],
    ['a slash and a lone surrogate in the key', 'a/b \ufffd', 'GET', 200, [{ key: 'a/b \ud800' }]],
    ['a Location on another host', '', 'POST', 201, {}, { Location: 'https://evil.example.net/live/api/parcel/x' }],
    ['a malformed Location', '', 'POST', 201, {}, { Location: 'http://[' }],
    ['a malformed escape in its Location', '%', 'POST', 201, {}, { Location: '/live/api/parcel/%' }],
  ])('from an answer with %s fills in the id %j', (_, id, ...answer) => {
    const { ids, answered } = somePage();
    answered(...answer);
    expect(ids().slice(0, 2)).toEqual([id, id]);
  });

  it('overwrites nothing that somebody typed, until the field is emptied', () => {
    const { put, ids, answered } = somePage();
    const type = (name: string, value: string) => {
      put.field(name).value = value;
      noteTyped(put.field(name));
    };
    type('id', 'typed id');
    type('item', 'typed item');
    answered('GET /got', 200, { key: 'got' });
    expect([...ids().slice(0, 2), put.field('item').value]).toEqual(['typed id', 'got', 'typed item']);
    type('item', '');
    answered('GET /next', 200, { key: 'next' });
    // Under the typed key, these members would replace another item.
    expect(put.field('item').value).toBe('');
    type('id', '');
    answered('GET /last', 200, { key: 'last' });
    expect([put.field('id').value, JSON.parse(put.field('item').value)]).toEqual(['last', { key: 'last' }]);
  });
});

it("PUT's body follows the key in its path, unless somebody typed the body", () => {
  const { put } = somePage();
  put.field('id').value = '$&"';
  suggestKey(put);
  expect(JSON.parse(put.field('item').value)).toEqual({ key: '$&"', label: 'Books' });
  noteTyped(put.field('item'));
  put.field('id').value = 'other';
  suggestKey(put);
  expect(JSON.parse(put.field('item').value)).toMatchObject({ key: '$&"' });
});

describe('an entity tag', () => {
  it.each<[line: string, status: number, headers: Record<string, string>, offered: string | undefined]>([
    ['GET /t', 304, { ETag: '"2"' }, '"2"'],
    ['DELETE /t', 204, {}, undefined],
    ['PUT /t', 412, {}, undefined],
    ['PUT /t', 412, { ETag: '"2"' }, '"2"'],
    ['PUT /t', 400, {}, '"1"'],
    ['PUT /another', 412, {}, '"1"'],
  ])('was "1": after %s gets %i with %j, the page offers %s', (line, status, headers, offered) => {
    const { put, answered } = somePage();
    put.field('id').value = 't';
    answered('GET /t', 200, { key: 't' }, { ETag: '"1"' });
    answered(line, status, undefined, headers);
    expect(tagFor(put)).toBe(offered);
  });

  it('is offered only for its own item, and not while If-Match contains it', () => {
    const { put, answered } = somePage();
    answered('POST', 201, { key: 'a/b' }, { Location: '/live/api/parcel/a%2Fb', ETag: '"1"' });
    expect([put.field('id').value, tagFor(put)]).toEqual(['a/b', '"1"']);
    put.field('If-Match').value = '"1"';
    expect(tagFor(put)).toBeUndefined();
    put.field('If-Match').value = '';
    put.field('id').value = 'another';
    expect(tagFor(put)).toBeUndefined();
  });
});

it.each([
  ['</live/api/parcel?after=b>; rel="next"', `${LIST}?after=b`],
  ['<?after=b>; rel=next', `${LIST}?after=b`],
  ['<x>; rel="prev", <?after=b>; title="a"; rel="last next"', `${LIST}?after=b`],
  ['<https://evil.example.net/x>; rel="next"', undefined],
  ['<>; rel="next"', undefined],
  ['<?a>; rel="nextly"', undefined],
])('after the header field Link: %s, the next page is %s', (Link, next) => {
  expect(nextOf(outcomeOf('GET', 200, [], { Link }))?.href).toBe(next);
});
