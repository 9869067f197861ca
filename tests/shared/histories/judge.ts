import { FIRST_KEY } from '../../../shared/store/key.js';
import { LAST_READER } from './callers.js';
import { type Call, type ItemCall, isUnknown, type Page, type State, step, stepUse, type Use } from './item.js';
import { linearize } from './linearizable.js';

/**
 * Judges a history: whether the calls on each item can be put in an order that explains all answers, and so can the POSTs
 * with each `Idempotency-Key`; and whether each POST has made one item at most. The items of a page are read one by one,
 * each at some time between the page's begin and end, and so are the keys between its cursors that it lacks. The first item
 * is there from the beginning.
 *
 * @param calls - Everything that was called.
 * @returns A description of each fault; none if the history can be explained.
 */
export function judge(calls: readonly Call[]): string[] {
  const keys = new Set([FIRST_KEY, ...calls.flatMap(({ key, items }) => [key ?? FIRST_KEY, ...items.keys()])]);
  const inexplicable = [...keys].flatMap((key) => {
    const history = callsOn(key, calls);
    const { linearizable, order } = linearize<State, ItemCall>(history, key === FIRST_KEY ? FIRST : 'unborn', step);
    return linearizable ? [] : [describe(key, history, order)];
  });
  const impossible = calls.filter(
    ({ operation, status, page }) =>
      (status >= 500 && !isUnknown(status)) ||
      status === 413 ||
      // The caller has never got the page that this says has not changed.
      (operation === 'list' && status === 304) ||
      (page?.keys && !isInOrder(page)),
  );
  return [...impossible.map(told), ...inexplicable, ...misused(calls), ...duplicates(calls), ...retagged(calls)];
}

/**
 * Judges less: whether each item that a POST has created, and that nobody has tried to delete, is found in the end; and whether each
 * POST has made one item at most.
 */
export function judgeItems(calls: readonly Call[]): string[] {
  const deleted = new Set(calls.flatMap(({ operation, key }) => (operation === 'DELETE' ? key : [])));
  const kept = calls.filter(
    ({ operation, key, status }) => operation === 'POST' && status === 201 && !deleted.has(key),
  );
  const read = calls.filter(
    ({ caller, operation, status }) => caller === LAST_READER && operation === 'GET' && status === 200,
  );
  const found = new Set(read.map(({ key }) => key));
  return [...duplicates(calls), ...kept.flatMap(({ key }) => (found.has(key) ? [] : [`${key} was lost`]))];
}

/**
 * Judges whether the calls of all histories that were recorded together tell anything: a 503 can be explained in any history. The final
 * reads, which meet no faults, do not count.
 *
 * @returns What is wrong; undefined if at least a fifth of the calls say what they did.
 */
export function vacuous(calls: readonly Call[]): string | undefined {
  const counted = calls.filter(({ caller }) => caller !== LAST_READER);
  const telling = counted.filter(({ status }) => !isUnknown(status)).length;
  if (telling > 0 && telling >= counted.length / 5) return undefined;
  return `vacuous: ${counted.length - telling} of ${counted.length} calls returned 503 or 504`;
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

/** The entity tags that two different pages have had. */
function retagged(calls: readonly Call[]): string[] {
  const tags = new Set(calls.flatMap(({ page, status }) => (status === 200 ? (page?.tag ?? []) : [])));
  return [...tags].flatMap((tag) => {
    const forms = new Set(calls.flatMap(({ page }) => (page?.tag === tag ? (page.form ?? []) : [])));
    return forms.size > 1 ? [`${tag} is the entity tag of ${forms.size} pages: ${[...forms].join(' ')}`] : [];
  });
}

/** The values of `Idempotency-Key` whose POSTs have answers that no single first use explains. */
function misused(calls: readonly Call[]): string[] {
  const keys = new Set(calls.flatMap(({ idempotencyKey = [] }) => idempotencyKey));
  return [...keys].flatMap((key) => {
    const history = calls.filter(({ idempotencyKey }) => idempotencyKey === key);
    const { linearizable, order } = linearize<Use, Call>(history, {}, stepUse);
    return linearizable ? [] : [describe(`Idempotency-Key ${key}`, history, order)];
  });
}

/** The labels of POSTs that more than one item has had. No other call sends these labels. */
function duplicates(calls: readonly Call[]): string[] {
  const labels = new Set(calls.flatMap(({ operation, members }) => (operation === 'POST' ? members?.label : [])));
  const all = calls.flatMap(({ items }) => [...items]);
  return [...labels].flatMap((label) => {
    const keys = new Set(all.flatMap(([key, item]) => (item.label === label ? key : [])));
    return keys.size > 1 ? [`${label} was created ${keys.size} times: ${[...keys].join(', ')}`] : [];
  });
}

/**
 * The calls on an item. Of the POSTs, those answered with its key may have created it, and those without a reply that sent the
 * same label. If no answer had the key, nobody could change the label, so the item still has it when it is first seen.
 */
function callsOn(key: string, calls: readonly Call[]): ItemCall[] {
  const created = calls.find((call) => call.operation === 'POST' && call.key === key)?.members;
  const { label } = created ?? calls.find(({ items }) => items.has(key))?.items.get(key) ?? {};
  const isAbout = ({ operation, page, status, applied, members, ...call }: Call) => {
    const { after = '', next = LAST } = page ?? {};
    if (operation === 'list') return status === 200 && key > after && key <= next;
    if (applied === false) return false;
    return call.key === key || (operation === 'POST' && isUnknown(status) && members?.label === label);
  };
  return calls.filter(isAbout).map((call) => ({ ...call, found: call.items.get(key) }));
}

function describe(key: string, history: readonly Call[], order: readonly Call[]): string {
  const lines = [...history]
    .sort((one, other) => one.begin - other.begin)
    .map((call) => `${order.includes(call) ? `${order.indexOf(call) + 1}.` : ''}\t${told(call)}`);
  return `${key} (numbered: the longest order that explains some)\n${lines.join('\n')}`;
}

function told({ caller, operation, begin, end, status, ...more }: Call): string {
  return `${begin}-${end} ${caller}: ${operation} → ${status} ${JSON.stringify(more)}`;
}
