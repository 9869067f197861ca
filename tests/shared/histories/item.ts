import { type Conditions, operate } from '../model/model.js';

/** A call as its caller saw it: on an item, or on the list of them all. */
export interface Call extends Conditions {
  /** When it was made. All times are of one clock, and all differ. */
  readonly begin: number;
  /** When it was answered; Infinity if the outcome is unknown: it may have been applied at any time after it began, or never. */
  readonly end: number;
  readonly caller: string;
  readonly operation: 'POST' | 'GET' | 'PUT' | 'PATCH' | 'DELETE' | 'list';
  /** The item's key; of an item that was created, the one it was given. */
  readonly key?: string | undefined;
  /** Of a POST that may be sent again. */
  readonly idempotencyKey?: string | undefined;
  readonly members?: Partial<Members> | undefined;
  /** Of a page of the list: what was asked for, the keys in their order, and the cursor of the next page. */
  readonly page?: Page | undefined;
  /**
   * The answer's status; 503 and 504 say that it may have been applied or not. A page that has not changed, which is answered by 304, is
   * told as if it had been sent again.
   */
  readonly status: number;
  /** False if the answer says that nothing was changed. */
  readonly applied?: false | undefined;
  /** The version in the answer's `ETag`. */
  readonly version?: number | undefined;
  /** The items in the answer, by their keys. */
  readonly items: ReadonlyMap<string, Members>;
}

/** A page of the list: those behind the cursor `after`, up to and with the cursor `next`. */
export interface Page {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
  readonly keys?: readonly string[];
  readonly next?: string | undefined;
  /** Its entity tag, and all that this stands for: the content, the media type and the link. */
  readonly tag?: string | undefined;
  readonly form?: string;
}

/** One call on one item. What a page says of an item is a call, too: `found` is undefined if the page does not have it. */
export interface ItemCall extends Call {
  readonly found: Members | undefined;
}

export interface Members {
  readonly label: string;
  readonly fragile: boolean;
}

export function isUnknown(status: number): boolean {
  return status === 503 || status === 504;
}

/** What is under a key: nothing yet, an item, or nothing ever again. */
export type State = 'unborn' | Item | 'deleted';

interface Item extends Members {
  readonly version: number;
}

/** The model of one item: the state after a call; undefined if its answer is impossible in this state. */
export function step(state: State, { found, ...call }: ItemCall): State | undefined {
  const { next = state, ...answer } = outcome(state, call);
  // If it changes nothing, it is as if it had not been applied, and needs no position in the order.
  if (isUnknown(call.status)) return next === state ? undefined : next;
  const isSame = call.status === answer.status && call.version === answer.version;
  return isSame && JSON.stringify(found) === JSON.stringify(answer.found) ? next : undefined;
}

interface Outcome extends Pick<Call, 'status' | 'version'> {
  readonly found?: Members | undefined;
  /** The state after it; undefined if it changes nothing. */
  readonly next?: State;
}

function outcome(state: State, { operation, idempotencyKey, members, ...conditions }: Call): Outcome {
  const item = typeof state === 'string' ? undefined : state;
  const found = item && { label: item.label, fragile: item.fragile };
  if (operation === 'list') return { status: 200, found };
  if (operation === 'POST') {
    const created = members as Members;
    if (state === 'unborn') return { status: 201, found: created, version: 1, next: { ...created, version: 1 } };
    // No key is given twice, unless the same POST is sent again.
    return idempotencyKey === undefined ? { status: Number.NaN } : { status: 201, found: created, version: 1 };
  }
  const { status, item: next = 'deleted' } = operate<Item>(item, { ...conditions, method: operation }, members);
  if (!item || status === 412) return { status };
  if (operation === 'GET') return { status, version: item.version, ...(status === 200 && { found }) };
  return { status, next, ...(operation === 'PATCH' && next !== 'deleted' && { version: next.version }) };
}

/** What is known of an `Idempotency-Key`: the members of its first use, and the key of the item if a reply had it. */
export interface Use {
  readonly members?: Partial<Members> | undefined;
  readonly key?: string | undefined;
}

/** The model of one `Idempotency-Key`: what is known after a POST; undefined if its answer is impossible then. */
export function stepUse(use: Use, { status, members, key }: Use & { readonly status: number }): Use | undefined {
  const isSame = !use.members || JSON.stringify(use.members) === JSON.stringify(members);
  if (status === 422) return isSame ? undefined : use;
  // One that has no reply needs a position in the order only if it is the first use.
  if (isUnknown(status)) return use.members ? undefined : { members };
  return isSame && status === 201 && (use.key ?? key) === key ? { members, key } : undefined;
}
