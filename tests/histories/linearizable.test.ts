import { describe, expect, it } from '@jest/globals';
import { type ItemCall, type State, step } from './item.js';
import { linearize } from './linearizable.js';

type Sketch = Pick<ItemCall, 'operation' | 'status'> & Partial<ItemCall>;

const ITEM: State = { name: 'a', isComplete: false, version: 1 };
const a = { name: 'a', isComplete: false };
const b = { name: 'b', isComplete: false };
const c = { name: 'c', isComplete: false };

/** Whether calls can be explained. Each begins and ends before the next one unless its times are given. */
function isExplained(sketches: readonly Sketch[], initial: State = ITEM): boolean {
  const calls = sketches.map((sketch, number): ItemCall => {
    const end = sketch.status === 503 ? Infinity : number * 10 + 5;
    return { caller: 'a caller', begin: number * 10, end, ...sketch };
  });
  return linearize<State, ItemCall>(calls, initial, step).linearizable;
}

const get = (found: ItemCall['found'], version: number): Sketch => ({ operation: 'GET', status: 200, found, version });
const put = (members: ItemCall['members'], more: Partial<Sketch> = {}): Sketch => ({
  operation: 'PUT',
  members,
  status: 204,
  ...more,
});
const patch = (members: ItemCall['members'], version: number, more: Partial<Sketch> = {}): Sketch => ({
  operation: 'PATCH',
  members,
  status: 204,
  version,
  ...more,
});
const remove: Sketch = { operation: 'DELETE', status: 204 };
const gone: Sketch = { operation: 'GET', status: 404 };

describe('a history of one item', () => {
  it.each<[string, Sketch[]]>([
    ['of calls one after the other', [get(a, 1), put(b), get(b, 2), patch({ name: 'c' }, 3), remove, gone]],
    ['where one that overlaps was done first', [put(b, { end: 95 }), get(b, 2), { ...get(a, 1), begin: 1, end: 96 }]],
    ['where one that was answered 503 was done at once', [put(b, { status: 503 }), get(b, 2)]],
    ['where one that was answered 503 was done much later', [put(b, { status: 503 }), get(a, 1), get(a, 1), get(b, 2)]],
    ['where one that was answered 503 was never done', [put(b, { status: 503 }), get(a, 1)]],
    ['with conditions', [put(b, { among: [2], status: 412 }), put(b, { among: [1, 2] }), put(c, { except: [1] })]],
    ['known already', [{ operation: 'GET', except: [1], status: 304, version: 1 }]],
    ['in lists', [{ operation: 'list', status: 200, found: a }, remove, { operation: 'list', status: 200 }]],
  ])('can be explained: %s', (_what, calls) => {
    expect(isExplained(calls)).toBe(true);
  });

  it.each<[string, Sketch[]]>([
    ['an update is lost', [patch({ name: 'b' }, 2), put(c), get(b, 3)]],
    ['an update is done twice', [patch({ name: 'b' }, 2), get(b, 3)]],
    ['one that was answered 503 is done twice', [put(b, { status: 503 }), get(b, 2), put(c), get(b, 4)]],
    ['a read is older than one that ended before it', [put(b, { end: 95 }), get(b, 2), get(a, 1)]],
    ['a deleted item is back', [remove, get(a, 1)]],
    ['a deleted item is listed', [remove, { operation: 'list', status: 200, found: a }]],
    ['it is missing from a list', [get(a, 1), { operation: 'list', status: 200 }]],
    ['one delete is done twice', [remove, remove]],
    ['a condition that is met is refused', [put(b, { among: [1], status: 412 })]],
    ['a condition that is not met is let through', [put(b), put(c, { among: [1] })]],
    ['an answer has the tag of another version', [put(b), patch({ name: 'c' }, 2)]],
    ['what was sent is not what is there', [put(b), get(c, 2)]],
    ['there is no such answer', [{ operation: 'DELETE', status: 500 }]],
  ])('can not be explained: %s', (_what, calls) => {
    expect(isExplained(calls)).toBe(false);
  });

  it('begins with its creation, once', () => {
    const post: Sketch = { operation: 'POST', members: a, status: 201, found: a, version: 1 };
    expect(isExplained([post, get(a, 1)], 'unborn')).toBe(true);
    expect(isExplained([gone, post, get(a, 1)], 'unborn')).toBe(true);
    expect(isExplained([get(a, 1), post], 'unborn')).toBe(false);
    expect(isExplained([post, post], 'unborn')).toBe(false);
    expect(isExplained([post, remove, post], 'unborn')).toBe(false);
  });

  it('is judged quickly, though ten calls overlap and five of them were answered 503', () => {
    const calls = Array.from({ length: 10 }, (_, number) =>
      number % 2 ? put(b, { begin: number, status: 503 }) : put(c, { begin: number, end: 1_000 + number }),
    );
    const before = process.cpuUsage();
    expect(isExplained([...calls, { ...get(a, 1), begin: 2_000, end: 2_001 }])).toBe(false);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
  });
});
