/** What the first request with an `Idempotency-Key` did. */
export interface FirstUse {
  readonly itemKey: string;
  /** SHA-256 of the members that it sent, in base64. */
  readonly digest: string;
  /** When the `Idempotency-Key` may be used for another request, in seconds since 1970. */
  readonly expires: number;
}

/** How long an `Idempotency-Key` is remembered, in seconds. */
const LIFETIME = 3_600;

/** Makes a digest by which members are compared. Its code is loaded here, because few requests need it. */
export async function digestOf(members: object): Promise<string> {
  const { hash } = process.getBuiltinModule('node:crypto');
  return hash('sha256', JSON.stringify(members), 'base64');
}

export function firstUse(itemKey: string, digest: string): FirstUse {
  // Rounded up, and what it is compared with down, so that no key expires early.
  return { itemKey, digest, expires: Math.ceil(Date.now() / 1_000) + LIFETIME };
}

/** The time with which `expires` is compared, in whole seconds since 1970. */
export function now(): number {
  return Math.floor(Date.now() / 1_000);
}
