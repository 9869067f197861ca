import { NIL } from 'uuid';
import { type Client, createClient, type RequestClient, TIMEOUTS, type Timeouts } from '../dynamodb/retry.js';
import { type Access, connect, type Send } from '../dynamodb/send.js';
import { Unavailable } from '../dynamodb/unavailable.js';
import type { Log } from '../log/log.js';
import { isGuid } from '../schema/guid.js';
import type { Resource } from '../schema/resource.js';
import type { ItemOf, ObjectSchema, PatchOf, WritableOf } from '../schema/schema.js';
import { digestOf, firstUse } from './idempotency.js';
import { freeKey, rememberUse, type UseRows } from './idempotency-row.js';
import { ItemRows } from './item-rows.js';
import { FIRST_KEY, newKey } from './key.js';
import { type Partitions, partitionsOf } from './partition.js';
import { type Row, RowFormat, rowOf, tombstoneOf, versionIn } from './row.js';
import type {
  Caller,
  CapacityExceeded,
  Collection,
  Created,
  CreatedOnce,
  ListPage,
  ListQuery,
  Precondition,
  PreconditionFailure,
  Store,
} from './store.js';
import { bytesInString, firstVersion, type Version } from './version.js';

export interface TableOptions {
  readonly access: Access;
  /** The table's name. Its partition key is the string `resource`, its sort key the string `key`. */
  readonly table: string;
  /** The most bytes that a list may take, inside a string of the result's JSON. */
  readonly capacity: number;
  readonly log: Log;
  readonly timeouts?: Timeouts;
  /** How requests reach DynamoDB; over HTTP when left out. */
  readonly connect?: ((access: Access) => Send) | undefined;
}

/** Keeps the items of a resource in a DynamoDB table, for any number of instances. */
export class TableStore<Schema extends ObjectSchema> implements Store<Schema> {
  readonly #name: string;
  readonly #client: Client;
  readonly #table: Table<Schema>;

  constructor({ name, schema, first }: Resource<Schema>, options: TableOptions) {
    const send = (options.connect ?? connect)(options.access);
    this.#name = name;
    this.#client = createClient(send, options.log, options.timeouts ?? TIMEOUTS);
    this.#table = {
      name: options.table,
      capacity: options.capacity,
      format: new RowFormat(schema),
      first: first && rowOf(firstVersion<Schema>(FIRST_KEY, first)),
    };
  }

  for({ requestId, owner, since }: Caller): Collection<Schema> {
    return new TableCollection(this.#table, this.#client(requestId, since), partitionsOf(this.#name, owner));
  }
}

interface Table<Schema extends ObjectSchema> {
  readonly name: string;
  readonly capacity: number;
  readonly format: RowFormat<Schema>;
  /** The first item's row as long as a collection has none; undefined for a resource without a first item. */
  readonly first: Row<Schema> | undefined;
}

/**
 * The items of one caller, for one request. A write reads the row, checks the precondition, and puts the next version on
 * condition that the row still has the version that was read, so that a late attempt changes nothing. A removed item leaves
 * a tombstone, so that a late attempt to create it changes nothing, either.
 *
 * The first item needs no row: if there is none under its key, the item is at version 1. Reads write nothing.
 */
class TableCollection<Schema extends ObjectSchema> implements Collection<Schema> {
  readonly #table: Table<Schema>;
  readonly #client: RequestClient;
  readonly #rows: ItemRows<Schema>;
  readonly #uses: UseRows;

  constructor(table: Table<Schema>, client: RequestClient, { items, firstUses }: Partitions) {
    this.#table = table;
    this.#client = client;
    this.#rows = new ItemRows(client, table.name, items, table.format);
    this.#uses = { client, table: table.name, partition: firstUses };
  }

  async list({ limit, after = NIL }: ListQuery): Promise<ListPage> {
    const items: ItemOf<Schema>[] = [];
    let bytes = 1;
    let last = after.toLowerCase();
    // One row more than the limit shows whether the list goes on. Whenever tombstones leave too few items, twice as many are read.
    let count = (limit ?? Number.POSITIVE_INFINITY) + 1;
    for (let queries = 1; ; queries += 1) {
      const { items: found, firstKey, next } = await this.#rows.query(last, count);
      if (last < FIRST_KEY && firstKey !== FIRST_KEY) found.unshift(this.#table.first?.item);
      for (const item of found) {
        if (!item) continue;
        bytes += bytesInString(JSON.stringify(item)) + 1;
        if (items.length === limit || bytes > this.#table.capacity) return pageOf(items, items.at(-1)?.key as string);
        items.push(item);
      }
      if (next === undefined) return pageOf(items);
      last = next;
      if (queries === MAX_QUERIES || this.#client.isHalfTimeOver()) return pageOf(items, last);
      count *= 2;
    }
  }

  async find(key: string): Promise<Version<Schema> | undefined> {
    return isGuid(key) ? versionIn(await this.#read(key.toLowerCase())) : undefined;
  }

  create(members: WritableOf<Schema>): Promise<Created<Schema>>;
  create(members: WritableOf<Schema>, idempotencyKey: string | undefined): Promise<CreatedOnce<Schema>>;
  async create(members: WritableOf<Schema>, idempotencyKey?: string): Promise<CreatedOnce<Schema>> {
    if (idempotencyKey === undefined) return this.#add(newKey(), members);
    const use = firstUse(newKey(), await digestOf(members));
    const first = await rememberUse(this.#uses, idempotencyKey, use);
    if (first.digest !== use.digest) return 'Idempotency-Key reused';
    const created = await this.#add(first.itemKey, members);
    // Only DynamoDB knows how large a row may be, so the key was used before (rule 31).
    if (created === 'too large') await freeKey(this.#uses, idempotencyKey, first);
    return created;
  }

  update(key: string, change: PatchOf<Schema>, precondition: Precondition | undefined) {
    return this.#write(key, change, precondition);
  }

  async remove(key: string, precondition: Precondition | undefined) {
    const removed = await this.#write(key, undefined, precondition);
    return removed as Exclude<typeof removed, CapacityExceeded>;
  }

  /** Puts the first version of an item, unless an earlier attempt has. */
  async #add(key: string, members: WritableOf<Schema>): Promise<Created<Schema>> {
    const version = firstVersion<Schema>(key, members);
    const { kind } = await this.#rows.put(rowOf(version));
    // Only attempts at this creation know the key: if there is a row or a tombstone already, one of them was applied.
    return kind === 'too large' ? kind : version;
  }

  /** Puts the next version of an item and returns it. Without a change, puts a tombstone and returns the removed version. */
  async #write(
    sentKey: string,
    change: PatchOf<Schema> | undefined,
    precondition: Precondition | undefined,
  ): Promise<Version<Schema> | 'too large' | PreconditionFailure | undefined> {
    if (!isGuid(sentKey)) return undefined;
    const key = sentKey.toLowerCase();
    let row = await this.#read(key);
    for (;;) {
      const before = versionIn(row);
      if (!before) return undefined;
      const failure = precondition?.(before.version);
      if (failure) return failure;
      const after = change && before.next(change);
      const written = after ? rowOf(after) : tombstoneOf(before);
      const { kind, maybeApplied } = await this.#rows.put(written);
      if (kind === 'too large') return kind;
      if (kind === 'succeeded') return after ?? before;
      // The pause comes before reading: between reading and putting, it would only give other writers time.
      if (!maybeApplied) await this.#client.backOff();
      row = await this.#read(key);
      if (row?.writeId === written.writeId) return after ?? before;
      // If another write made the next version, this one was not applied and never will be. After later versions, nobody can tell.
      if (maybeApplied && row?.version !== written.version) {
        throw new Unavailable('an attempt whose outcome is unknown may have changed the item', { applied: undefined });
      }
    }
  }

  async #read(key: string): Promise<Row<Schema> | undefined> {
    const row = await this.#rows.read(key);
    return !row && key === FIRST_KEY ? this.#table.first : row;
  }
}

/**
 * After these, the page ends, however few items it has, so that no number of tombstones makes a list unreachable (rule 15). A
 * page without tombstones needs ten at most.
 */
const MAX_QUERIES = 12;

function pageOf(items: readonly object[], next?: string): ListPage {
  return { json: JSON.stringify(items), next };
}
