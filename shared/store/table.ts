import { hash, randomUUID } from 'node:crypto';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { NIL } from 'uuid';
import { UUID_REGEX } from 'valibot';
import { createClient, type RequestClient } from '../dynamodb/client.js';
import { describeError } from '../log.js';
import { Problem } from '../problem.js';
import type { ObjectSchema, Resource } from '../schema/schema.js';
import { type Creation, newCreation } from './creation.js';
import { INITIAL_KEY, newKey } from './key.js';
import { openPartition, partitionsOf, type Row } from './partition.js';
import { attributesOf, createRowReader, creationAttributesOf, type Tombstone, tombstoneOf } from './row.js';
import { bytesInList, type Items, jsonOf, type ListPage, newItem, type Store, type StoredItem } from './store.js';

export interface TableOptions {
  /** Its partition key is the string `partition`, its sort key the string `key`. */
  readonly table: string;
  /** The most bytes that a list may take, inside a string of the result's JSON. */
  readonly capacity: number;
  /** How to reach the table. What is left out comes from the environment, as in all programs that use AWS's SDK. */
  readonly access?: DynamoDBClientConfig;
}

export function openTable({ table, capacity, access = {} }: TableOptions): Store {
  const clientOf = createClient(access);
  return (resource, request, owner) =>
    openItems(resource, { table, capacity, client: clientOf(request), requestId: request.id, owner });
}

interface Context {
  readonly table: string;
  readonly capacity: number;
  readonly client: RequestClient;
  readonly requestId: string;
  readonly owner: string | undefined;
}

/**
 * The items of one caller, for one request. Attempts and replies may be late or lost, and a retry may overtake the
 * attempt before it. Each write is still applied once or not at all, unless something in between sends it twice:
 *
 * 1. A write reads the row (strongly consistent), and the change is made, or refused, in code. It puts the next version,
 *    with a write id (a UUID), on condition that the row still has the version that was read. So a late attempt changes
 *    nothing.
 * 2. If the condition fails, another write came first, or an attempt of ours whose reply was lost. The row tells which:
 *    - Our write id: our write was applied.
 *    - The next version under another id: ours was not applied and never will be, so the write starts again from there:
 *      the change may be refused now (412), or there is no item any more (404).
 *    - Anything else: the write starts again, unless an attempt of ours had an unknown outcome. Then it throws
 *      `maybe-applied`.
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
 * so its tombstone stays for ever. Reads write nothing. `shared/dynamodb/refusals.ts` tells refusals from unknown outcomes.
 */
function openItems<Schema extends ObjectSchema>(
  resource: Resource<Schema>,
  { table, capacity, client, requestId, owner }: Context,
): Items<Schema> {
  const itemIn = createRowReader(resource);
  /** The first item while the list has no row for it. */
  const initial = resource.initial && newItem<Schema>(INITIAL_KEY, resource.initial);
  const partitions = partitionsOf(resource.name, owner);
  const items = openPartition(client, table, partitions.items);
  const creations = openPartition(client, table, partitions.creations);

  return {
    async list({ limit, after = NIL, matches }) {
      const listed: StoredItem<Schema>[] = [];
      let bytes = 1;
      let last = after.toLowerCase();
      // One row more than the limit shows whether the list goes on. If too few items are left, the next query reads
      // twice as many.
      let count = (limit ?? Number.POSITIVE_INFINITY) + 1;
      for (let queries = 1; ; queries += 1) {
        const { rows, next } = await items.itemsAfter(last, count);
        const found = readAll(rows);
        if (initial && last < INITIAL_KEY && rows[0]?.key.S !== INITIAL_KEY) found.unshift(initial);
        for (const stored of found) {
          if (matches?.(stored.item) === false) continue;
          bytes += bytesInList(stored);
          if (listed.length === limit || bytes > capacity) return pageOf(listed, listed.at(-1)?.key);
          listed.push(stored);
        }
        if (next === undefined) return pageOf(listed);
        last = next;
        if (queries === MAX_QUERIES || client.isHalfTimeOver()) return pageOf(listed, last);
        count *= 2;
      }
    },

    async find(key) {
      return (await lookUp(key)).before;
    },

    async create(members, idempotencyKey) {
      const stored = newItem<Schema>(newKey(), members);
      checkSize(stored);
      if (idempotencyKey === undefined) return add(stored);
      const creation = newCreation(stored.key, members);
      const first = await remember(idempotencyKey, creation);
      if (first.digest !== creation.digest) throw new Problem('idempotency-key-reused');
      return add(newItem(first.itemKey, members));
    },

    async update(key, change) {
      for (let found = await lookUp(key); ; ) {
        const { before, row } = found;
        const after = newItem<Schema>(before.key, change(before), before.version + 1);
        checkSize(after);
        const other = await put(after, row);
        if (!other) return after;
        found = other;
      }
    },

    async remove(key, check) {
      for (let found = await lookUp(key); ; ) {
        const { before, row } = found;
        check?.(before);
        const other = await put(tombstoneOf(before), row);
        if (!other) return before;
        found = other;
      }
    },
  };

  /**
   * Leaves out rows that can't be read, and logs that.
   *
   * @throws Error if none can be read, because then the list would look empty.
   */
  function readAll(rows: readonly Row[]): StoredItem<Schema>[] {
    const errors: unknown[] = [];
    const found = rows.flatMap((row) => {
      try {
        return itemIn(row) ?? [];
      } catch (error) {
        errors.push(error);
        return [];
      }
    });
    const [error] = errors;
    if (error && found.length === 0) throw error;
    if (error)
      console.error({
        event: 'rows that cannot be read are left out of a list',
        requestId,
        count: errors.length,
        error: describeError(error),
      });
    return found;
  }

  async function add(stored: StoredItem<Schema>): Promise<StoredItem<Schema>> {
    // If there is a row or a tombstone already, an attempt of this creation was applied (step 5).
    await items.write(stored.key, attributesOf(stored, randomUUID()));
    return stored;
  }

  /** The put of step 6. Gives what is remembered of the key: this creation, or that of an earlier request. */
  async function remember(idempotencyKey: string, creation: Creation): Promise<Omit<Creation, 'expires'>> {
    for (;;) {
      const { isDone } = await creations.writeOverExpired(idempotencyKey, creationAttributesOf(creation));
      if (isDone) return creation;
      const row = await creations.read(idempotencyKey);
      // `itemKey` tells the caller whether an attempt of this request has put the row.
      if (row) return { itemKey: row.itemKey.S, digest: row.digest.S };
      // DynamoDB has deleted the row since, because clocks differ.
    }
  }

  /**
   * The put of step 1, and steps 2 and 3.
   *
   * @param row - What it replaces, as it was read.
   * @returns What another write has made instead; undefined if this one was applied.
   * @throws Problem if it is unknown whether this write was applied, or if another has removed the item.
   */
  async function put(next: StoredItem<Schema> | Tombstone, row: Row | undefined) {
    const { key, version } = next;
    const writeId = randomUUID();
    const { isDone, mayBeApplied } = await items.write(key, attributesOf(next, writeId), row);
    if (isDone) return undefined;
    // Before reading, because between reading and putting a pause would only give other writers time.
    if (!mayBeApplied) await client.backOff();
    const found = await items.read(key);
    if (found?.writeId?.S === writeId) return undefined;
    // Another write has made this very version, so ours never will.
    const isOvertaken = found?.version?.N === String(version);
    if (mayBeApplied && !isOvertaken) {
      const cause = new Error('an attempt whose outcome is unknown may have changed the item');
      throw new Problem('maybe-applied', { cause });
    }
    return foundIn(key, found);
  }

  async function lookUp(key: string) {
    if (!UUID_REGEX.test(key)) throw new Problem('not-found');
    const lowered = key.toLowerCase();
    return foundIn(lowered, await items.read(lowered));
  }

  /** @throws Problem if there is no item, or none any more. The initial item may have no row. */
  function foundIn(key: string, row: Row | undefined) {
    const before = row ? itemIn(row) : key === INITIAL_KEY ? initial : undefined;
    if (!before) throw new Problem('not-found');
    return { before, row };
  }
}

/**
 * An item's JSON may have 400,000 bytes, because a row may have 409,600, of which keys and other attributes need less
 * than 2,500. Checked before anything is written, because DynamoDB would refuse the item when its `Idempotency-Key` is
 * used already.
 */
function checkSize({ json }: StoredItem): void {
  if (Buffer.byteLength(json) > 400_000) throw new Problem('item-too-large');
}

/** The version is a digest, because the initial items of two people have the same versions. */
function pageOf(listed: readonly StoredItem[], next?: string): ListPage {
  const json = jsonOf(listed);
  return { json, next, version: hash('sha256', `${next}\n${json}`, 'hex') };
}

/**
 * After so many queries a page ends, even without items, so that tombstones and items that don't match never make a list
 * unreachable. A page on which every row is listed needs ten at most.
 */
const MAX_QUERIES = 12;
