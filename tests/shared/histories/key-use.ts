import { isLarge, type Recorded } from './callers.js';
import { isUnknown, type Members } from './item.js';

/** What is known of an `Idempotency-Key`. */
export interface KeyUse {
  /** The members that were sent with its first use; undefined if it is free. */
  readonly members?: Partial<Members> | undefined;
  /** The key of the item, if a reply had it. */
  readonly key?: string | undefined;
  /** When the POSTs began that use the key for an item that is too large, and have not freed it yet; in order. */
  readonly using: readonly number[];
}

export const FREE: KeyUse = { using: [] };

/** What a POST does with its `Idempotency-Key`. */
export interface UseStep extends Recorded {
  readonly frees: boolean;
}

/** A POST of an item that is too large uses its key, and frees it before it returns 413: others may come in between. */
export function stepsOf(call: Recorded): UseStep[] {
  const uses = { ...call, frees: false };
  const isRejected = isLarge(call.members ?? {}) && (call.status === 413 || isUnknown(call.status));
  return isRejected ? [uses, { ...call, frees: true }] : [uses];
}

/** The model of one `Idempotency-Key`: what is known after a step of a POST; undefined if its answer is impossible then. */
export function stepUse(
  use: KeyUse,
  { frees, begin, status, members = {}, key }: Pick<UseStep, 'frees' | 'begin' | 'status' | 'members' | 'key'>,
): KeyUse | undefined {
  const { using } = use;
  const isSame = JSON.stringify(use.members) === JSON.stringify(members);
  if (frees) {
    if (!using.includes(begin)) return undefined;
    const others = using.filter((other) => other !== begin);
    return isSame ? { using: others } : { ...use, using: others };
  }
  const isReused = use.members !== undefined && !isSame;
  if (status === 422) return isReused ? use : undefined;
  if (isReused) return undefined;
  if (isLarge(members)) {
    const all = [...using, begin].sort((one, other) => one - other);
    return status === 413 || isUnknown(status) ? { members, using: all } : undefined;
  }
  // One that has no reply needs a position in the order only if it is the first use.
  if (isUnknown(status)) return use.members === undefined ? { members, using } : undefined;
  return status === 201 && (use.key ?? key) === key ? { members, key, using } : undefined;
}
