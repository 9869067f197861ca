import { hash } from 'node:crypto';

/** What is kept of an `Idempotency-Key` for an hour. */
export interface IdempotencyRecord {
  /** The key of the item that the first request created. */
  readonly itemKey: string;
  /** SHA-256 of the members, in base64. */
  readonly digest: string;
  /** In seconds since 1970. */
  readonly expires: number;
}

export function newRecord(itemKey: string, members: object): IdempotencyRecord {
  // Rounded up, while `secondsNow` is rounded down, so that no record expires early.
  const expires = Math.ceil(Date.now() / 1_000) + 3_600;
  return { itemKey, digest: hash('sha256', JSON.stringify(members), 'base64'), expires };
}
