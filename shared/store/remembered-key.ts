import type { Condition, Partition } from './row.js';

/** What is remembered of an `Idempotency-Key`: the item that its first request created. */
export interface RememberedKey {
  readonly itemKey: string;
  /** SHA-256 of the members, in base64. */
  readonly digest: string;
  /** In seconds since 1970. */
  readonly expires: number;
}

/** In seconds. */
const LIFETIME = 3_600;

/** Loads node:crypto only now, because it takes 5 ms of a cold start, and few requests need it. */
export function digestOf(members: object): string {
  const { hash } = process.getBuiltinModule('node:crypto');
  return hash('sha256', JSON.stringify(members), 'base64');
}

export function newRememberedKey(itemKey: string, digest: string): RememberedKey {
  // Rounded up, and `now` down, so that no key expires early.
  return { itemKey, digest, expires: Math.ceil(Date.now() / 1_000) + LIFETIME };
}

/** Whole seconds since 1970, to compare with `expires`. */
export function now(): number {
  return Math.floor(Date.now() / 1_000);
}

/** @returns What a table remembers of a key: what is new, or of an earlier request. */
export async function rememberIn(
  partition: Partition,
  idempotencyKey: string,
  remembered: RememberedKey,
): Promise<Omit<RememberedKey, 'expires'>> {
  const { itemKey, digest, expires } = remembered;
  const attributes = { itemKey: { S: itemKey }, digest: { S: digest }, expires: { N: String(expires) } };
  for (;;) {
    const { isDone } = await partition.put(idempotencyKey, attributes, isUnused());
    if (isDone) return remembered;
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
