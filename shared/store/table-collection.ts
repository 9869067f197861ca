import { hash, randomUUID } from 'node:crypto';
import { NIL } from 'uuid';
import { UUID_REGEX } from 'valibot';
import type { RequestClient } from '../dynamodb/client.js';
import { Unavailable } from '../dynamodb/unavailable.js';
import type { ObjectSchema, WritableOf } from '../schema/schema.js';
import { digestOf, firstUse, rememberUse } from './first-use.js';
import { FIRST_KEY, newKey } from './key.js';
import { type Condition, Partition, type partitionsOf, type Row } from './partition.js';
import { attributesOf, type RowReader, type Tombstone, tombstoneOf } from './row.js';
import type { Collection, Created, ListPage, ListQuery, Precondition, Removed, Updated } from './store.js';
import { type Change, firstVersion, jsonOf, type Version } from './version.js';

export interface Table<Schema extends ObjectSchema> {
  readonly name: string;
  readonly capacity: number;
  readonly rows: RowReader<Schema>;
  /** The first item while a collection has no row for it; undefined for a resource without one. */
  readonly first: Version<Schema> | undefined;
}

/**
 * The items of one caller, for one request. Attempts and replies may be late or lost, and a retry may overtake the
 * attempt before it. Each write is still applied once or not at all, unless something in between sends it twice (rule 22):
 *
 * 1. A write reads the row (strongly consistent) and checks the precondition in code. It puts the next version, with a
 *    write id (a UUID), on condition that the row still has the version that was read. So a late attempt changes
 *    nothing.
 * 2. If the condition fails, another write came first, or an attempt of ours whose reply was lost. The row tells which:
 *    - Our write id: our write was applied.
 *    - The next version under another id: ours was not applied and never will be, so the write starts again from there: with the
 *      precondition (412), or without an item (404).
 *    - Anything else: the write starts again, unless an attempt of ours had an unknown outcome. Then it throws Unavailable, and
 *      the caller gets `maybe-applied`.
 * 3. Before it reads again, a write waits for a random time up to 200 ms, so that many writers of one item make
 *    progress. After an unknown outcome it does not wait, because the row may be ours.
 * 4. DELETE puts a tombstone, so that a late attempt to create the item fails, too. DynamoDB deletes it after two
 *    hours.
 * 5. POST puts a row on condition that there is none. Only this request knows its key, so an existing row is its own.
 * 6. POST with an `Idempotency-Key` first puts a row with the new item's key and a digest of the members into another
 *    partition. A retry finds that row and puts the item again under the same key, in case the first request ended
 *    between both steps. Tombstones outlive these rows, or a retry would bring a deleted item back.
 *
 * The first item has no row until it is changed, on condition that there still is none. Without a row it is at version 1,
 * so its tombstone stays for ever. Reads write nothing. `shared/dynamodb/failure.ts` tells refusals from unknown outcomes.
 */
export class TableCollection<Schema extends ObjectSchema> implements Collection<Schema> {
  readonly #table: Table<Schema>;
  readonly #client: RequestClient;
  readonly #items: Partition;
  /** A name only, because few requests need the partition. */
  readonly #firstUses: string;

  constructor(table: Table<Schema>, client: RequestClient, { items, firstUses }: ReturnType<typeof partitionsOf>) {
    this.#table = table;
    this.#client = client;
    this.#items = new Partition(client, table.name, items);
    this.#firstUses = firstUses;
  }

  async list({ limit, after = NIL, matches }: ListQuery<Schema>): Promise<ListPage> {
    const { rows: reader, first, capacity } = this.#table;
    const listed: Version<Schema>[] = [];
    let bytes = 1;
    let last = after.toLowerCase();
    // One row more than the limit shows whether the list goes on. If too few items are left, the next query reads twice
    // as many.
    let count = (limit ?? Number.POSITIVE_INFINITY) + 1;
    for (let queries = 1; ; queries += 1) {
      const { rows, next } = await this.#items.itemsAfter(last, count);
      const found = rows.map((row) => reader.read(row));
      if (last < FIRST_KEY && rows[0]?.key.S !== FIRST_KEY) found.unshift(first);
      for (const version of found) {
        if (!version || matches?.(version.item) === false) continue;
        bytes += version.bytes;
        if (listed.length === limit || bytes > capacity) return pageOf(listed, listed.at(-1)?.key);
        listed.push(version);
      }
      if (next === undefined) return pageOf(listed);
      last = next;
      if (queries === MAX_QUERIES || this.#client.isHalfTimeOver()) return pageOf(listed, last);
      count *= 2;
    }
  }

  async find(key: string): Promise<Version<Schema> | undefined> {
    if (!UUID_REGEX.test(key)) return undefined;
    const lowered = key.toLowerCase();
    return this.#versionIn(lowered, await this.#items.get(lowered));
  }

  async create(members: WritableOf<Schema>, idempotencyKey?: string): Promise<Created<Schema>> {
    const version = firstVersion<Schema>(newKey(), members);
    if (isTooLarge(version)) return 'item-too-large';
    if (idempotencyKey === undefined) return this.#add(version);
    const use = firstUse(version.key, await digestOf(members));
    const firstUses = new Partition(this.#client, this.#table.name, this.#firstUses);
    const known = await rememberUse(firstUses, idempotencyKey, use);
    if (known.digest !== use.digest) return 'idempotency-key-reused';
    return this.#add(firstVersion<Schema>(known.itemKey, members));
  }

  async update(key: string, change: Change<Schema>, precondition: Precondition | undefined): Promise<Updated<Schema>> {
    for (let before = await this.find(key); before; ) {
      const failure = precondition?.(before.number);
      if (failure) return failure;
      const after = before.next(change);
      if (isTooLarge(after)) return 'item-too-large';
      const put = await this.#put(after, before);
      if (put === 'done') return after;
      before = put.now;
    }
    return undefined;
  }

  async remove(key: string, precondition: Precondition | undefined): Promise<Removed<Schema>> {
    for (let before = await this.find(key); before; ) {
      const failure = precondition?.(before.number);
      if (failure) return failure;
      const put = await this.#put(tombstoneOf(before), before);
      if (put === 'done') return before;
      before = put.now;
    }
    return undefined;
  }

  async #add(version: Version<Schema>): Promise<Version<Schema>> {
    // If there is a row or a tombstone already, an attempt of this creation was applied (step 5).
    await this.#items.put(version.key, attributesOf(version, randomUUID()), NO_ROW);
    return version;
  }

  /**
   * The put of step 1, and steps 2 and 3.
   *
   * @returns `done` if this write was applied; otherwise the version that another write has made, undefined if it
   * removed the item.
   * @throws Unavailable if it is unknown whether this write was applied.
   */
  async #put(next: Version<Schema> | Tombstone, before: Version<Schema>): Promise<'done' | Superseded<Schema>> {
    const { key, number } = next;
    const writeId = randomUUID();
    // The very object that #versionIn returns without a row.
    const condition = before === this.#table.first ? NO_ROW : hasVersion(before.number);
    const { isDone, mayBeApplied } = await this.#items.put(key, attributesOf(next, writeId), condition);
    if (isDone) return 'done';
    // Before reading, because between reading and putting a pause would only give other writers time.
    if (!mayBeApplied) await this.#client.backOff();
    const row = await this.#items.get(key);
    if (row?.writeId?.S === writeId) return 'done';
    // Another write has made this very version, so ours never will.
    const isOvertaken = row?.version?.N === String(number);
    if (mayBeApplied && !isOvertaken) {
      throw new Unavailable('an attempt whose outcome is unknown may have changed the item', { applied: undefined });
    }
    return { now: this.#versionIn(key, row) };
  }

  #versionIn(key: string, row: Row | undefined): Version<Schema> | undefined {
    if (row) return this.#table.rows.read(row);
    return key === FIRST_KEY ? this.#table.first : undefined;
  }
}

/** Another write came first. `now` is undefined if it removed the item. */
interface Superseded<Schema extends ObjectSchema> {
  readonly now: Version<Schema> | undefined;
}

const ExpressionAttributeNames = { '#version': 'version' };

const NO_ROW: Condition = { ConditionExpression: 'attribute_not_exists(#version)', ExpressionAttributeNames };

function hasVersion(number: number): Condition {
  const ExpressionAttributeValues = { ':version': { N: String(number) } };
  return { ConditionExpression: '#version = :version', ExpressionAttributeNames, ExpressionAttributeValues };
}

/**
 * Whether DynamoDB could never take the item. Its JSON may have 400,000 bytes, because a row may have 409,600, of which
 * keys and other attributes need less than 2,500. Checked before anything is written, because DynamoDB would refuse the
 * item when its `Idempotency-Key` is used already.
 */
function isTooLarge({ json }: Version<ObjectSchema>): boolean {
  return Buffer.byteLength(json) > 400_000;
}

/** The tag is a digest of all that is sent, because the first items of two people have the same versions. */
function pageOf(versions: readonly Version<ObjectSchema>[], next?: string): ListPage {
  const json = jsonOf(versions);
  return { json, next, tag: (form) => hash('sha256', `${form}\n${json}`, 'hex') };
}

/**
 * After so many queries a page ends, even without items, so that tombstones and items that don't match never make a list
 * unreachable (rule 15). A page on which every row is listed needs ten at most.
 */
const MAX_QUERIES = 12;
