import { INITIAL_KEY } from '../../shared/store/key.js';
import { type Call, type ItemCall, type Page, type State, step, stepUse, type Use } from './item.js';
import { linearize } from './linearizable.js';

/**
 * Judges a history: whether the calls on each item can be put in an order that explains all answers, and so can the
 * creations with each `Idempotency-Key`; and whether each creation has made one item at most. The items of a page are
 * read one by one, each at some time between the page's begin and end, and so are the keys between its cursors that it
 * lacks. The first item is there from the beginning.
 *
 * @param calls - Everything that was called.
 * @returns A description of each fault; none if the history can be explained.
 */
export function judge(calls: readonly Call[]): string[] {
  const keys = new Set([INITIAL_KEY, ...calls.flatMap(({ key, items }) => [key ?? INITIAL_KEY, ...items.keys()])]);
  const inexplicable = [...keys].flatMap((key) => {
    const history = callsOn(key, calls);
    const { linearizable, order } = linearize<State, ItemCall>(history, key === INITIAL_KEY ? FIRST : 'unborn', step);
    return linearizable ? [] : [describe(key, history, order)];
  });
  const impossible = calls.filter(({ result, page }) => result.startsWith('fault') || (page?.keys && !isInOrder(page)));
  return [...impossible.map(told), ...inexplicable, ...misused(calls), ...duplicates(calls)];
}

const FIRST: State = { label: 'first', fragile: false, version: 1 };

/** Whether a page is in order and short enough, and its cursor leads on. */
function isInOrder({ limit = Number.POSITIVE_INFINITY, after = '', keys = [], next = LAST }: Page): boolean {
  const all = [after, ...keys];
  const isAscending = keys.every((key, index) => key > (all[index] as string));
  return isAscending && keys.length <= limit && next > after && next >= (keys.at(-1) ?? '');
}

/** Sorts behind every key. */
const LAST = '~';

/** The values of `Idempotency-Key` whose creations have answers that no single first use explains. */
function misused(calls: readonly Call[]): string[] {
  const keys = new Set(calls.flatMap(({ idempotencyKey = [] }) => idempotencyKey));
  return [...keys].flatMap((key) => {
    const history = calls.filter(({ idempotencyKey }) => idempotencyKey === key);
    const { linearizable, order } = linearize<Use, Call>(history, {}, stepUse);
    return linearizable ? [] : [describe(`Idempotency-Key ${key}`, history, order)];
  });
}

/** The labels of creations that more than one item has had. No other call sends these labels. */
function duplicates(calls: readonly Call[]): string[] {
  const labels = new Set(calls.flatMap(({ operation, members }) => (operation === 'create' ? members?.label : [])));
  const all = calls.flatMap(({ items }) => [...items]);
  return [...labels].flatMap((label) => {
    const keys = new Set(all.flatMap(([key, item]) => (item.label === label ? key : [])));
    return keys.size > 1 ? [`${label} was created ${keys.size} times: ${[...keys].join(', ')}`] : [];
  });
}

/**
 * The calls on an item. Of the creations, those answered with its key may have made it, and those without a reply that
 * sent the same label. If no answer had the key, nobody could change the label, so the item still has it when it is first
 * seen.
 */
function callsOn(key: string, calls: readonly Call[]): ItemCall[] {
  const created = calls.find((call) => call.operation === 'create' && call.key === key)?.members;
  const { label } = created ?? calls.find(({ items }) => items.has(key))?.items.get(key) ?? {};
  const isAbout = ({ operation, page: { after = '', next = LAST } = {}, result, members, ...call }: Call) => {
    if (operation === 'list') return result === 'done' && key > after && key <= next;
    if (result === 'not applied') return false;
    return call.key === key || (operation === 'create' && result === 'unknown' && members?.label === label);
  };
  return calls.filter(isAbout).map((call) => ({ ...call, found: call.items.get(key) }));
}

function describe(key: string, history: readonly Call[], order: readonly Call[]): string {
  const lines = [...history]
    .sort((one, other) => one.begin - other.begin)
    .map((call) => `${order.includes(call) ? `${order.indexOf(call) + 1}.` : ''}\t${told(call)}`);
  return `${key} (numbered: the longest order that explains some)\n${lines.join('\n')}`;
}

function told({ caller, operation, begin, end, result, ...more }: Call): string {
  return `${begin}-${end} ${caller}: ${operation} → ${result} ${JSON.stringify(more)}`;
}
