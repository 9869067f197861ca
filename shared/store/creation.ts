/** What is remembered of an `Idempotency-Key`. */
export interface Creation {
  /** The key of the item that the first request created. */
  readonly itemKey: string;
  /** SHA-256 of the members, in base64. */
  readonly digest: string;
  /** In seconds since 1970. */
  readonly expires: number;
}

/** In seconds. */
const LIFETIME = 3_600;

/** Loads node:crypto only now, because it takes 5 ms of a cold start, and few requests need it. */
export function newCreation(itemKey: string, members: object): Creation {
  const { hash } = process.getBuiltinModule('node:crypto');
  const digest = hash('sha256', JSON.stringify(members), 'base64');
  // Rounded up, and `secondsNow` down, so that no key expires early.
  return { itemKey, digest, expires: Math.ceil(Date.now() / 1_000) + LIFETIME };
}

/** Whole seconds since 1970. */
export function secondsNow(): number {
  return Math.floor(Date.now() / 1_000);
}
