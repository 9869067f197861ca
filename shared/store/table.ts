import { randomUUID } from 'node:crypto';
import { NIL } from 'uuid';
import { type Begin, type Calls, TIMING, type Timing, withRetries } from '../dynamodb/retry.js';
import { type Access, connect } from '../dynamodb/send.js';
import { describeError, type Log } from '../log/log.js';
import { isGuid } from '../schema/check.js';
import type { ItemOf, ObjectSchema, PatchOf, WritableOf } from '../schema/schema.js';
import { Unavailable } from '../unavailable.js';
import { FIRST_KEY, newKey } from './key.js';
import { Queues } from './queue.js';
import { type Attributes, type Row, RowFormat, versionIn } from './row.js';
import { bytesInString } from './size.js';
import type {
  CapacityExceeded,
  ListPage,
  ListQuery,
  Precondition,
  PreconditionFailure,
  Resource,
  Store,
} from './store.js';
import { firstVersion, type Version } from './version.js';

/** What the store needs besides the resource. */
export interface TableOptions {
  readonly access: Access;
  /** The table's name. Its partition key is the string `resource`, its sort key the string `key`. */
  readonly table: string;
  /** The most bytes that a list may take, inside a string of the result's JSON. */
  readonly capacity: number;
  readonly log: Log;
  readonly timing?: Timing;
}

/**
 * Keeps items in a table of DynamoDB, for any number of instances. A write reads the row, checks the precondition, and
 * puts the next version on condition that the row still has the version that was read, so that an attempt that comes
 * late does nothing. A removed item leaves a tombstone, so that a late attempt to create it does nothing, either.
 */
export class TableStore<Schema extends ObjectSchema> implements Store<Schema> {
  readonly #options: TableOptions;
  readonly #format: RowFormat<Schema>;
  readonly #first: Version<Schema>;
  readonly #begin: Begin;
  readonly #queues = new Queues();

  /**
   * @param resource - Whose items they are.
   * @param options - What else the store needs.
   */
  constructor({ name, schema, first }: Resource<Schema>, options: TableOptions) {
    this.#options = options;
    this.#format = new RowFormat(name, schema);
    this.#first = firstVersion<Schema>(FIRST_KEY, first);
    this.#begin = withRetries(connect(options.access), options.log, options.timing ?? TIMING);
  }

  async list({ limit, after = NIL }: ListQuery, requestId: string): Promise<ListPage> {
    const calls = this.#begin(requestId);
    const items: ItemOf<Schema>[] = [];
    let bytes = 1;
    let last = after.toLowerCase();
    // One more than the limit tells whether the list goes on. Each time that tombstones leave too few, twice as many are read.
    for (let count = (limit ?? Number.POSITIVE_INFINITY) + 1; ; count *= 2) {
      const { Items, LastEvaluatedKey } = await this.#query(calls, last, count);
      const found: (ItemOf<Schema> | undefined)[] = Items.map((row: Attributes) => this.#format.itemOf(row));
      if (last < FIRST_KEY && Items[0]?.key.S !== FIRST_KEY) found.unshift(await this.#createFirst(requestId));
      for (const item of found) {
        if (!item) continue;
        bytes += bytesInString(JSON.stringify(item)) + 1;
        if (items.length === limit || bytes > this.#options.capacity) return pageOf(items, items.at(-1)?.key as string);
        items.push(item);
      }
      if (!LastEvaluatedKey) return pageOf(items);
      last = LastEvaluatedKey.key.S;
    }
  }

  async find(key: string, requestId: string): Promise<Version<Schema> | undefined> {
    return isGuid(key) ? versionIn(await this.#read(this.#begin(requestId), key.toLowerCase())) : undefined;
  }

  async create(members: WritableOf<Schema>, requestId: string): Promise<Version<Schema> | CapacityExceeded> {
    const version = firstVersion<Schema>(newKey(), members);
    const { kind } = await this.#put(this.#begin(requestId), rowOf(version));
    // Nobody else knows the key: a row that is there already is that of an attempt whose reply was lost.
    return kind === 'too large' ? kind : version;
  }

  update(key: string, change: PatchOf<Schema>, precondition: Precondition | undefined, requestId: string) {
    return this.#write(key, change, precondition, requestId);
  }

  async remove(key: string, precondition: Precondition | undefined, requestId: string) {
    const removed = await this.#write(key, undefined, precondition, requestId);
    return removed as Exclude<typeof removed, CapacityExceeded>;
  }

  /** Puts the next version of an item and returns it; without a change a tombstone, and returns what was removed. */
  async #write(
    sent: string,
    change: PatchOf<Schema> | undefined,
    precondition: Precondition | undefined,
    requestId: string,
  ): Promise<Version<Schema> | 'too large' | PreconditionFailure | undefined> {
    if (!isGuid(sent)) return undefined;
    const key = sent.toLowerCase();
    const calls = this.#begin(requestId);
    return this.#queues.run(key, async () => {
      for (let row = await this.#read(calls, key); ; await calls.backOff()) {
        const before = versionIn(row);
        if (!before) return undefined;
        const failure = precondition?.(before.version);
        if (failure) return failure;
        const after = change && before.next(change);
        const written = after ? rowOf(after) : tombstoneOf(before);
        const outcome = await this.#put(calls, written);
        if (outcome.kind === 'too large') return outcome.kind;
        if (outcome.kind === 'done') return after ?? before;
        row = await this.#read(calls, key);
        if (row?.writeId === written.writeId) return after ?? before;
        // Where another write made the next version, this one was not done and never will be. Further on, nobody can tell.
        if (outcome.doubtful && row?.version !== written.version) {
          throw new Unavailable('an attempt whose reply was lost may have changed the item');
        }
      }
    });
  }

  #put(calls: Calls, row: Row<Schema>) {
    const Item = this.#format.attributesOf(row);
    return calls.call('PutItem', { TableName: this.#options.table, Item, ...conditionOf(row) });
  }

  /** Reads a row with all writes that were acknowledged before. The first item is created where neither it nor its tombstone is. */
  async #read(calls: Calls, key: string): Promise<Row<Schema> | undefined> {
    const input = { TableName: this.#options.table, Key: this.#format.keyOf(key), ConsistentRead: true };
    const { output } = await calls.call('GetItem', input);
    if (output.Item) return this.#format.rowOf(output.Item);
    if (key !== FIRST_KEY) return undefined;
    await this.#put(calls, rowOf(this.#first));
    return this.#read(calls, key);
  }

  /** Reads rows behind a key, in order, a megabyte at most. Of tombstones, only that of the first item comes back. */
  async #query(calls: Calls, after: string, count: number) {
    const { resource, key } = this.#format.keyOf(after);
    const { output } = await calls.call('Query', {
      TableName: this.#options.table,
      ConsistentRead: true,
      KeyConditionExpression: '#resource = :resource AND #key > :key',
      FilterExpression: 'attribute_not_exists(#expires)',
      ProjectionExpression: '#key, #item',
      ExpressionAttributeNames: { '#resource': 'resource', '#key': 'key', '#item': 'item', '#expires': 'expires' },
      ExpressionAttributeValues: { ':resource': resource, ':key': key },
      ...(Number.isFinite(count) && { Limit: count }),
    });
    return output;
  }

  /** For a list that found nothing of the first item. A list that can be read does not fail because this can't be written. */
  async #createFirst(requestId: string): Promise<ItemOf<Schema> | undefined> {
    const { log, timing = TIMING } = this.#options;
    try {
      return (await this.#read(this.#begin(requestId, timing.budget / 8), FIRST_KEY))?.item;
    } catch (error) {
      log.warn?.('the first item could not be created', { requestId, error: await describeError(error) });
      return undefined;
    }
  }
}

function pageOf(items: readonly object[], next?: string): ListPage {
  const json = JSON.stringify(items);
  return next === undefined ? { json } : { json, next };
}

/** That a row takes the place of the version before it, or of nothing where it is the first. */
function conditionOf({ version }: { readonly version: number }) {
  if (version === 1) {
    return { ConditionExpression: 'attribute_not_exists(#key)', ExpressionAttributeNames: { '#key': 'key' } };
  }
  return {
    ConditionExpression: '#version = :before',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':before': { N: String(version - 1) } },
  };
}

function rowOf<Schema extends ObjectSchema>({ key, version, item }: Version<Schema>): Row<Schema> {
  return { key, version, writeId: randomUUID(), item };
}

/** For an hour, far longer than any attempt is under way. That of the first item is kept, so that it is not created again. */
function tombstoneOf<Schema extends ObjectSchema>({ key, version }: Version<Schema>): Row<Schema> {
  const expires = key === FIRST_KEY ? undefined : Math.floor(Date.now() / 1_000) + 3_600;
  return { key, version: version + 1, writeId: randomUUID(), item: undefined, expires };
}
