import type { Condition, Partition } from './partition.js';

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

/** @returns The first use of the key in a table: this one, or an earlier one that is remembered. */
export async function rememberUse(
  partition: Partition,
  idempotencyKey: string,
  use: FirstUse,
): Promise<Omit<FirstUse, 'expires'>> {
  const { itemKey, digest, expires } = use;
  const attributes = { itemKey: { S: itemKey }, digest: { S: digest }, expires: { N: String(expires) } };
  for (;;) {
    const { isDone } = await partition.put(idempotencyKey, attributes, isUnused());
    if (isDone) return use;
    const row = await partition.get(idempotencyKey);
    // `itemKey` tells the caller whether an attempt of this request has put the row.
    if (row) return { itemKey: row.itemKey.S, digest: row.digest.S };
    // DynamoDB has deleted the row since, because clocks differ.
  }
}

/** Compares the time, because DynamoDB deletes expired rows late. */
function isUnused(): Condition {
  return {
    ConditionExpression: 'attribute_not_exists(#expires) OR #expires <= :now',
    ExpressionAttributeNames: { '#expires': 'expires' },
    ExpressionAttributeValues: { ':now': { N: String(now()) } },
  };
}
