import { describe, expect, it } from '@jest/globals';
import { FIRST_KEY } from '../../../shared/store/key.js';
import { LAST_READER } from './callers.js';
import { type Call, isUnknown, type Members, type Page } from './item.js';
import { judge, judgeItems, vacuous } from './judge.js';

// That it can explain what may happen is seen in histories.test.ts.

type Told = Pick<Call, 'operation' | 'status'> & Partial<Call>;

const FIRST = { label: 'first', fragile: false };
const ONE = '01900000-0000-7000-8000-000000000001';
const a = { label: 'a', fragile: false };
const b = { label: 'b', fragile: false };

/** Makes a history of calls. Each begins and ends before the next one unless its times are given. */
function history(calls: readonly Told[]): Call[] {
  return calls.map((call, number) => {
    const end = isUnknown(call.status) ? Infinity : number * 10 + 5;
    return { caller: 'a caller', begin: number * 10, end, items: new Map(), ...call };
  });
}

const get = (found: Members, version: number, key = FIRST_KEY): Told => {
  return { operation: 'GET', key, status: 200, version, items: new Map([[key, found]]) };
};
const put = (members: Members, more: Partial<Call> = {}): Told => {
  return { operation: 'PUT', key: FIRST_KEY, members, status: 204, ...more };
};
const remove = (more: Partial<Call> = {}): Told => {
  return { operation: 'DELETE', key: FIRST_KEY, status: 204, ...more };
};
const list = (...items: [string, Members][]): Told => ({ operation: 'list', status: 200, items: new Map(items) });
const page = (sent: Omit<Page, 'keys'>, ...items: [string, Members][]): Told => {
  return { ...list(...items), page: { ...sent, keys: items.map(([key]) => key) } };
};
const first = [FIRST_KEY, FIRST] as [string, Members];
const form = (tag: string, form: string): Told => ({ ...list(first), page: { tag: `"${tag}"`, form } });
const post = (members: Members, status: number, key?: string, idempotencyKey?: string): Told => {
  const found = key && { key, version: 1, items: new Map([[key, members]]) };
  return { operation: 'POST', idempotencyKey, members, status, ...found };
};
const again = (members: Members, status: number, key?: string) => post(members, status, key, 'key-0');

describe('a history', () => {
  const THE_FIRST = /^00000000-\S* \(numbered/;
  const CREATED = /^01900000-\S* \(numbered/;
  const USED = /^Idempotency-Key key-0 \(numbered/;

  it.each<[string, RegExp, Told[]]>([
    ['an update is lost', THE_FIRST, [put(a), put(b), get(b, 2)]],
    ['one that returned 503 is applied twice', THE_FIRST, [put(b, { status: 503 }), get(b, 2), put(a), get(b, 4)]],
    ['a read is older than one that ended before it', THE_FIRST, [put(b, { end: 95 }), get(b, 2), get(FIRST, 1)]],
    ['a deleted item is listed', THE_FIRST, [remove(), list(first)]],
    ['a list lacks one whose deletion did nothing', THE_FIRST, [remove({ status: 503, applied: false }), list()]],
    ['a precondition that holds returns 412', THE_FIRST, [put(b, { ifMatch: [1], status: 412 })]],
    ['an answer has the entity tag of another version', THE_FIRST, [put(b), get(b, 3)]],
    ['an item is there before its creation', CREATED, [get(a, 1, ONE), post(a, 201, ONE)]],
    ['two pages lack an item', CREATED, [post(a, 201, ONE), page({ next: ONE }, first), page({ after: ONE })]],
    ['a POST gets what the item has become', CREATED, [again(a, 201, ONE), { ...again(a, 201, ONE), version: 2 }]],
    ['the same members get two replies', USED, [again(a, 201, 'one'), again(a, 201, 'two')]],
    ['other members get that reply', USED, [again(a, 201, 'one'), again(b, 201, 'one')]],
    ['the first POST gets 422', USED, [again(a, 422)]],
    ['a POST creates two items', /^a was created 2 times: one, two$/, [post(a, 503), list(['one', a], ['two', a])]],
    ['the service failed', /a caller: list → 500/, [{ operation: 'list', status: 500 }]],
    ['an item is too large', /a caller: POST → 413/, [post(a, 413)]],
    ['a page is too long', /a caller: .*"limit":1/, [page({ limit: 1 }, first, [ONE, a])]],
    ['a page is not in order', /a caller: .*"keys":\["01900/, [page({}, [ONE, a], first)]],
    ['a page leads back to itself', /a caller: .*"next":"01900/, [page({ after: ONE, next: ONE })]],
    ['pages with an entity tag differ', /^"t" is the entity tag of 2 pages: a b$/, [form('t', 'a'), form('t', 'b')]],
    ['a page is said to be as nobody got it', /a caller: list → 304/, [{ operation: 'list', status: 304 }]],
    ['two pages have an item', /a caller: .*"next":"00000000-/, [page({ next: FIRST_KEY }, first, [ONE, a])]],
  ])('is broken if %s', (_what, fault, calls) => {
    expect(judge(history(calls))).toContainEqual(expect.stringMatching(fault));
  });

  it('is vacuous if fewer than a fifth of its calls say what they did', () => {
    const failed: Told = { operation: 'GET', key: FIRST_KEY, status: 503 };
    const calls = Array.from({ length: 30 }, (_, index) => (index < 5 ? get(FIRST, 1) : failed));
    const read: Told = { ...list(first), caller: LAST_READER, begin: 10_000, end: 10_005 };
    expect(vacuous(history([...calls, read]))).toBe('vacuous: 25 of 30 calls returned 503 or 504');
    expect(vacuous([])).toBe('vacuous: 0 of 0 calls returned 503 or 504');
    expect(vacuous(history([get(FIRST, 1)]))).toBeUndefined();
  });
});

describe('the items of a history', () => {
  const read = (status: number): Told => ({ operation: 'GET', key: ONE, status, caller: LAST_READER });

  it.each<[string, string[], Told[]]>([
    ['one is not found in the end', [`${ONE} was lost`], [post(a, 201, ONE), read(404)]],
    ['one is never read', [`${ONE} was lost`], [post(a, 201, ONE), get(a, 1, ONE)]],
    ['a POST creates two', ['a was created 2 times: one, two'], [post(a, 503), list(['one', a], ['two', a])]],
    ['all is well', [], [post(a, 201, ONE), put(b, { key: ONE }), get(a, 7, ONE), read(200)]],
    ['one was to be deleted', [], [post(a, 201, ONE), remove({ key: ONE, status: 503 }), read(404)]],
  ])('are judged by themselves: %s', (_what, faults, calls) => {
    expect(judgeItems(history(calls))).toEqual(faults);
  });
});
