import { FIRST_KEY } from '../../shared/store/key.js';
import { FIRST as FIRST_MEMBERS, OPTIONAL, TEXT } from '../support/service/resource.js';
import { LAST_READER, type Recorded } from './callers.js';
import { type FirstUse, type ItemCall, type State, step, stepUse } from './item.js';
import { linearize } from './linearizable.js';

/**
 * Judges a history: whether the calls on each item can be put in an order that explains all answers, and so can the POSTs
 * with each `Idempotency-Key`; and whether each POST has made one item at most. The items of a list are read one by one,
 * each at some time between the list's begin and end. The first item is there from the beginning. A history in which
 * nearly every call was answered 503 proves nothing, and is judged vacuous.
 *
 * @param calls - Everything that was called.
 * @returns A description of each fault; none if the history can be explained.
 */
export function judge(calls: readonly Recorded[]): string[] {
  const keys = new Set([FIRST_KEY, ...calls.flatMap(({ key, items }) => [key ?? FIRST_KEY, ...items.keys()])]);
  const inexplicable = [...keys].flatMap((key) => {
    const history = callsOn(key, calls);
    const { linearizable, order } = linearize<State, ItemCall>(history, key === FIRST_KEY ? FIRST : 'unborn', step);
    return linearizable ? [] : [describe(key, history, order)];
  });
  return [...vacuous(calls), ...crashes(calls), ...inexplicable, ...misused(calls), ...duplicates(calls)];
}

/** What is there before anybody has called. */
const FIRST: State = { text: FIRST_MEMBERS[TEXT] as string, option: FIRST_MEMBERS[OPTIONAL], version: 1 };

/** A 503 can be explained in any history. The final reads, which meet no faults, do not count. */
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

/** The values of `Idempotency-Key` whose POSTs have answers that no single first use explains. */
function misused(calls: readonly Recorded[]): string[] {
  const keys = new Set(calls.flatMap(({ idempotencyKey = [] }) => idempotencyKey));
  return [...keys].flatMap((key) => {
    const history = calls.filter(({ idempotencyKey }) => idempotencyKey === key);
    const { linearizable, order } = linearize<FirstUse, Recorded>(history, 'none', stepUse);
    return linearizable ? [] : [describe(`Idempotency-Key ${key}`, history, order)];
  });
}

/** The texts of POSTs that more than one item has had. No other call sends these texts. */
function duplicates(calls: readonly Recorded[]): string[] {
  const texts = new Set(calls.flatMap(({ operation, members }) => (operation === 'POST' ? members?.text : [])));
  return [...texts].flatMap((text) => {
    const keys = new Set(
      calls.flatMap(({ items }) => [...items].flatMap(([key, item]) => (item.text === text ? key : []))),
    );
    return keys.size > 1 ? [`${text} was created ${keys.size} times: ${[...keys].join(', ')}`] : [];
  });
}

function callsOn(key: string, calls: readonly Recorded[]): ItemCall[] {
  const creations = creationsOf(key, calls);
  return calls.flatMap((call): ItemCall[] => {
    const found = call.items.get(key);
    if (call.operation === 'POST') return creations.includes(call) ? [{ ...call, found }] : [];
    if (call.operation === 'list') return call.status === 200 ? [{ ...call, found }] : [];
    return call.key === key && call.applied !== false ? [{ ...call, found }] : [];
  });
}

/**
 * The POSTs that may have created an item: those answered with its key, and those without a reply that sent the same text.
 * If no answer had the key, nobody could change the text, so the item still has it when it is first seen.
 */
function creationsOf(key: string, calls: readonly Recorded[]): Recorded[] {
  const posts = calls.filter(({ operation }) => operation === 'POST');
  const answered = posts.filter((call) => call.key === key);
  const text = answered[0]?.members?.text ?? calls.find(({ items }) => items.has(key))?.items.get(key)?.text;
  const unanswered = posts.filter(
    ({ status, applied, members }) => status === 503 && applied !== false && members?.text === text,
  );
  return [...answered, ...unanswered];
}

function describe(key: string, history: readonly ItemCall[], order: readonly ItemCall[]): string {
  const lines = [...history]
    .sort((one, other) => one.begin - other.begin)
    .map((call) => {
      const position = order.includes(call) ? `${order.indexOf(call) + 1}.` : '';
      const { caller, operation, begin, end, ifMatch, ifNoneMatch, members, status, found, version } = call;
      const sent = JSON.stringify({ ifMatch, ifNoneMatch, ...members });
      const answer = [status, found && JSON.stringify(found), version && `"${version}"`].filter(Boolean).join(' ');
      return `${position.padEnd(4)} ${begin}-${end} ${caller}: ${operation} ${sent} → ${answer}`;
    });
  return `${key} (numbered: the longest order that explains some)\n${lines.join('\n')}`;
}
