import type { Recorded } from './callers.js';
import type { Members } from './item.js';

/** What became of an `Idempotency-Key`: its first use was with some members, and created an item whose key may be known. */
export type FirstUse = 'none' | { readonly members: Partial<Members>; readonly key?: string | undefined };

/**
 * The model of one `Idempotency-Key`: does a POST that has it.
 *
 * @param use - What became of it before.
 * @param call - The POST.
 * @returns What became of it then; undefined where the answer can't come of that.
 */
export function stepUse(use: FirstUse, { status, members = {}, key }: Recorded): FirstUse | undefined {
  const isReused = use !== 'none' && JSON.stringify(use.members) !== JSON.stringify(members);
  if (status === 422) return isReused ? use : undefined;
  if (isReused) return undefined;
  // One that has no reply needs a place in the order only where it is the first use.
  if (status === 503) return use === 'none' ? { members } : undefined;
  const isFirstReply = use === 'none' || use.key === undefined;
  return status === 201 && (isFirstReply || use.key === key) ? { members, key } : undefined;
}
