/** The partitions of a table that hold what one caller may see of a resource. */
export interface Partitions {
  readonly items: string;
  readonly firstUses: string;
}

/**
 * Names the partitions of a resource: those that all callers share, or an owner's own.
 *
 * @param owner - Whose items they are, undefined if callers share them.
 * @returns The partition keys, unlike those of any other owner.
 */
export function partitionsOf(resource: string, owner: string | undefined): Partitions {
  if (owner === undefined) return { items: resource, firstUses: `${resource}/Idempotency-Key` };
  return { items: `${resource}/items/${owner}`, firstUses: `${resource}/Idempotency-Key/${owner}` };
}
