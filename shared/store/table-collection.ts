import { hash, randomUUID } from 'node:crypto';
import { NIL } from 'uuid';
import type { RequestClient } from '../dynamodb/retry.js';
import { Unavailable } from '../dynamodb/unavailable.js';
import { isGuid } from '../schema/check.js';
import type { ObjectSchema, PatchOf, WritableOf } from '../schema/schema.js';
import { digestOf, firstUse } from './first-use.js';
import { rememberUse } from './first-use-row.js';
import { FIRST_KEY, newKey } from './key.js';
import { type Condition, Partition, type partitionsOf, type Row } from './partition.js';
import { attributesOf, type RowReader, type Tombstone, tombstoneOf } from './row.js';
import type { Collection, Created, ListPage, ListQuery, Precondition, Removed, Updated } from './store.js';
import { firstVersion, jsonOf, type Version } from './version.js';

/** What the collections of all callers have in common. */
export interface Table<Schema extends ObjectSchema> {
  readonly name: string;
  readonly capacity: number;
  readonly rows: RowReader<Schema>;
  /** The first item as long as a collection has no row for it; undefined for a resource without a first item. */
  readonly first: Version<Schema> | undefined;
}

/**
 * The items of one caller, for one request. A write reads the row, checks the precondition, and puts the next version on
 * condition that the row still has the version that was read, so that a late attempt changes nothing. A removed item leaves
 * a tombstone, so that a late attempt to create it changes nothing, either.
 *
 * The first item needs no row: if there is none under its key, the item is at version 1. Reads write nothing.
 */
export class TableCollection<Schema extends ObjectSchema> implements Collection<Schema> {
  readonly #table: Table<Schema>;
  readonly #client: RequestClient;
  readonly #items: Partition;
  /** The name of the partition of first uses, which few requests need. */
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
    // One row more than the limit shows whether the list goes on. Whenever too few items are left of them, twice as many are read.
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
    if (!isGuid(key)) return undefined;
    const lowered = key.toLowerCase();
    return this.#versionIn(lowered, await this.#items.get(lowered));
  }

  async create(members: WritableOf<Schema>, idempotencyKey?: string): Promise<Created<Schema>> {
    const version = firstVersion<Schema>(newKey(), members);
    if (isTooLarge(version)) return 'item-too-large';
    if (idempotencyKey === undefined) return this.#add(version);
    const use = firstUse(version.key, await digestOf(members));
    const firstUses = new Partition(this.#client, this.#table.name, this.#firstUses);
    const first = await rememberUse(firstUses, idempotencyKey, use);
    if (first.digest !== use.digest) return 'idempotency-key-reused';
    return this.#add(firstVersion<Schema>(first.itemKey, members));
  }

  async update(key: string, change: PatchOf<Schema>, precondition: Precondition | undefined): Promise<Updated<Schema>> {
    for (let before = await this.find(key); before; ) {
      const failure = precondition?.(before.number);
      if (failure) return failure;
      const after = this.#next(before, change);
      if (isTooLarge(after, before)) return 'item-too-large';
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

  /** A change of all members replaces an item even if it can't be read. */
  #next(before: Version<Schema>, change: PatchOf<Schema>): Version<Schema> {
    const isReplaced = !before.isReadable && this.#table.rows.isWhole(change);
    return isReplaced ? before.replacedBy(change) : before.next(change);
  }

  /** Puts the first version of an item, unless an earlier attempt has. */
  async #add(version: Version<Schema>): Promise<Version<Schema>> {
    // Only attempts at this creation know the key: if there is a row or a tombstone already, one of them was applied.
    await this.#items.put(version.key, attributesOf(version, randomUUID()), NO_ROW);
    return version;
  }

  /**
   * Puts the next version of an item, or the tombstone of its last one, on condition that the version before it is still there.
   *
   * @returns Whether this write was done, by whichever attempt; otherwise the version that another write has made, undefined if
   * that removed the item.
   * @throws Unavailable if it is unknown whether this write was done.
   */
  async #put(next: Version<Schema> | Tombstone, before: Version<Schema>): Promise<'done' | Superseded<Schema>> {
    const { key, number } = next;
    const writeId = randomUUID();
    const condition = before === this.#table.first ? NO_ROW : hasVersion(before.number);
    const { kind, mayBeApplied } = await this.#items.put(key, attributesOf(next, writeId), condition);
    if (kind === 'succeeded') return 'done';
    // The pause comes before reading: between reading and putting, it would only give other writers time.
    if (!mayBeApplied) await this.#client.backOff();
    const row = await this.#items.get(key);
    if (row?.writeId?.S === writeId) return 'done';
    // If another write made the next version, this one was not applied and never will be. After later versions, that is unknown.
    if (mayBeApplied && row?.version?.N !== String(number)) {
      throw new Unavailable('an attempt whose outcome is unknown may have changed the item', { applied: undefined });
    }
    return { now: this.#versionIn(key, row) };
  }

  #versionIn(key: string, row: Row | undefined): Version<Schema> | undefined {
    if (row) return this.#table.rows.read(row);
    return key === FIRST_KEY ? this.#table.first : undefined;
  }
}

/** Another write came first: what it has made, undefined if it removed the item. */
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
 * Whether an item could never be put. Its JSON may have 400,000 bytes: DynamoDB takes rows of 409,600, of which the keys and other
 * attributes need less than 2,500. So a write is rejected before anything is written. An item that has grown by the default of a new
 * member may be changed up to 405,000 bytes, if the change does not make it longer.
 */
function isTooLarge({ json }: Version<ObjectSchema>, before?: Version<ObjectSchema>): boolean {
  const bytes = Buffer.byteLength(json);
  return bytes > 400_000 && (!before?.isReadable || bytes > 405_000 || bytes > Buffer.byteLength(before.json));
}

/** The tag is a digest of all that is sent: versions alone are the same in the first items of two people. */
function pageOf(versions: readonly Version<ObjectSchema>[], next?: string): ListPage {
  const json = jsonOf(versions);
  return { json, next, tag: (form) => hash('sha256', `${form}\n${json}`, 'base64url') };
}

/**
 * After these, the page ends, however few items it has, so that no number of tombstones, or of items that don't match, makes a list
 * unreachable (rule 15). A page on which every row is listed needs ten at most.
 */
const MAX_QUERIES = 12;
