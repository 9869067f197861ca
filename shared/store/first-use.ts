/** What the first request with an `Idempotency-Key` did. */
export interface FirstUse {
  readonly itemKey: string;
  /** SHA-256 of the members, in base64. */
  readonly digest: string;
  /** In seconds since 1970. */
  readonly expires: number;
}

/** In seconds. */
const LIFETIME = 3_600;

/** Loads node:crypto on demand, because few requests need it. */
export async function digestOf(members: object): Promise<string> {
  const { hash } = process.getBuiltinModule('node:crypto');
  return hash('sha256', JSON.stringify(members), 'base64');
}

export function firstUse(itemKey: string, digest: string): FirstUse {
  // Rounded up, and `now` down, so that no key expires early.
  return { itemKey, digest, expires: Math.ceil(Date.now() / 1_000) + LIFETIME };
}

/** Whole seconds since 1970, to compare with `expires`. */
export function now(): number {
  return Math.floor(Date.now() / 1_000);
}
