import type { Recorded } from './callers.js';
import { type ItemCall, type State, step } from './item.js';
import { linearize } from './linearizable.js';

/**
 * Judges a history: whether the calls on each item can be put in an order that explains all answers. The items of a list
 * are read one by one, each at some time of its own between the list's begin and end.
 *
 * @param calls - Everything that was called.
 * @returns What can't be explained, in words, one entry an item; none when all is well.
 */
export function judge(calls: readonly Recorded[]): string[] {
  const keys = new Set(calls.flatMap(({ key, items }) => [...(key === undefined ? [] : [key]), ...items.keys()]));
  return [...keys].flatMap((key) => {
    const history = callsOn(key, calls);
    const { linearizable, order } = linearize<State, ItemCall>(history, 'unborn', step);
    return linearizable ? [] : [describe(key, history, order)];
  });
}

function callsOn(key: string, calls: readonly Recorded[]): ItemCall[] {
  const creation = creationOf(key, calls);
  const others = calls.flatMap((call): ItemCall[] => {
    if (call.operation === 'list') return call.status === 200 ? [{ ...call, found: call.items.get(key) }] : [];
    return call.key === key && call !== creation ? [{ ...call, found: call.items.get(key) }] : [];
  });
  return creation ? [{ ...creation, found: creation.items.get(key) }, ...others] : others;
}

/**
 * Its POST; where that was answered 503, the one that sent the name it was first seen with, which nobody could change who
 * was not told its key. The first item may be created at any time.
 */
function creationOf(key: string, calls: readonly Recorded[]): Recorded | undefined {
  const answered = calls.find((call) => call.operation === 'POST' && call.key === key);
  if (answered) return answered;
  const name = calls.find(({ items }) => items.has(key))?.items.get(key)?.name;
  const unanswered = calls.find((call) => call.status === 503 && call.members?.name === name && call.key === undefined);
  return unanswered ?? (name === 'Item1' ? FIRST : undefined);
}

const FIRST: Recorded = {
  caller: 'the service',
  operation: 'POST',
  members: { name: 'Item1', isComplete: false },
  begin: 0,
  end: Infinity,
  status: 503,
  items: new Map(),
};

function describe(key: string, history: readonly ItemCall[], order: readonly ItemCall[]): string {
  const lines = [...history]
    .sort((one, other) => one.begin - other.begin)
    .map((call) => {
      const place = order.includes(call) ? `${order.indexOf(call) + 1}.` : '';
      const { caller, operation, begin, end, among, except, members, status, found, version } = call;
      const sent = JSON.stringify({ among, except, ...members });
      const answer = [status, found && JSON.stringify(found), version && `"${version}"`].filter(Boolean).join(' ');
      return `${place.padEnd(4)} ${begin}-${end} ${caller}: ${operation} ${sent} → ${answer}`;
    });
  return `${key} (numbered: the longest order that explains some)\n${lines.join('\n')}`;
}
