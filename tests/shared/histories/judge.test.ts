import { describe, expect, it } from '@jest/globals';
import { FIRST_KEY } from '../../../shared/store/key.js';
import { LAST_READER, type Page, type Recorded } from './callers.js';
import { isUnknown } from './item.js';
import { judge } from './judge.js';

// That it can explain what may happen is seen in histories.test.ts.

type Call = Pick<Recorded, 'operation' | 'status'> & Partial<Recorded>;
type Members = typeof FIRST;

const FIRST = { label: 'first', fragile: false };
const ONE = '01900000-0000-7000-8000-000000000001';
const [a, b, c] = ['a', 'b', 'c'].map((label) => ({ label, fragile: false })) as [Members, Members, Members];
const large = { label: 'too large 3', fragile: false };

/** Makes a history of calls. Each begins and ends before the next one unless its times are given. */
function history(...calls: Call[]): Recorded[] {
  return calls.map((call, number) => {
    const end = isUnknown(call.status) ? Infinity : number * 10 + 5;
    return { caller: 'a caller', begin: number * 10, end, items: new Map(), ...call };
  });
}

const get = (found: Members, version: number, key = FIRST_KEY): Call => {
  return { operation: 'GET', key, status: 200, version, items: new Map([[key, found]]) };
};
const put = (members: Members, more: Partial<Recorded> = {}): Call => {
  return { operation: 'PUT', key: FIRST_KEY, members, status: 204, ...more };
};
const patch = (label: string, version: number, key = FIRST_KEY): Call => {
  return { operation: 'PATCH', key, members: { label }, status: 204, version };
};
const remove = (more: Partial<Recorded> = {}): Call => {
  return { operation: 'DELETE', key: FIRST_KEY, status: 204, ...more };
};
const gone: Call = { operation: 'GET', key: ONE, status: 404 };
const list = (...items: [string, Members][]): Call => {
  return { operation: 'list', status: 200, items: new Map(items) };
};
const page = (sent: Omit<Page, 'keys'>, ...items: [string, Members][]): Call => {
  return { ...list(...items), page: { ...sent, keys: items.map(([key]) => key) } };
};
const post = (members: Members, status: number, key?: string, idempotencyKey?: string): Call => {
  const found = key && { key, version: 1, items: new Map([[key, members]]) };
  return { operation: 'POST', idempotencyKey, members, status, ...found };
};
const again = (members: Members, status: number, key?: string) => post(members, status, key, 'key-0');
const first = [FIRST_KEY, FIRST] as [string, Members];
const unknownPut = put(b, { status: 503 });

describe('a history', () => {
  it.each<[string, Call[]]>([
    ['an update is lost', [patch('b', 2), put(c), get(b, 3)]],
    ['an update is applied twice', [patch('b', 2), get(b, 3)]],
    ['one that returned 503 is applied twice', [unknownPut, get(b, 2), put(c), get(b, 4)]],
    ['a read is older than one that ended before it', [put(b, { end: 95 }), get(b, 2), get(FIRST, 1)]],
    ['a deleted item is back', [remove(), get(FIRST, 1)]],
    ['a deleted item is listed', [remove(), list(first)]],
    ['a list lacks it', [list()]],
    ['a list lacks it although its deletion failed', [remove({ status: 412, ifMatch: [2] }), list()]],
    ['a list lacks it although its deletion surely did nothing', [remove({ status: 503, applied: false }), list()]],
    ['one delete is applied twice', [remove(), remove()]],
    ['a precondition that holds returns 412', [put(b, { ifMatch: [1], status: 412 })]],
    ['a write is applied although its precondition fails', [put(b), put(c, { ifMatch: [1] })]],
    ['an answer has the entity tag of another version', [put(b), patch('c', 2)]],
    ['what was sent is not what is there', [put(b), get(c, 2)]],
    ['an answer has a status that no call can have', [remove({ status: 500 })]],
  ])('is broken at the first item if %s', (_what, calls) => {
    expect(judge(history(...calls))).toContainEqual(expect.stringMatching(/^00000000-\S* \(numbered/));
  });

  it.each<[string, Call[]]>([
    ['it is there before its creation', [get(a, 1, ONE), post(a, 201, ONE)]],
    ['it is created twice', [post(a, 201, ONE), post(a, 201, ONE)]],
    ['its creation did nothing', [post(a, 201, ONE), list()]],
    ['two pages lack it', [post(a, 201, ONE), page({ next: ONE }, first), page({ after: ONE })]],
    [
      'a POST that is sent again undoes a change',
      [again(a, 201, ONE), patch('b', 2, ONE), again(a, 201, ONE), get(a, 1, ONE)],
    ],
    ['a POST gets what it has become', [again(a, 201, ONE), patch('b', 2, ONE), { ...again(a, 201, ONE), version: 2 }]],
    ['a POST that was answered did nothing', [gone, again(a, 201, ONE), gone]],
  ])('is broken at an item that was created if %s', (_what, calls) => {
    expect(judge(history(...calls))).toContainEqual(expect.stringMatching(/^01900000-\S* \(numbered/));
  });

  it.each<[string, Call[]]>([
    ['the same members get two replies', [again(a, 201, 'one'), again(a, 201, 'two')]],
    ['other members get that reply', [again(a, 201, 'one'), again(b, 201, 'one')]],
    ['the first POST gets 422', [again(a, 422)]],
    ['the same members get 422', [again(a, 201, 'one'), again(a, 422)]],
    ['a 413 uses it up', [again(large, 413), again(a, 422)]],
    ['an item that is too large is created', [again(large, 201, ONE)]],
  ])('is broken at an Idempotency-Key if %s', (_what, calls) => {
    expect(judge(history(...calls))).toContainEqual(expect.stringMatching(/^Idempotency-Key key-0 \(numbered/));
  });

  it.each<[string, Call[], RegExp]>([
    ['a POST creates two items', [post(a, 503), list(['one', a], ['two', a])], /^a was created 2 times: one, two$/],
    ['an item that is not too large gets 413', [post(a, 413)], /^a caller: POST {2}→ 413$/],
    ['the service failed', [{ operation: 'list', status: 500 }], /^a caller: list {2}→ 500$/],
    ['two pages have an item', [page({ next: FIRST_KEY }, first, [ONE, a])], /^a caller: .*"next":"00000000-/],
    ['a page is too long', [page({ limit: 1 }, first, [ONE, a])], /^a caller: .*"limit":1/],
    ['a page is not in order', [page({}, [ONE, a], first)], /^a caller: .*"keys":\["01900/],
    ['a page leads back to itself', [page({ after: ONE, next: ONE })], /^a caller: .*"next":"01900/],
  ])('is broken if %s', (_what, calls, fault) => {
    expect(judge(history(...calls))).toContainEqual(expect.stringMatching(fault));
  });

  it.each([
    [0, 0],
    [30, 5],
  ])('is vacuous if it has %i calls, of which only %i say what they did', (total, telling) => {
    const failed: Call = { operation: 'GET', key: FIRST_KEY, status: 503 };
    const calls = Array.from({ length: total }, (_, index) => (index < telling ? get(FIRST, 1) : failed));
    const read: Call = { ...list(first), caller: LAST_READER, begin: 10_000, end: 10_005 };
    expect(judge(history(...calls, read))).toEqual([
      `vacuous: ${total - telling} of ${total} calls returned 503 or 504`,
    ]);
  });
});
