import { hash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { NIL } from 'uuid';
import { UUID_REGEX } from 'valibot';
import { connect, type RequestClient } from '../dynamodb/client.js';
import { describeError } from '../log.js';
import { Problem } from '../problem.js';
import type { ObjectSchema, Resource } from '../schema/schema.js';
import { type IdempotencyRecord, newRecord } from './idempotency-record.js';
import { openPartition, partitionsOf, type Row } from './partition.js';
import { attributesOf, INITIAL_KEY, itemIn, type Tombstone, tombstoneOf } from './row.js';
import {
  BYTES_OF_EMPTY_LIST,
  bytesInList,
  type Items,
  type ListPage,
  listOf,
  newItem,
  newItemKey,
  type Store,
  type StoredItem,
} from './store.js';

export interface TableOptions {
  /** Its partition key is the string `partition`, its sort key the string `key`. */
  readonly table: string;
  /** The most bytes of a page, inside a string of the result's JSON. */
  readonly pageCapacity: number;
  /** How to reach the table. What is left out comes from the environment, as in all programs that use AWS's SDK. */
  readonly access?: DynamoDBClientConfig;
}

export function openTable(options: TableOptions): Store {
  const clientOf = connect(options.access ?? {});
  return (resource, request, owner) => openItems(resource, options, owner, request.id, clientOf(request));
}

/**
 * The items of one owner, for one request. Attempts and replies may be late or lost, and a retry may overtake the
 * attempt before it. Each write is still applied once or not at all, unless something in between sends it twice:
 *
 * 1. A write reads the row (strongly consistent), and the change is made, or rejected, in code. It puts the next version,
 *    with a write id (a UUID), on condition that the row still has the version that was read. So only one attempt can
 *    change the row, and none after another write.
 * 2. If the condition fails, another write came first, or an attempt of ours whose reply was lost. The row tells which:
 *    - Our write id: our write was applied.
 *    - The next version under another id: ours was not applied and never will be, so the write starts again from there:
 *      the change may be rejected now (412), or there is no item any more (404).
 *    - Anything else: the write starts again, unless an attempt of ours had an unknown outcome. Then it throws
 *      `maybe-applied`.
 * 3. Before it reads again, a write waits for a random time up to 200 ms, so that many writers of one item make
 *    progress. After an unknown outcome it does not wait, because the row may be ours.
 * 4. DELETE puts a tombstone, so that a late attempt to create the item fails, too. DynamoDB may delete it after two
 *    hours.
 * 5. POST puts a row on condition that there is none. Only attempts of this creation know the new key, so one of them
 *    has put a row that is there already.
 * 6. POST with an `Idempotency-Key` first puts a record, with the new item's key and a digest of the members, into another
 *    partition. A retry finds that record and puts the item again under the same key, in case the first request ended
 *    between both steps. Tombstones outlive these records, or a retry would bring a deleted item back.
 *
 * Until its first write, the initial item has no row and is at version 1. That write is on condition that there still is no
 * row. So its tombstone stays for ever. Reads write nothing. `shared/dynamodb/refusals.ts` tells refusals from unknown outcomes.
 */
function openItems<Schema extends ObjectSchema>(
  resource: Resource<Schema>,
  { table, pageCapacity }: TableOptions,
  owner: string | undefined,
  requestId: string,
  client: RequestClient,
): Items<Schema> {
  /** Undefined if the resource has none. */
  const initial = resource.initial && newItem<Schema>(INITIAL_KEY, resource.initial);
  const partitions = partitionsOf(resource.name, owner);
  const itemRows = openPartition(client, table, partitions.items);
  const recordRows = openPartition(client, table, partitions.records);
  let backOffs = 0;

  return {
    async list({ limit = Number.POSITIVE_INFINITY, after = NIL, matches }) {
      const listed: StoredItem<Schema>[] = [];
      const errors: unknown[] = [];
      let isAnyReadable = false;
      let bytes = BYTES_OF_EMPTY_LIST;
      let cursor = after.toLowerCase();
      for (let queries = 1; ; queries += 1) {
        // One row more than the limit shows whether the list goes on. Each further query reads twice as many.
        const { rows, next } = await itemRows.rowsAfter(cursor, (limit + 1) * 2 ** (queries - 1));
        const found = itemsAfter(cursor, rows, errors);
        isAnyReadable ||= found.length > 0;
        for (const stored of found) {
          if (matches?.(stored.item) === false) continue;
          bytes += bytesInList(stored);
          if (listed.length === limit || bytes > pageCapacity) return endPage(listed.at(-1)?.key);
          listed.push(stored);
        }
        if (next === undefined || queries === MAX_QUERIES || client.isHalfTimeOver()) return endPage(next);
        cursor = next;
      }

      function endPage(next: string | undefined): ListPage {
        const [error] = errors;
        // Otherwise, the list would look empty.
        if (error && !isAnyReadable) throw error;
        const event = 'rows that cannot be read are left out of a list';
        if (error) console.error({ event, requestId, count: errors.length, error: describeError(error) });
        const json = listOf(listed);
        // A digest of the content, because the lists of two people may have the same keys and versions.
        return { json, next, version: hash('sha256', `${next}\n${json}`, 'hex') };
      }
    },

    async find(key) {
      return (await lookUp(key)).current;
    },

    async create(members, idempotencyKey) {
      const stored = newItem<Schema>(newItemKey(), members);
      checkSize(stored);
      if (idempotencyKey === undefined) return add(stored);
      const record = newRecord(stored.key, members);
      const first = await putRecord(idempotencyKey, record);
      if (first.digest !== record.digest) throw new Problem('idempotency-key-reused');
      return add(newItem(first.itemKey, members));
    },

    async update(key, change) {
      const { next } = await write(key, (current) => {
        const changed = newItem<Schema>(current.key, change(current), current.version + 1);
        checkSize(changed);
        return changed;
      });
      return next;
    },

    async remove(key, check) {
      const { current } = await write(key, (current) => {
        check?.(current);
        return tombstoneOf(current);
      });
      return current;
    },
  };

  /** @param errors - Gets an error for each row that can't be read. */
  function itemsAfter(cursor: string, rows: readonly Row[], errors: unknown[]): StoredItem<Schema>[] {
    const found: StoredItem<Schema>[] = [];
    // The initial item has no row yet: its row, or its tombstone, would be the first.
    if (initial && cursor < INITIAL_KEY && rows[0]?.key.S !== INITIAL_KEY) found.push(initial);
    for (const row of rows) {
      try {
        const stored = itemIn(row, resource);
        if (stored) found.push(stored);
      } catch (error) {
        errors.push(error);
      }
    }
    return found;
  }

  async function add(stored: StoredItem<Schema>): Promise<StoredItem<Schema>> {
    // If there is a row or a tombstone already, an attempt of this creation was applied (step 5).
    await itemRows.write(stored.key, attributesOf(stored, randomUUID()));
    client.noteItemWritten();
    return stored;
  }

  /** The put of step 6. Returns the record that is there then: this one, or that of an earlier request. */
  async function putRecord(idempotencyKey: string, record: IdempotencyRecord) {
    const { itemKey, digest, expires } = record;
    const attributes = { itemKey: { S: itemKey }, digest: { S: digest }, expires: { N: String(expires) } };
    for (;;) {
      const outcome = await recordRows.writeOverExpired(idempotencyKey, attributes);
      if (outcome === 'applied') return record;
      const row = await recordRows.read(idempotencyKey);
      if (row) return { itemKey: row.itemKey.S as string, digest: row.digest.S as string };
      // Meanwhile, DynamoDB has deleted the row, because it has expired.
    }
  }

  /**
   * A write by steps 1 to 3.
   *
   * @param makeNext - Makes what takes the place of the current version. It may throw, and may be called again.
   */
  async function write<Next extends StoredItem<Schema> | Tombstone>(
    key: string,
    makeNext: (current: StoredItem<Schema>) => Next,
  ) {
    let { current, row } = await lookUp(key);
    for (;;) {
      const next = makeNext(current);
      const winner = await put(next, row);
      if (!winner) {
        client.noteItemWritten();
        return { current, next };
      }
      ({ current, row } = winner);
    }
  }

  /**
   * The put of step 1, and steps 2 and 3.
   *
   * @param row - What it replaces, as it was read.
   * @returns Undefined if it was applied, otherwise what another write has put before it.
   * @throws Problem if it is unknown whether this write was applied, or if another has removed the item.
   */
  async function put(next: StoredItem<Schema> | Tombstone, row: Row | undefined) {
    const { key, version } = next;
    const writeId = randomUUID();
    const outcome = await itemRows.write(key, attributesOf(next, writeId), row);
    if (outcome === 'applied') return undefined;
    // Pauses before it reads: after that, a pause would only help other writers.
    if (outcome === 'refused') await backOff();
    const found = await itemRows.read(key);
    if (found?.writeId?.S === writeId) return undefined;
    // Another write has made this very version, so ours never will.
    const isOvertaken = found?.version?.N === String(version);
    if (outcome === 'unknown' && !isOvertaken) {
      const cause = new Error('an attempt whose outcome is unknown may have changed the item');
      throw new Problem('maybe-applied', { cause });
    }
    return currentIn(key, found);
  }

  /** Pauses for a random time, up to a limit that doubles, so that writers of one item don't collide again. */
  async function backOff(): Promise<void> {
    backOffs += 1;
    await pause(Math.random() * Math.min(5 * 2 ** backOffs, 200));
  }

  async function lookUp(key: string) {
    if (!UUID_REGEX.test(key)) throw new Problem('not-found');
    const lowered = key.toLowerCase();
    return currentIn(lowered, await itemRows.read(lowered));
  }

  /** @throws Problem if there is no item, or none any more. The initial item may have no row. */
  function currentIn(key: string, row: Row | undefined) {
    const current = row ? itemIn(row, resource) : key === INITIAL_KEY ? initial : undefined;
    if (!current) throw new Problem('not-found');
    return { current, row };
  }
}

/**
 * Limits an item's JSON to 400,000 bytes, because a row is limited to 409,600, of which keys and other attributes need less
 * than 2,500. Checked before anything is written, because DynamoDB would refuse the item when its `Idempotency-Key` is
 * used already.
 */
function checkSize({ json }: StoredItem): void {
  if (Buffer.byteLength(json) > 400_000) throw new Problem('item-too-large');
}

/**
 * After so many queries a page ends, even without items, so that tombstones and items that don't match never make a list
 * unreachable. A page of small items may end here before it is full.
 */
const MAX_QUERIES = 12;
