import { describe, expect, it } from '@jest/globals';
import { FIRST_KEY } from '../../shared/store/key.js';
import { FIRST as MEMBERS, OPTIONAL, TEXT } from '../support/service/resource.js';
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
