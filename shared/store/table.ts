import { hash, randomUUID } from 'node:crypto';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { NIL } from 'uuid';
import { UUID_REGEX } from 'valibot';
import { createClient, type RequestClient } from '../dynamodb/client.js';
import { Unavailable } from '../dynamodb/unavailable.js';
import { describeError } from '../log.js';
import type { ObjectSchema, Resource, WritableOf } from '../schema/schema.js';
import { INITIAL_KEY, newKey } from './key.js';
import { digestOf, newRememberedKey, rememberIn } from './remembered-key.js';
import {
  attributesOf,
  type Condition,
  createRowReader,
  openPartition,
  type Partition,
  partitionsOf,
  type ReadRow,
  type Row,
  type Tombstone,
  tombstoneOf,
} from './row.js';
import type { Collection, ListPage, ListQuery, Precondition, RequestContext, Store } from './store.js';
import { type Change, jsonOf, newItem, type StoredItem, UnreadableItem } from './stored-item.js';

export interface TableOptions {
  /** Its partition key is the string `partition`, its sort key the string `key`. */
  readonly table: string;
  /** The most bytes that a list may take, inside a string of the result's JSON. */
  readonly capacity: number;
  /** How to reach the table. What is left out comes from the environment, as in all programs that use AWS's SDK. */
  readonly access?: DynamoDBClientConfig;
}

export function openTable<Schema extends ObjectSchema>(
  resource: Resource<Schema>,
  options: TableOptions,
): Store<Schema> {
  const clientOf = createClient(options.access ?? {});
  const { name, initial } = resource;
  const first = initial && newItem<Schema>(INITIAL_KEY, initial);
  const table = { ...options, resource: name, read: createRowReader(resource), initial: first };
  return (context) => new TableCollection(table, clientOf(context.requestId, context.since), context);
}

interface Table<Schema extends ObjectSchema> extends TableOptions {
  readonly resource: string;
  readonly read: ReadRow<Schema>;
  /** The first item while a collection has no row for it; undefined for a resource without one. */
  readonly initial: StoredItem<Schema> | undefined;
}

/**
 * The items of one caller, for one request. Attempts and replies may be late or lost, and a retry may overtake the
 * attempt before it. Each write is still applied once or not at all, unless something in between sends it twice:
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
 * The initial item has no row until it is changed, on condition that there still is none. Without a row it is at version 1,
 * so its tombstone stays for ever. Reads write nothing. `shared/dynamodb/failure.ts` tells refusals from unknown outcomes.
 */
class TableCollection<Schema extends ObjectSchema> implements Collection<Schema> {
  readonly #table: Table<Schema>;
  readonly #client: RequestClient;
  readonly #requestId: string;
  readonly #items: Partition;
  readonly #rememberedKeys: Partition;

  constructor(table: Table<Schema>, client: RequestClient, { requestId, owner }: RequestContext) {
    this.#table = table;
    this.#client = client;
    this.#requestId = requestId;
    const { items, rememberedKeys } = partitionsOf(table.resource, owner);
    this.#items = openPartition(client, table.table, items);
    this.#rememberedKeys = openPartition(client, table.table, rememberedKeys);
  }

  async list(query: ListQuery<Schema>): Promise<ListPage> {
    const { listed, next, unreadable, items } = await this.#listed(query);
    const [error] = unreadable;
    if (error && unreadable.length === items) throw error;
    if (error)
      console.error({
        event: 'items left out of a list, because they cannot be read',
        requestId: this.#requestId,
        count: unreadable.length,
        key: error.key,
        error: describeError(error),
      });
    return pageOf(listed, next);
  }

  async find(key: string): Promise<StoredItem<Schema> | undefined> {
    return (await this.#find(key)).now;
  }

  async create(members: WritableOf<Schema>, idempotencyKey?: string) {
    const stored = newItem<Schema>(newKey(), members);
    if (isTooLarge(stored)) return 'item-too-large';
    if (idempotencyKey === undefined) return this.#add(stored);
    const remembered = newRememberedKey(stored.key, digestOf(members));
    const known = await rememberIn(this.#rememberedKeys, idempotencyKey, remembered);
    if (known.digest !== remembered.digest) return 'idempotency-key-reused';
    return this.#add(newItem<Schema>(known.itemKey, members));
  }

  async update<Failure extends string>(key: string, change: Change<Schema>, precondition?: Precondition<Failure>) {
    for (let { now, row } = await this.#find(key); now; ) {
      const failure = precondition?.(now.version);
      if (failure) return failure;
      const after = now.next(change);
      if (isTooLarge(after)) return 'item-too-large';
      const put = await this.#put(after, row);
      if (put === 'done') return after;
      ({ now, row } = put);
    }
    return undefined;
  }

  async remove<Failure extends string>(key: string, precondition?: Precondition<Failure>) {
    for (let { now, row } = await this.#find(key); now; ) {
      const failure = precondition?.(now.version);
      if (failure) return failure;
      const put = await this.#put(tombstoneOf(now), row);
      if (put === 'done') return now;
      ({ now, row } = put);
    }
    return undefined;
  }

  async #listed({ limit, after = NIL, matches }: ListQuery<Schema>) {
    const { read, initial, capacity } = this.#table;
    const listed: StoredItem<Schema>[] = [];
    const unreadable: UnreadableItem[] = [];
    let items = 0;
    const page = (next?: string) => ({ listed, next, unreadable, items });
    let bytes = 1;
    let last = after.toLowerCase();
    // One row more than the limit shows whether the list goes on. If too few items are left, the next query reads twice
    // as many.
    let count = (limit ?? Number.POSITIVE_INFINITY) + 1;
    for (let queries = 1; ; queries += 1) {
      const { rows, next } = await this.#items.itemsAfter(last, count);
      const found = rows.flatMap((row) => read(row) ?? []);
      items += found.length;
      if (initial && last < INITIAL_KEY && rows[0]?.key.S !== INITIAL_KEY) found.unshift(initial);
      for (const stored of found) {
        if (!isReadable(stored, unreadable) || matches?.(stored.item) === false) continue;
        bytes += stored.bytes;
        if (listed.length === limit || bytes > capacity) return page(listed.at(-1)?.key);
        listed.push(stored);
      }
      if (next === undefined) return page();
      last = next;
      if (queries === MAX_QUERIES || this.#client.isHalfTimeOver()) return page(last);
      count *= 2;
    }
  }

  async #add(stored: StoredItem<Schema>): Promise<StoredItem<Schema>> {
    // If there is a row or a tombstone already, an attempt of this creation was applied (step 5).
    await this.#items.put(stored.key, attributesOf(stored, randomUUID()), NO_ROW);
    return stored;
  }

  /**
   * The put of step 1, and steps 2 and 3.
   *
   * @param row - What it replaces, as it was read.
   * @returns `done` if this write was applied; otherwise what another write has made.
   * @throws Unavailable if it is unknown whether this write was applied.
   */
  async #put(next: StoredItem<Schema> | Tombstone, row: Row | undefined) {
    const { key, version } = next;
    const writeId = randomUUID();
    const { isDone, mayBeApplied } = await this.#items.put(key, attributesOf(next, writeId), hasVersionOf(row));
    if (isDone) return 'done';
    // Before reading, because between reading and putting a pause would only give other writers time.
    if (!mayBeApplied) await this.#client.backOff();
    const found = await this.#items.get(key);
    if (found?.writeId?.S === writeId) return 'done';
    // Another write has made this very version, so ours never will.
    const isOvertaken = found?.version?.N === String(version);
    if (mayBeApplied && !isOvertaken) {
      throw new Unavailable('an attempt whose outcome is unknown may have changed the item', { applied: undefined });
    }
    return this.#foundIn(key, found);
  }

  async #find(key: string) {
    if (!UUID_REGEX.test(key)) return { now: undefined, row: undefined };
    const lowered = key.toLowerCase();
    return this.#foundIn(lowered, await this.#items.get(lowered));
  }

  /** The item is undefined if it is not there any more. The initial item may have no row. */
  #foundIn(key: string, row: Row | undefined) {
    if (row) return { now: this.#table.read(row), row };
    return { now: key === INITIAL_KEY ? this.#table.initial : undefined, row };
  }
}

const ExpressionAttributeNames = { '#version': 'version' };

const NO_ROW: Condition = { ConditionExpression: 'attribute_not_exists(#version)', ExpressionAttributeNames };

/** Whoever edited a row by hand may have left it without a version. */
function hasVersionOf(row: Row | undefined): Condition {
  if (!row?.version) return NO_ROW;
  const ExpressionAttributeValues = { ':version': row.version };
  return { ConditionExpression: '#version = :version', ExpressionAttributeNames, ExpressionAttributeValues };
}

function isReadable(stored: StoredItem<ObjectSchema>, unreadable: UnreadableItem[]): boolean {
  try {
    return stored.item !== undefined;
  } catch (error) {
    if (!(error instanceof UnreadableItem)) throw error;
    unreadable.push(error);
    return false;
  }
}

/**
 * Whether DynamoDB could never take the item. Its JSON may have 400,000 bytes, because a row may have 409,600, of which
 * keys and other attributes need less than 2,500. Checked before anything is written, because DynamoDB would refuse the
 * item when its `Idempotency-Key` is used already.
 */
function isTooLarge({ json }: StoredItem<ObjectSchema>): boolean {
  return Buffer.byteLength(json) > 400_000;
}

/** The tag is a digest of all that is sent, because the initial items of two people have the same versions. */
function pageOf(listed: readonly StoredItem<ObjectSchema>[], next?: string): ListPage {
  const json = jsonOf(listed);
  return { json, next, tag: (form) => hash('sha256', `${form}\n${next}\n${json}`, 'hex') };
}

/**
 * After so many queries a page ends, even without items, so that tombstones and items that don't match never make a list
 * unreachable. A page on which every row is listed needs ten at most.
 */
const MAX_QUERIES = 12;
