import { type Conditions, operate } from '../model/model.js';
import type { Timed } from './linearizable.js';

/** One call on one item, and its answer. What a list says of an item is a call, too. */
export interface ItemCall extends Timed, Conditions {
  readonly caller: string;
  readonly operation: 'POST' | 'GET' | 'PUT' | 'PATCH' | 'DELETE' | 'list';
  /** Of a POST that may be sent again. */
  readonly idempotencyKey?: string | undefined;
  /** What was sent. */
  readonly members?: Partial<Members> | undefined;
  /** The answer's status; 503 and 504 say that it may have been applied or not. */
  readonly status: number;
  /** The item in the answer; undefined also if a list does not have it. */
  readonly found?: Members | undefined;
  /** The version in the answer's `ETag`. */
  readonly version?: number | undefined;
}

/** The members that callers choose. */
export interface Members {
  readonly label: string;
  readonly fragile: boolean;
}

/** Whether a status leaves it unknown whether the call was applied. */
export function isUnknown(status: number): boolean {
  return status === 503 || status === 504;
}

/** What is under a key: nothing yet, an item, or nothing ever again. */
export type State = 'unborn' | Item | 'deleted';

interface Item extends Members {
  readonly version: number;
}

/** The model of one item: the state after a call; undefined if its answer is impossible in this state. */
export function step(state: State, call: ItemCall): State | undefined {
  const { next = state, ...answer } = outcome(state, call);
  // If it changes nothing, it is as if it had not been applied, and needs no position in the order.
  if (isUnknown(call.status)) return next === state ? undefined : next;
  const { status, found, version } = call;
  return JSON.stringify([status, found, version]) === JSON.stringify([answer.status, answer.found, answer.version])
    ? next
    : undefined;
}

interface Outcome extends Pick<ItemCall, 'status' | 'found' | 'version'> {
  /** The state after it; undefined if it changes nothing. */
  readonly next?: State;
}

function outcome(state: State, { operation, ...call }: ItemCall): Outcome {
  const item = typeof state === 'string' ? undefined : state;
  if (operation === 'list') return { status: 200, ...(item && { found: membersOf(item) }) };
  if (operation === 'POST') {
    const found = call.members as Members;
    if (state === 'unborn') return { status: 201, found, version: 1, next: { ...found, version: 1 } };
    // No key is given twice, unless the same POST is sent again.
    return call.idempotencyKey === undefined ? { status: Number.NaN } : { status: 201, found, version: 1 };
  }
  const { status, item: next } = operate<Item>(item, { ...call, method: operation }, call.members);
  if (!item || status === 412) return { status };
  if (operation !== 'GET')
    return { status, next: next ?? 'deleted', ...(operation === 'PATCH' && { version: next?.version }) };
  return { status, version: item.version, ...(status === 200 && { found: membersOf(item) }) };
}

function membersOf({ label, fragile }: Members): Members {
  return { label, fragile };
}
