import { describe, expect, it } from '@jest/globals';
import { FIRST_KEY } from '../../../shared/store/key.js';
import { LAST_READER, type Page, type Recorded } from './callers.js';
import { type ItemCall, isUnknown, type State, step } from './item.js';
import { judge } from './judge.js';
import { linearize } from './linearizable.js';

type Sketch<Call extends ItemCall = ItemCall> = Pick<Call, 'operation' | 'status'> & Partial<Call>;

/** Each call begins and ends before the next one unless its times are given. */
function timed<Call extends ItemCall>(sketches: readonly Sketch<Call>[]) {
  return sketches.map((sketch, number) => {
    const end = isUnknown(sketch.status) ? Infinity : number * 10 + 5;
    return { caller: 'a caller', begin: number * 10, end, ...sketch };
  });
}

describe('a history of one item', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((label) => ({ label, fragile: false }));
  const ITEM: State = { label: 'a', fragile: false, version: 1 };

  /** Whether calls can be explained. */
  function isExplained(sketches: readonly Sketch[], initial: State = ITEM): boolean {
    return linearize<State, ItemCall>(timed(sketches), initial, step).linearizable;
  }

  const get = (found: ItemCall['found'], version: number): Sketch => ({
    operation: 'GET',
    status: 200,
    found,
    version,
  });
  const put = (members: ItemCall['members'], more: Partial<Sketch> = {}): Sketch => {
    return { operation: 'PUT', members, status: 204, ...more };
  };
  const patch = (label: string, version: number): Sketch => {
    return { operation: 'PATCH', members: { label }, status: 204, version };
  };
  const list = (found?: ItemCall['found']): Sketch => ({ operation: 'list', status: 200, found });
  const unknownPut = put(b, { status: 503 });
  const remove: Sketch = { operation: 'DELETE', status: 204 };
  const gone: Sketch = { operation: 'GET', status: 404 };
  const post: Sketch = { operation: 'POST', members: a, status: 201, found: a, version: 1 };
  const again: Sketch = { ...post, idempotencyKey: 'key' };
  const unknownPost: Sketch = { operation: 'POST', idempotencyKey: 'key', members: a, status: 503 };

  it.each<[string, Sketch[], State]>([
    ['calls come one after the other', [get(a, 1), put(b), get(b, 2), patch('c', 3), remove, gone], ITEM],
    [
      'a read came before a write that it overlaps',
      [put(b, { end: 95 }), get(b, 2), { ...get(a, 1), begin: 1, end: 96 }],
      ITEM,
    ],
    ['one that returned 503 was applied at once', [unknownPut, get(b, 2)], ITEM],
    ['one that returned 503 was applied much later', [unknownPut, get(a, 1), get(a, 1), get(b, 2)], ITEM],
    ['one that returned 503 was never applied', [unknownPut, get(a, 1)], ITEM],
    ['the instance ended after a write', [put(b, { status: 504 }), get(b, 2)], ITEM],
    [
      'calls have preconditions',
      [put(b, { ifMatch: [2], status: 412 }), put(b, { ifMatch: [1, 2] }), put(c, { ifNoneMatch: [1] })],
      ITEM,
    ],
    [
      'a caller has the current version already',
      [{ operation: 'GET', ifNoneMatch: [1], status: 304, version: 1 }],
      ITEM,
    ],
    ['lists have it until it is deleted', [list(a), remove, list()], ITEM],
    ['it is created', [gone, post, get(a, 1)], 'unborn'],
    ['a POST is sent again', [again, patch('b', 2), again, get(b, 2), remove, again, gone], 'unborn'],
    ['a POST is sent again because it got no answer', [unknownPost, gone, get(a, 1), again], 'unborn'],
  ])('can be explained if %s', (_what, calls, initial) => {
    expect(isExplained(calls, initial)).toBe(true);
  });

  it.each<[string, Sketch[], State]>([
    ['an update is lost', [patch('b', 2), put(c), get(b, 3)], ITEM],
    ['an update is applied twice', [patch('b', 2), get(b, 3)], ITEM],
    ['one that returned 503 is applied twice', [unknownPut, get(b, 2), put(c), get(b, 4)], ITEM],
    ['a read is older than one that ended before it', [put(b, { end: 95 }), get(b, 2), get(a, 1)], ITEM],
    ['a deleted item is back', [remove, get(a, 1)], ITEM],
    ['a deleted item is listed', [remove, list(a)], ITEM],
    ['it is missing from a list', [get(a, 1), list()], ITEM],
    ['one delete is applied twice', [remove, remove], ITEM],
    ['a precondition that holds returns 412', [put(b, { ifMatch: [1], status: 412 })], ITEM],
    ['a write is applied although its precondition fails', [put(b), put(c, { ifMatch: [1] })], ITEM],
    ['an answer has the entity tag of another version', [put(b), patch('c', 2)], ITEM],
    ['what was sent is not what is there', [put(b), get(c, 2)], ITEM],
    ['an answer has a status that no call can have', [{ operation: 'DELETE', status: 500 }], ITEM],
    ['it is there before its creation', [get(a, 1), post], 'unborn'],
    ['it is created twice', [post, post], 'unborn'],
    ['it is created after it was deleted', [post, remove, post], 'unborn'],
    ['a POST that is sent again brings it back', [again, remove, again, get(a, 1)], 'unborn'],
    ['a POST that is sent again undoes a change', [again, patch('b', 2), again, get(a, 1)], 'unborn'],
    ['a POST gets another version', [again, patch('b', 2), { ...again, found: b, version: 2 }], 'unborn'],
    ['a POST that was answered did nothing', [gone, again, gone], 'unborn'],
  ])('cannot be explained if %s', (_what, calls, initial) => {
    expect(isExplained(calls, initial)).toBe(false);
  });

  it('is judged within a second, although ten calls overlap and five of them returned 503', () => {
    const calls = Array.from({ length: 10 }, (_, number) =>
      number % 2 ? { ...unknownPut, begin: number } : put(c, { begin: number, end: 1_000 + number }),
    );
    const before = process.cpuUsage();
    expect(isExplained([...calls, { ...get(a, 1), begin: 2_000, end: 2_001 }])).toBe(false);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
  });
});

describe('a history', () => {
  const FIRST = { label: 'first', fragile: false };
  const a = { label: 'item 1', fragile: false };
  const b = { label: 'item 2', fragile: false };

  const history = (...sketches: Sketch<Recorded>[]) =>
    timed<Recorded>(sketches).map((call): Recorded => ({ ...call, items: call.items ?? new Map() }));
  const list = (...items: [string, typeof FIRST][]): Sketch<Recorded> => {
    return { operation: 'list', status: 200, items: new Map(items) };
  };
  const first = [FIRST_KEY, FIRST] as [string, typeof FIRST];
  const ONE = '01900000-0000-7000-8000-000000000001';
  const TWO = '01900000-0000-7000-8000-000000000002';
  const page = (sent: Omit<Page, 'keys'>, ...items: [string, typeof FIRST][]): Sketch<Recorded> => {
    return { ...list(...items), page: { ...sent, keys: items.map(([key]) => key) } };
  };
  const large = { label: 'too large 3', fragile: false };
  const during = (call: Sketch<Recorded>, begin: number, end: number) => ({ ...call, begin, end });
  const remove = (status: number, more = {}): Sketch<Recorded> => {
    return { operation: 'DELETE', key: FIRST_KEY, status, ...more };
  };
  const post = (members: typeof a, status: number, key?: string): Sketch<Recorded> => ({
    operation: 'POST',
    idempotencyKey: 'key-0',
    members,
    status,
    ...(key && { key, version: 1, items: new Map([[key, members]]) }),
  });

  it.each<[string, Recorded[]]>([
    ['the first item is in each list', history(list(first))],
    ['the first item is in no list after it was deleted', history(remove(204), list())],
    ['the first item is in no list after it may have been deleted', history(remove(503), list())],
    ['POSTs get the same reply', history(post(a, 201, 'one'), post(a, 201, 'one'), list(first, ['one', a]))],
    ['a POST gets no reply at first', history(post(a, 503), list(first, ['one', a]), post(a, 201, 'one'))],
    ['a POST has other members', history(post(a, 201, 'one'), post(b, 422), list(first, ['one', a]))],
    ['a POST has other members than one without a reply', history(post(a, 503), post(b, 422), post(a, 201, 'one'))],
    ['a POST without a reply did nothing', history(post(a, 503), post(b, 201, 'two'), post(a, 422))],
    ['a POST that returned 413 left its key free', history(post(large, 413), post(large, 413), post(a, 201, ONE))],
    ['a key is in use while a 413 is on its way', history(during(post(large, 413), 1, 99), post(a, 422))],
    [
      'an item that is too large got no reply',
      history(post(large, 504), post(a, 422), post(large, 413), post(a, 201, ONE)),
    ],
    ['it freed its key, but got no reply', history(post(large, 503), post(a, 201, ONE), post(large, 422))],
    [
      'an item comes between two pages',
      history(
        page({ limit: 1, next: FIRST_KEY }, first),
        { ...post(a, 201, ONE), idempotencyKey: undefined },
        page({ limit: 1, after: FIRST_KEY }, [ONE, a]),
      ),
    ],
    [
      'an item comes where the first page has been read already',
      history(page({ next: TWO }, first), post(a, 201, ONE), page({ after: TWO }), list(first, [ONE, a])),
    ],
    ['a page is empty', history(remove(204), page({ limit: 1, next: ONE }), page({ limit: 1, after: ONE }))],
  ])('is in order if %s', (_what, calls) => {
    expect(judge(calls)).toEqual([]);
  });

  const ofFirst = new RegExp(`^${FIRST_KEY} \\(numbered`);

  it.each<[string, Recorded[], RegExp]>([
    ['a list lacks the first item', history(list()), ofFirst],
    ['its deletion was rejected, and a list lacks it', history(remove(412, { ifMatch: [2] }), list()), ofFirst],
    ['its deletion surely did nothing, and a list lacks it', history(remove(503, { applied: false }), list()), ofFirst],
    ['a list has it after it was deleted', history(remove(204), list(first)), ofFirst],
    ['POSTs get two replies', history(post(a, 201, 'one'), post(a, 201, 'two')), /^Idempotency-Key key-0/],
    ['other members get that reply', history(post(a, 201, 'one'), post(b, 201, 'one')), /^Idempotency-Key key-0/],
    ['a POST gets 422 at first', history(post(a, 422)), /^Idempotency-Key key-0/],
    ['the same members get 422', history(post(a, 201, 'one'), post(a, 422)), /^Idempotency-Key key-0/],
    [
      'two items are created',
      history(post(a, 503), list(['one', a], ['two', a])),
      /^item 1 was created 2 times: one, two$/,
    ],
    ['no item is created', history(post(a, 201, 'one'), list()), /^one \(numbered/],
    ['a 413 uses up its key', history(post(large, 413), post(a, 422)), /^Idempotency-Key key-0/],
    ['an item that is too large is created', history(post(large, 201, ONE)), /^Idempotency-Key key-0/],
    ['an item that is not too large gets 413', history(post(a, 413)), /^a caller: POST {2}→ 413$/],
    ['two pages lack an item', history(post(a, 201, ONE), page({ next: ONE }, first), page({ after: ONE })), /^01900/],
    [
      'two pages have an item',
      history(post(a, 201, ONE), page({ next: FIRST_KEY }, first, [ONE, a]), page({ after: FIRST_KEY }, [ONE, a])),
      /^a caller: .*"next":"00000000-/,
    ],
    ['a page is too long', history(post(a, 201, ONE), page({ limit: 1 }, first, [ONE, a])), /^a caller: .*"limit":1/],
    ['a page is not in order', history(post(a, 201, ONE), page({}, [ONE, a], first)), /^a caller: .*"keys":\["01900/],
    ['a page leads back to itself', history(page({ after: ONE, next: ONE })), /^a caller: .*"next":"01900/],
    ['the service failed', history({ operation: 'list', status: 500 }), /^a caller: list {2}→ 500$/],
  ])('is broken if %s', (_what, calls, fault) => {
    expect(judge(calls)).toContainEqual(expect.stringMatching(fault));
  });

  it.each([
    ['has no calls', 0, 0],
    ['has one call, which failed', 1, 0],
    ['has calls that all failed', 30, 0],
    ['has calls that nearly all failed', 30, 5],
  ])('is vacuous if it %s', (_what, total, telling) => {
    const get = { operation: 'GET', key: FIRST_KEY, status: 503 } as const;
    const answered = { ...get, status: 200, version: 1, items: new Map([first]) };
    const calls = history(...Array.from({ length: total }, (_, index) => (index < telling ? answered : get)));
    const read = history({ ...list(first), caller: LAST_READER, begin: 10_000, end: 10_005 });
    expect(judge([...calls, ...read])).toEqual([`vacuous: ${total - telling} of ${total} calls returned 503 or 504`]);
  });
});
