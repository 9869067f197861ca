import { describe, expect, it } from '@jest/globals';
import type { Outcome } from '../../docs/page/browser/request.js';
import { learn, nextOf, noteTyped, suggestKey, tagFor } from '../../docs/page/browser/suggestions.js';
import { anOperation } from './operation.js';

const LIST = 'http://localhost/live/api/parcel';

/** The operations of a page that has other resources, too: the first two are about a parcel. */
function somePage() {
  const item = '{"key":"example","label":"Books"}';
  const put = anOperation('PUT', '/api/parcel/{id}', { 'path id': '', 'body item': item, 'header If-Match': '' });
  const patch = anOperation('PATCH', '/api/Parcel/{id}', { 'path id': '', 'body item': '{}' });
  const otherPaths = ['/api/packet/{id}', '/api/parcel/{id}/parts', '/api/parcel', '/{id}'];
  const others = otherPaths.map((path) => anOperation('GET', path, { 'path id': '' }));
  return {
    put,
    patch,
    others,
    ids: () => [put.field('id').value, patch.field('id').value],
    answered: (line: string, status: number, json?: unknown, headers: Record<string, string> = {}) =>
      learn(outcomeOf(line, status, json, headers), [put, patch, ...others]),
  };
}

function outcomeOf(line: string, status: number, json: unknown, headers: Record<string, string>): Outcome {
  const [method = '', path = ''] = line.split(' ');
  const request = { method, url: new URL(LIST + path), headers: [] };
  const text = json === undefined ? '' : JSON.stringify(json);
  const response = new Response(json === undefined ? null : text, { status, headers });
  return { request, response, text, json, isMaybeApplied: false, milliseconds: 0 };
}

describe('an item', () => {
  it('just created fills in the ids, and the body of PUT, of its resource alone', () => {
    const { put, patch, others, ids, answered } = somePage();
    const created = { key: 'a b', label: 'new', n: 1 };
    answered('POST', 201, created, { Location: '/live/API/parcel/a%20b', ETag: '"1"' });
    expect(ids()).toEqual(['a b', 'a b']);
    expect([put.field('item').value, patch.field('item').value]).toEqual([JSON.stringify(created, null, 2), '{}']);
    expect(others.map(({ field }) => field('id').value)).toEqual(['', '', '', '']);
    expect(tagFor(put)).toBe(undefined);
  });

  it('that was got does so, too, and one that was not found or only changed does not', () => {
    const { put, ids, answered } = somePage();
    answered('GET /x', 404, { key: 'x' });
    answered('PATCH /y', 200, { key: 'y' });
    expect(ids()).toEqual(['', '']);
    answered('GET /got', 200, { key: 'got' });
    expect(ids()).toEqual(['got', 'got']);
    expect(JSON.parse(put.field('item').value)).toEqual({ key: 'got' });
  });

  it('that is the first of a list fills in the ids that are empty or not on the list', () => {
    const { put, patch, ids, answered } = somePage();
    answered('GET', 200, [{ key: 'first', label: 'A' }, { key: 'second' }]);
    expect(ids()).toEqual(['first', 'first']);
    expect(JSON.parse(put.field('item').value)).toEqual({ key: 'first', label: 'A' });
    patch.field('id').value = 'second';
    answered('GET ?limit=2', 200, [{ key: 'later' }, { key: 'second' }]);
    expect(ids()).toEqual(['later', 'second']);
  });

  it.each<[string, string, unknown, Record<string, string>, id: string]>([
    ['an empty list', 'GET', [], {}, ''],
    ['a list of null', 'GET', [null, { key: {} }], {}, ''],
    ['a key that is no text', 'GET', [{ key: { toString: 1 } }], {}, ''],
    ['null', 'GET', null, {}, ''],
    ['no JSON', 'GET /x', undefined, {}, ''],
    ['a number as a key', 'GET', [{ key: 7 }], {}, '7'],
    ['a key with a slash and half a character', 'GET', [{ key: 'a/b \ud800' }], {}, 'a/b \ufffd'],
    ['a script as its place', 'POST', {}, { Location: 'javascript:alert(1)//api/parcel/x' }, ''],
    ['a place elsewhere', 'POST', {}, { Location: 'https://evil.example.net/live/api/parcel/x' }, ''],
    ['a place at no URL', 'POST', {}, { Location: 'http://[' }, ''],
    ['a malformed escape', 'POST', {}, { Location: '/live/api/parcel/%' }, '%'],
  ])('is not trusted: %s', (_, line, json, headers, id) => {
    const { patch, answered } = somePage();
    answered(line, line === 'POST' ? 201 : 200, json, headers);
    expect(patch.field('id').value).toBe(id);
  });

  it('overwrites nothing that somebody has typed, and comes back when the field is emptied', () => {
    const { put, ids, answered } = somePage();
    const type = (name: string, value: string) => {
      put.field(name).value = value;
      noteTyped(put.field(name));
    };
    type('id', 'typed id');
    type('item', 'typed item');
    answered('GET /got', 200, { key: 'got' });
    expect([ids(), put.field('item').value]).toEqual([['typed id', 'got'], 'typed item']);
    type('item', '');
    answered('GET /next', 200, { key: 'next' });
    // Under the key that was typed, its members would replace another item.
    expect(put.field('item').value).toBe('');
    type('id', '');
    answered('GET /last', 200, { key: 'last' });
    expect([ids(), JSON.parse(put.field('item').value)]).toEqual([['last', 'last'], { key: 'last' }]);
  });
});

it("PUT's body gets the key in its path, unless somebody has typed the body", () => {
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
  it.each<[line: string, status: number, ETag: string | undefined, offered: string | undefined]>([
    ['GET /t', 200, '"2"', '"2"'],
    ['GET /t', 304, '"2"', '"2"'],
    ['PATCH /t', 204, '"2"', '"2"'],
    ['PUT /t', 204, undefined, undefined],
    ['DELETE /t', 204, undefined, undefined],
    ['PUT /t', 412, undefined, undefined],
    ['PUT /t', 412, '"2"', '"2"'],
    ['PUT /t', 400, undefined, '"1"'],
    ['GET /t', 503, undefined, '"1"'],
    ['PUT /another', 412, undefined, '"1"'],
  ])('after "1", and %s answered by %i with %s, is offered as %s', (line, status, ETag, offered) => {
    const { put, answered } = somePage();
    put.field('id').value = 't';
    answered('GET /t', 200, { key: 't' }, { ETag: '"1"' });
    expect(tagFor(put)).toBe('"1"');
    answered(line, status, undefined, ETag ? { ETag } : {});
    expect(tagFor(put)).toBe(offered);
  });

  it('is offered for its own item alone, and not while it is in the field', () => {
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
  ['<?a>; rel="prev"', undefined],
  ['<http://[>; rel=next', undefined],
  ['', undefined],
])('the next page after Link: %s is %s', (Link, next) => {
  expect(nextOf(outcomeOf('GET', 200, [], Link ? { Link } : {}))?.href).toBe(next);
});
