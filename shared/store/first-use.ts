import type { Condition, Partition } from './partition.js';

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

/** The most that an instance remembers in memory: about 3 MB. */
const MAX_REMEMBERED = 10_000;

/** Makes a digest by which members are compared. Its code is loaded here, because few requests need it. */
export async function digestOf(members: object): Promise<string> {
  const { hash } = process.getBuiltinModule('node:crypto');
  return hash('sha256', JSON.stringify(members), 'base64');
}

export function firstUse(itemKey: string, digest: string): FirstUse {
  // Rounded up, and what it is compared with down, so that no key expires early.
  return { itemKey, digest, expires: Math.ceil(Date.now() / 1_000) + LIFETIME };
}

/** Remembers first uses in memory, and forgets the oldest when there are too many. */
export class FirstUses {
  readonly #uses = new Map<string, FirstUse>();

  /** Finds the first use of an `Idempotency-Key` that has not expired. */
  find(idempotencyKey: string): FirstUse | undefined {
    const use = this.#uses.get(idempotencyKey);
    return use && use.expires > now() ? use : undefined;
  }

  remember(idempotencyKey: string, use: FirstUse): void {
    // A map would keep the position of a key that it already has.
    this.#uses.delete(idempotencyKey);
    this.#uses.set(idempotencyKey, use);
    if (this.#uses.size > MAX_REMEMBERED) this.#uses.delete(this.#uses.keys().next().value as string);
  }
}

/**
 * Remembers the first use of an `Idempotency-Key`, unless an earlier one is remembered.
 *
 * @param partition - Where first uses are remembered: a partition of their own.
 * @param idempotencyKey - The key, without quotes.
 * @param use - The use that is the first one if no other is remembered.
 * @returns The first use: this one, or the earlier one.
 */
export async function rememberUse(
  partition: Partition,
  idempotencyKey: string,
  use: FirstUse,
): Promise<Omit<FirstUse, 'expires'>> {
  const { itemKey, digest, expires } = use;
  const attributes = { itemKey: { S: itemKey }, digest: { S: digest }, expires: { N: String(expires) } };
  for (;;) {
    const { kind } = await partition.put(idempotencyKey, attributes, isUnused());
    if (kind === 'succeeded') return use;
    const row = await partition.get(idempotencyKey);
    // Its item key tells whether an attempt of this request has put the row.
    if (row) return { itemKey: row.itemKey.S, digest: row.digest.S };
    // The row is gone, because clocks differ and DynamoDB has deleted it.
  }
}

/** The condition that no use is remembered that has not expired. DynamoDB deletes expired rows late. */
function isUnused(): Condition {
  return {
    ConditionExpression: 'attribute_not_exists(#expires) OR #expires <= :now',
    ExpressionAttributeNames: { '#expires': 'expires' },
    ExpressionAttributeValues: { ':now': { N: String(now()) } },
  };
}

/** In whole seconds since 1970. */
function now(): number {
  return Math.floor(Date.now() / 1_000);
}
