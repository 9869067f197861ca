import { expect, it } from '@jest/globals';
import { created, found, listed, noContent, patched } from '../../../shared/http/responses.js';
import type { ListPage } from '../../../shared/store/store.js';
import { aRequest } from '../../support/service/request.js';

const KEY = '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47';
const version = { key: KEY, version: 2, item: { key: KEY }, json: '{"label":"a"}' };
const page = { json: '[1]', next: KEY, version: 'v1' };
const json = { 'Content-Type': 'application/json; charset=utf-8', Vary: 'Accept' };
const private_ = { 'Cache-Control': 'private, no-cache', 'X-Content-Type-Options': 'nosniff' };
const closed = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

const requested = (headers: Record<string, string> = {}, path = '/') => aRequest({ headers, path, prefix: '/live' });

it('an item that is found is answered with its version', () => {
  const answer = (headers = {}) => found(requested(headers), version);
  const headers = { ...json, ...closed, ETag: '"2"' };
  expect(answer()).toEqual({ status: 200, headers, body: version.json, key: KEY });
  expect(answer({ accept: 'text/plain' }).headers['Content-Type']).toBe('text/plain; charset=utf-8');
});

it('an item that is created is answered with its URL under the prefix', () => {
  const headers = { ...json, ...closed, ETag: '"2"', Location: `/live/api/x/${KEY}` };
  expect(created(requested(), '/api/x', version)).toEqual({ status: 201, headers, body: version.json, key: KEY });
});

it('a list is kept by private caches only, with a tag for each form of it and a link to its next page', () => {
  const answer = (headers = {}, path = '/?limit=1', of: ListPage = page) =>
    listed(requested(headers, path), '/api/x', of, { limit: 1, size: 7 });
  const lastPage = { ...page, next: undefined, version: 'v2' };
  const { status, headers, body } = answer();
  expect([status, body]).toEqual([200, '[1]']);
  const ETag = expect.stringMatching(/^"[!#-~]+"$/);
  expect(headers).toEqual({ ...json, ...private_, ETag, Link: `</live/api/x?limit=1&after=${KEY}>; rel="next"` });
  const tags = [answer(), answer({ accept: 'text/plain' }), answer({}, '/?limit=1', lastPage)];
  const all = tags.map(({ headers }) => headers.ETag);
  expect([...new Set(all)]).toEqual(all);
  expect(answer({}, '/', lastPage).headers).not.toHaveProperty('Link');
});

it('a change is answered without content, and a patch with the new version', () => {
  expect(noContent(version)).toEqual({ status: 204, headers: closed, key: KEY });
  expect(patched(version)).toEqual({ status: 204, headers: { ...closed, ETag: '"2"' }, key: KEY });
});
