import type { Collection } from '../../shared/store/store.js';

/** A call as its caller saw it: on an item, or on the list of them all. */
export interface Call {
  /** When it was made. All times are of one clock, and all differ. */
  readonly begin: number;
  /** When it ended; Infinity if it failed: it may have been applied at any time after it began, or never. */
  readonly end: number;
  readonly caller: string;
  readonly operation: keyof Collection;
  /** The item's key; of an item that was created, the one it was given. */
  readonly key?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly members?: Partial<Members> | undefined;
  /** The version that the precondition asks for. */
  readonly only?: number | undefined;
  readonly page?: Page | undefined;
  readonly result: Result;
  readonly version?: number | undefined;
  /** The items in the answer, by their keys. */
  readonly items: ReadonlyMap<string, Members>;
}

/** `unknown` may have been applied or not; anything that is not listed is a fault. */
export type Result =
  | 'done'
  | 'not found'
  | 'conflict'
  | 'idempotency-key-reused'
  | 'unknown'
  | 'not applied'
  | `fault: ${string}`;

/** A page of the list: those behind the cursor `after`, up to and with the cursor `next`. */
export interface Page {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
  readonly keys?: readonly string[];
  readonly next?: string | undefined;
}

export interface Members {
  readonly label: string;
  readonly fragile: boolean;
}

/** One call on one item. What a page says of an item is a call, too: `found` is undefined if the page does not have it. */
export interface ItemCall extends Call {
  readonly found: Members | undefined;
}

/** What is under a key: nothing yet, an item, or nothing ever again. */
export type State = 'unborn' | Item | 'removed';

interface Item extends Members {
  readonly version: number;
}

/** The model of one item: the state after a call; undefined if its answer is impossible in this state. */
export function step(state: State, call: ItemCall): State | undefined {
  const { next = state, ...expected } = outcome(state, call);
  // If it changes nothing, it is as if it had not been applied, and needs no position in the order.
  if (call.result === 'unknown') return next === state ? undefined : next;
  const isSame = call.result === expected.result && call.version === expected.version;
  return isSame && JSON.stringify(call.found) === JSON.stringify(expected.found) ? next : undefined;
}

interface Outcome extends Pick<Call, 'result' | 'version'> {
  readonly found?: Members | undefined;
  /** The state after it; undefined if it changes nothing. */
  readonly next?: State;
}

function outcome(state: State, { operation, idempotencyKey, members, only }: Call): Outcome {
  const item = typeof state === 'string' ? undefined : state;
  const found = item && { label: item.label, fragile: item.fragile };
  if (operation === 'list') return { result: 'done', found };
  if (operation === 'create') {
    const created = members as Members;
    const first = { result: 'done', found: created, version: 1 } as const;
    if (state === 'unborn') return { ...first, next: { ...created, version: 1 } };
    // No key is given twice, unless the same creation is sent again.
    return idempotencyKey === undefined ? { result: 'fault: a key was given twice' } : first;
  }
  if (!item) return { result: 'not found' };
  if (operation === 'find') return { result: 'done', found, version: item.version };
  if (only !== undefined && only !== item.version) return { result: 'conflict' };
  if (operation === 'remove') return { result: 'done', version: item.version, found, next: 'removed' };
  const next = { ...item, ...members, version: item.version + 1 };
  return { result: 'done', version: next.version, found: { label: next.label, fragile: next.fragile }, next };
}

/** What is known of an `Idempotency-Key`: the members of its first use, and the key of the item if a reply had it. */
export type Use = Pick<Call, 'members' | 'key'>;

/** The model of one `Idempotency-Key`: what is known after a creation; undefined if its answer is impossible then. */
export function stepUse(use: Use, { result, members, key }: Call): Use | undefined {
  const isSame = !use.members || JSON.stringify(use.members) === JSON.stringify(members);
  if (result === 'idempotency-key-reused') return isSame ? undefined : use;
  // One that failed needs a position in the order only if it is the first use. That may be remembered without an item.
  if (result === 'unknown' || result === 'not applied') return use.members ? undefined : { members };
  return isSame && result === 'done' && (use.key ?? key) === key ? { members, key } : undefined;
}
