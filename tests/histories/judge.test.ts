import { describe, expect, it } from '@jest/globals';
import { FIRST_KEY } from '../../shared/store/key.js';
import { FIRST as MEMBERS, OPTIONAL, TEXT, VALUES } from '../support/service/resource.js';
import { LAST_READER, type Recorded } from './callers.js';
import { judge } from './judge.js';

const FIRST = { text: MEMBERS[TEXT] as string, option: MEMBERS[OPTIONAL] };
const withFirst = new Map([[FIRST_KEY, FIRST]]);

/** Calls one after the other. */
function history(...sketches: (Pick<Recorded, 'operation' | 'status'> & Partial<Recorded>)[]): Recorded[] {
  return sketches.map((sketch, number) => ({
    caller: 'a caller',
    begin: number * 10,
    end: sketch.status === 503 ? Infinity : number * 10 + 5,
    items: new Map(),
    ...sketch,
  }));
}

const listed: Recorded[] = history({ operation: 'list', status: 200, items: withFirst });
const removeFirst = { operation: 'DELETE', key: FIRST_KEY } as const;

describe('a history', () => {
  it('is in order where the first item is in each list until it is deleted', () => {
    const empty = { operation: 'list', status: 200 } as const;
    expect(judge(listed)).toEqual([]);
    expect(judge(history({ ...removeFirst, status: 204 }, empty))).toEqual([]);
    expect(judge(history({ ...removeFirst, status: 503 }, empty))).toEqual([]);
  });

  it.each<[string, Recorded[]]>([
    ['lacks it before', history({ operation: 'list', status: 200 })],
    [
      'lacks it, though its deletion was refused',
      history({ ...removeFirst, status: 412, among: [2] }, { operation: 'list', status: 200 }),
    ],
    [
      'lacks it, though its deletion surely changed nothing',
      history({ ...removeFirst, status: 503, applied: false }, { operation: 'list', status: 200 }),
    ],
    [
      'has it afterwards',
      history({ ...removeFirst, status: 204 }, { operation: 'list', status: 200, items: withFirst }),
    ],
  ])('is broken where a list %s', (_what, calls) => {
    expect(judge(calls)).toEqual([expect.stringMatching(new RegExp(`^${FIRST_KEY} \\(numbered`))]);
  });

  describe('of POSTs with one Idempotency-Key', () => {
    const a = { text: 'item 1', option: VALUES[0] };
    const b = { text: 'item 2', option: VALUES[0] };
    const post = (members: typeof a, status: number, key?: string) =>
      ({
        operation: 'POST',
        idempotencyKey: 'key-0',
        members,
        status,
        ...(key && { key, version: 1, items: new Map([[key, members]]) }),
      }) as const;
    const list = (...items: [string, typeof a][]) =>
      ({ operation: 'list', status: 200, items: new Map([...withFirst, ...items]) }) as const;

    it.each<[string, Recorded[]]>([
      ['get the same reply', history(post(a, 201, 'one'), post(a, 201, 'one'), list(['one', a]))],
      ['get no reply at first', history(post(a, 503), list(['one', a]), post(a, 201, 'one'))],
      ['have other members', history(post(a, 201, 'one'), post(b, 422), list(['one', a]))],
      ['have other members, and the first was not answered', history(post(a, 503), post(b, 422), post(a, 201, 'one'))],
      ['have other members, and the first did nothing', history(post(a, 503), post(b, 201, 'two'), post(a, 422))],
    ])('is in order where they %s', (_what, calls) => {
      expect(judge(calls)).toEqual([]);
    });

    it.each<[string, Recorded[], RegExp]>([
      ['two replies', history(post(a, 201, 'one'), post(a, 201, 'two')), /^Idempotency-Key key-0/],
      ['a reply with other members', history(post(a, 201, 'one'), post(b, 201, 'one')), /^Idempotency-Key key-0/],
      ['a 422 at first', history(post(a, 422)), /^Idempotency-Key key-0/],
      ['a 422 with the same members', history(post(a, 201, 'one'), post(a, 422)), /^Idempotency-Key key-0/],
      ['two items', history(post(a, 503), list(['one', a], ['two', a])), /^item 1 was created 2 times: one, two$/],
      ['no item', history(post(a, 201, 'one'), list()), /^one \(numbered/],
    ])('is broken where they get %s', (_what, calls, fault) => {
      expect(judge(calls)).toContainEqual(expect.stringMatching(fault));
    });
  });

  it('is broken where the service failed', () => {
    expect(judge(history({ operation: 'list', status: 500 }))).toEqual(['a caller: list  → 500']);
  });

  it.each([
    ['has no calls', 0, 0],
    ['has one call, which failed', 1, 0],
    ['has calls that all failed', 30, 0],
    ['has calls that nearly all failed', 30, 5],
  ])('is vacuous where it %s', (_what, total, telling) => {
    const get = { operation: 'GET', key: FIRST_KEY } as const;
    const answered = { ...get, status: 200, version: 1, items: withFirst };
    const calls = history(
      ...Array.from({ length: total }, (_, index) => (index < telling ? answered : { ...get, status: 503 })),
    );
    const read = listed.map((call) => ({ ...call, caller: LAST_READER, begin: 10_000, end: 10_005 }));
    expect(judge([...calls, ...read])).toEqual([`vacuous: ${total - telling} of ${total} calls were answered 503`]);
  });
});
