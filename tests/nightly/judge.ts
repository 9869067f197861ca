import { inspect } from 'node:util';
import { INITIAL_KEY } from '../../shared/store/row.js';
import type { Items } from '../../shared/store/store.js';
import type { Parcel } from '../support/service/parcels.js';

/** A call as its caller saw it, on an item or on the list. */
export interface Call {
  readonly operation: keyof Items;
  /** When it was made. All times are of one clock, and all differ. */
  readonly begin: number;
  /** When it ended; Infinity if its outcome is unknown: it may have been applied at any time after it began, or never. */
  readonly end: number;
  readonly key?: string;
  readonly members?: Partial<Members>;
  readonly idempotencyKey?: string | undefined;
  /** The only version that it may change; left out, any. */
  readonly ifVersion?: number | undefined;
  readonly result: 'done' | 'not found' | 'conflict' | 'idempotency-key-reused' | 'unknown' | 'not applied';
  readonly version?: number;
  /** The items in the answer. */
  readonly found: readonly Found[];
}

export type Members = Pick<Parcel, 'label' | 'fragile'>;
type Found = Members & Pick<Parcel, 'key'>;

/**
 * Judges the history of a list: whether it was always in order, whether the calls on each item can be put in an order
 * that explains all answers, and whether each creation that was sent again made one item. A call of the list counts as a
 * call on each item, whether it is listed or not, at a time of its own between begin and end.
 *
 * @returns A description of each fault; none if the history can be explained.
 */
export function judge(calls: readonly Call[]): string[] {
  const keys = new Set([INITIAL_KEY, ...calls.flatMap(({ found }) => found.map(({ key }) => key))]);
  const inexplicable = [...keys].flatMap((key) => {
    const history = callsOn(key, calls);
    const isExplained = hasOrder(history, key === INITIAL_KEY ? FIRST : 'unborn');
    return isExplained ? [] : [describe(`no order of calls explains the answers about ${key}`, history)];
  });
  const names = new Set(calls.filter(({ operation }) => operation === 'create').map(creationOf));
  const repeated = [...names].flatMap((name) => {
    const same = calls.filter((call) => call.operation === 'create' && creationOf(call) === name);
    return isOneItem(same, calls) ? [] : [describe(`${name} made two items, or was rejected too early`, same)];
  });
  const unordered = calls.filter(({ found }) => found.some(({ key }, index) => key <= (found[index - 1]?.key ?? '')));
  return [...unordered.map((call) => describe('a list is out of order', [call])), ...inexplicable, ...repeated];
}

/**
 * The calls on an item. Its creation is one that was answered with its key, or one with an unknown outcome that sent its
 * first label. The first answer with the item shows that label, because nobody knew its key before.
 */
function callsOn(key: string, calls: readonly Call[]): readonly Call[] {
  const { label } = calls.flatMap(({ found }) => found).find((item) => item.key === key) ?? {};
  return calls
    .filter(({ operation, result, members, found, ...call }) => {
      if (operation === 'list') return result === 'done';
      if (operation !== 'create') return call.key === key && result !== 'not applied';
      return result === 'unknown' ? members?.label === label : found[0]?.key === key;
    })
    .map((call) => ({ ...call, found: call.found.filter((item) => item.key === key) }));
}

/** What is under a key: nothing yet, an item, or nothing ever again. */
type State = 'unborn' | (Members & { readonly version: number }) | 'removed';

const FIRST: State = { label: 'first', fragile: false, version: 1 };

/**
 * Searches for an order in which the calls on an item, done one at a time, give the answers that were given, and in which
 * none comes before another that ended before it began (Wing and Gong, "Testing and Verifying Concurrent Objects",
 * 1993). States that were reached before with the same calls left are not searched again (Lowe, "Testing for
 * Linearizability", 2017).
 */
function hasOrder(calls: readonly Call[], initial: State): boolean {
  const byEnd = [...calls].sort((one, other) => one.end - other.end);
  const reached = new Set<string>();

  function search(state: State, left: readonly Call[]): boolean {
    const firstEnd = left[0]?.end ?? Number.POSITIVE_INFINITY;
    if (firstEnd === Number.POSITIVE_INFINITY) return true;
    const node = JSON.stringify([state, left.map(({ begin }) => begin)]);
    if (reached.has(node)) return false;
    reached.add(node);
    return left.some((call) => {
      const next = call.begin < firstEnd ? step(state, call) : undefined;
      const others = left.filter((other) => other !== call);
      return next !== undefined && search(next, others);
    });
  }

  return search(initial, byEnd);
}

/** The model of an item: the state after a call; undefined if its answer is impossible in this state. */
function step(state: State, { operation, result, version, found: [item], ...call }: Call): State | undefined {
  const { expected, after, next = state } = outcome(state, { operation, ...call });
  // A call with an unknown outcome that changes nothing needs no position in the order.
  if (result === 'unknown') return next === state ? undefined : next;
  const isVersion = operation === 'list' || version === after?.version;
  const isSame = isVersion && item?.label === after?.label && item?.fragile === after?.fragile;
  return result === expected && isSame ? next : undefined;
}

interface Outcome {
  readonly expected: Call['result'];
  /** The item in the answer that is expected. */
  readonly after?: Exclude<State, string> | undefined;
  /** The state after the call; left out if the call changes nothing. */
  readonly next?: State;
}

function outcome(state: State, { operation, members, ifVersion }: Omit<Call, 'result' | 'found'>): Outcome {
  if (operation === 'create') {
    // A creation that is sent again gets the first version, whatever has become of the item.
    const after = { ...(members as Members), version: 1 };
    return { expected: 'done', after, ...(state === 'unborn' && { next: after }) };
  }
  const item = typeof state === 'string' ? undefined : state;
  if (operation === 'list') return { expected: 'done', after: item };
  if (!item) return { expected: 'not found' };
  if (operation === 'find') return { expected: 'done', after: item };
  if (ifVersion !== undefined && ifVersion !== item.version) return { expected: 'conflict' };
  if (operation === 'remove') return { expected: 'done', after: item, next: 'removed' };
  const after = { ...item, ...members, version: item.version + 1 };
  return { expected: 'done', after, next: after };
}

/** Calls with the same name are one creation, sent again. The labels of creations differ, and no change sends one of them. */
function creationOf({ idempotencyKey, members }: Call): string {
  return idempotencyKey ?? String(members?.label);
}

/** Whether the calls of one creation made at most one item, and only those with other members were rejected. */
function isOneItem(creations: readonly Call[], calls: readonly Call[]): boolean {
  const labels = creations.map(({ members }) => members?.label);
  const made = calls.flatMap(({ found }) => found).filter(({ label }) => labels.includes(label));
  const isRight = ({ result, end, members }: Call) =>
    result !== 'idempotency-key-reused' ||
    (made.every(({ label }) => label !== members?.label) &&
      creations.some((other) => other.members?.label !== members?.label && other.begin < end));
  return new Set(made.map(({ key, label }) => `${key} ${label}`)).size <= 1 && creations.every(isRight);
}

function describe(what: string, history: readonly Call[]): string {
  return `${what}:\n${history.map((call) => inspect(call, { breakLength: Number.POSITIVE_INFINITY })).join('\n')}`;
}
