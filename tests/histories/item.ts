import type { Timed } from './linearizable.js';

/** One call on one item, and its answer. What a list says of an item is a call, too. */
export interface ItemCall extends Timed {
  readonly caller: string;
  readonly operation: 'POST' | 'GET' | 'PUT' | 'PATCH' | 'DELETE' | 'list';
  /** Of a POST that may be sent again. */
  readonly idempotencyKey?: string | undefined;
  /** `If-Match` and `If-None-Match`, the versions in them. */
  readonly among?: readonly number[] | undefined;
  readonly except?: readonly number[] | undefined;
  /** What was sent. */
  readonly members?: Partial<Members> | undefined;
  /** The answer's status; 503 says that it may have been applied or not. */
  readonly status: number;
  /** The answer's content; undefined also where a list does not have the item. */
  readonly found?: Members | undefined;
  /** The version in the answer's `ETag`. */
  readonly version?: number | undefined;
}

/** The members that callers choose. */
export interface Members {
  readonly text: string;
  /** One of the values of the optional member. */
  readonly option: unknown;
}

/** What there can be under a key: nothing yet, an item, and nothing ever again. */
export type State = 'unborn' | (Members & { readonly version: number }) | 'deleted';

/**
 * The model of one item: does a call.
 *
 * @param state - The state before it.
 * @param call - The call.
 * @returns The state after it; undefined where its answer is impossible in this state.
 */
export function step(state: State, call: ItemCall): State | undefined {
  const { next = state, ...answer } = outcome(state, call);
  // Where it changes nothing, it is as if it had not been applied, and needs no place in the order.
  if (call.status === 503) return next === state ? undefined : next;
  const { status, found, version } = call;
  return JSON.stringify([status, found, version]) === JSON.stringify([answer.status, answer.found, answer.version])
    ? next
    : undefined;
}

interface Outcome extends Pick<ItemCall, 'status' | 'found' | 'version'> {
  /** The state after it, undefined where it changes nothing. */
  readonly next?: State;
}

function outcome(state: State, { operation, idempotencyKey, among, except, members }: ItemCall): Outcome {
  if (operation === 'POST') {
    const { next, ...answer } = created({ ...(members as Members), version: 1 });
    if (state === 'unborn') return { ...answer, next };
    return idempotencyKey === undefined ? IMPOSSIBLE : answer;
  }
  if (typeof state === 'string') return { status: operation === 'list' ? 200 : 404 };
  const { version, ...found } = state;
  if (operation === 'list') return { status: 200, found };
  if (among && !among.includes(version)) return { status: 412 };
  if (except?.includes(version)) return operation === 'GET' ? { status: 304, version } : { status: 412 };
  if (operation === 'GET') return { status: 200, found, version };
  if (operation === 'DELETE') return { status: 204, next: 'deleted' };
  const next = { ...found, ...members, version: version + 1 };
  return { status: 204, next, ...(operation === 'PATCH' && { version: next.version }) };
}

function created(next: Members & { readonly version: number }): Required<Outcome> {
  const { version, ...found } = next;
  return { status: 201, found, version, next };
}

/** No key is given twice. */
const IMPOSSIBLE: Outcome = { status: Number.NaN };
