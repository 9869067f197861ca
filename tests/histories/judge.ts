import { FIRST_KEY } from '../../shared/store/key.js';
import { FIRST as FIRST_MEMBERS, OPTIONAL, TEXT } from '../support/service/resource.js';
import { LAST_READER, type Recorded } from './callers.js';
import { type ItemCall, type State, step } from './item.js';
import { linearize } from './linearizable.js';

/**
 * Judges a history: whether the calls on each item can be put in an order that explains all answers. The items of a list
 * are read one by one, each at some time of its own between the list's begin and end. The first item is there from the
 * beginning. A history that says little is no proof of anything, and is judged vacuous.
 *
 * @param calls - Everything that was called.
 * @returns What can't be explained, in words, one entry an item; none when all is well.
 */
export function judge(calls: readonly Recorded[]): string[] {
  const keys = new Set([FIRST_KEY, ...calls.flatMap(({ key, items }) => [key ?? FIRST_KEY, ...items.keys()])]);
  const inexplicable = [...keys].flatMap((key) => {
    const history = callsOn(key, calls);
    const { linearizable, order } = linearize<State, ItemCall>(history, key === FIRST_KEY ? FIRST : 'unborn', step);
    return linearizable ? [] : [describe(key, history, order)];
  });
  return [...vacuous(calls), ...crashes(calls), ...inexplicable];
}

/** What is there before anybody has called. */
const FIRST: State = { text: FIRST_MEMBERS[TEXT] as string, option: FIRST_MEMBERS[OPTIONAL], version: 1 };

/** A 503 fits everywhere. What was read in the end, without faults, does not count. */
function vacuous(calls: readonly Recorded[]): string[] {
  const counted = calls.filter(({ caller }) => caller !== LAST_READER);
  const telling = counted.filter(({ status }) => status !== 503).length;
  if (telling > 0 && telling >= counted.length / 5) return [];
  return [`vacuous: ${counted.length - telling} of ${counted.length} calls were answered 503`];
}

function crashes(calls: readonly Recorded[]): string[] {
  return calls
    .filter(({ status }) => status >= 500 && status !== 503)
    .map(({ caller, operation, key, status }) => `${caller}: ${operation} ${key ?? ''} → ${status}`);
}

function callsOn(key: string, calls: readonly Recorded[]): ItemCall[] {
  const creation = creationOf(key, calls);
  const others = calls.flatMap((call): ItemCall[] => {
    if (call.operation === 'list') return call.status === 200 ? [{ ...call, found: call.items.get(key) }] : [];
    return call.key === key && call !== creation && call.applied !== false
      ? [{ ...call, found: call.items.get(key) }]
      : [];
  });
  return creation ? [{ ...creation, found: creation.items.get(key) }, ...others] : others;
}

/**
 * Its POST; where that was answered 503, the one that sent the text it was first seen with, which nobody could change who
 * was not told its key.
 */
function creationOf(key: string, calls: readonly Recorded[]): Recorded | undefined {
  const answered = calls.find((call) => call.operation === 'POST' && call.key === key);
  if (answered) return answered;
  const text = calls.find(({ items }) => items.has(key))?.items.get(key)?.text;
  return calls.find(
    (call) => call.status === 503 && call.applied !== false && call.members?.text === text && call.key === undefined,
  );
}

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
