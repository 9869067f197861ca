import { expect, it } from '@jest/globals';
import { created, found, listed, noContent, patched, rejectOtherKey } from '../../../shared/http/answer.js';
import { parsePrecondition } from '../../../shared/http/precondition.js';
import type { ListPage } from '../../../shared/store/store.js';
import { aRequest } from '../../support/service/request.js';

const KEY = '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47';
const version = { key: KEY, version: 2, json: '{"label":"a"}' };
const page = { json: '[1]', next: KEY, tag: (form: string) => Buffer.from(form).toString('hex') };
const json = { 'Content-Type': 'application/json; charset=utf-8', Vary: 'Accept' };
const private_ = { 'Cache-Control': 'private, no-cache', 'X-Content-Type-Options': 'nosniff' };
const closed = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

const requested = (headers: Record<string, string> = {}, path = '/') => aRequest({ headers, path, prefix: '/live' });
const preconditionOf = (headers: Record<string, string>) => {
  const parsed = parsePrecondition(requested(headers));
  return 'value' in parsed ? parsed.value.precondition : undefined;
};

it('an item that is found is answered with its version, unless a condition fails', () => {
  const answer = (headers = {}) => found(requested(headers), version, preconditionOf(headers));
  const headers = { ...json, ...closed, ETag: '"2"' };
  expect(answer()).toEqual({ status: 200, headers, body: version.json, key: KEY });
  expect(answer({ accept: 'text/plain' }).headers['Content-Type']).toBe('text/plain; charset=utf-8');
  const known = { ...closed, ETag: '"2"', Vary: 'Accept' };
  expect(answer({ 'if-none-match': '"2"' })).toEqual({ status: 304, headers: known, key: KEY });
  expect(answer({ 'if-match': '"1"' })).toMatchObject({ status: 412, code: 'if-match-failed', key: KEY });
  expect(found(requested(), undefined, undefined)).toMatchObject({ status: 404, code: 'not-found' });
});

it('an item that is created is answered with its URL under the prefix', () => {
  const headers = { ...json, ...closed, ETag: '"2"', Location: `/live/api/x/${KEY}` };
  expect(created(requested(), '/api/x', version)).toEqual({ status: 201, headers, body: version.json, key: KEY });
  const code = 'idempotency-key-reused';
  expect(created(requested(), '/api/x', code)).toMatchObject({ status: 422, code });
});

it('a list is kept by private caches only, with a tag for each form of it and a link to its next page', () => {
  const answer = (headers = {}, path = '/?limit=1', of: ListPage = page) =>
    listed(requested(headers, path), '/api/x', of, { limit: 1, size: 7 }, preconditionOf(headers));
  const lastPage = { ...page, next: undefined, tag: (form: string) => page.tag(`${form} to the end`) };
  const { status, headers, body } = answer();
  expect([status, body]).toEqual([200, '[1]']);
  const ETag = expect.stringMatching(/^"\w+"$/);
  expect(headers).toEqual({ ...json, ...private_, ETag, Link: `</live/api/x?limit=1&after=${KEY}>; rel="next"` });
  const tags = [answer(), answer({ accept: 'text/plain' }), answer({}, '/'), answer({}, '/?limit=1', lastPage)];
  tags.push(answer({}, '/', lastPage), listed(requested(), '/api/x', lastPage, { after: KEY }, undefined));
  const all = tags.map(({ headers }) => headers.ETag);
  expect([...new Set(all)]).toEqual(all);
  expect(answer({}, '/', lastPage).headers).not.toHaveProperty('Link');
  const known = { status: 304, headers: { ...private_, ETag: headers.ETag, Vary: 'Accept' } };
  expect(answer({ 'if-none-match': headers.ETag ?? '' })).toEqual(known);
  expect(answer({ 'if-match': '"1"' })).toMatchObject({ status: 412, code: 'if-match-failed' });
});

it('a change is answered without content, and a patch with the new version', () => {
  expect(noContent(requested(), version)).toEqual({ status: 204, headers: closed, key: KEY });
  expect(patched(requested(), version)).toEqual({ status: 204, headers: { ...closed, ETag: '"2"' }, key: KEY });
  const outcomes = [undefined, 'full', 'item-too-large', 'if-match-failed'] as const;
  for (const answer of [noContent, patched])
    expect(outcomes.map((outcome) => answer(requested(), outcome).status)).toEqual([404, 507, 413, 412]);
});

it.each([
  [false, [{ key: KEY }, { KEY: KEY.toUpperCase() }]],
  [true, [{ key: `${KEY}0` }, { key: [KEY] }, {}]],
])('whether a PUT is rejected, because its key is not that of the path: %s for each of %j', (isRejected, bodies) => {
  const errors = [{ pointer: '#/key', detail: 'Must be the key in the path, as a string.' }];
  for (const body of bodies) {
    const answer = rejectOtherKey(requested(), body, KEY)?.body;
    expect([body, answer && JSON.parse(answer).errors]).toEqual([body, isRejected ? errors : undefined]);
  }
});
