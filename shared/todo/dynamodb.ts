import { ConditionFailed, persist } from '../dynamodb/call.js';
import { type Access, connect } from '../dynamodb/send.js';
import { Unavailable } from '../http/unavailable.js';
import type { Log } from '../log.js';
import { bytesOf } from './bytes.js';
import { type Condition, unmet } from './condition.js';
import { type Demand, demandOf } from './demand.js';
import type { StoredItem, WritableMembers } from './item.js';
import { isStorable } from './row.js';
import { Rows } from './rows.js';
import type { Listing, Misfit, Part, TodoStore } from './store.js';

/** What the store needs. */
export interface TableOptions {
  readonly access: Access;
  /** The table's name. Its partition key is the string `key`. */
  readonly table: string;
  /** The most bytes that a list may take, inside a string of the result's JSON. */
  readonly capacity: number;
  /** The item that a new table begins with: of all the instances that find it empty, one creates it. */
  readonly first: StoredItem;
  readonly log: Log;
}

/**
 * Keeps the collection in a table of DynamoDB, for any number of instances. Each write is one request, which DynamoDB
 * does in one step with the check of its condition. Where the first item is deleted, its emptied row stays and tells
 * all instances that it has been there.
 */
export class TableStore implements TodoStore {
  readonly #options: TableOptions;
  readonly #begin: () => Rows;
  #firstCreated: Promise<unknown> | undefined;

  /** @param options - What the store needs. */
  constructor(options: TableOptions) {
    const begin = persist(connect(options.access), options.log);
    this.#options = options;
    this.#begin = () => new Rows(begin(), options.table);
  }

  async list({ limit, after }: Part): Promise<Listing | undefined> {
    if (after !== undefined && keyIn(after) !== after) return undefined;
    const rows = this.#begin();
    await this.#createFirst(rows);
    const items: StoredItem[] = [];
    let bytes = 1;
    let start = after;
    do {
      // One more tells whether the list goes on, and one may be the first item's, emptied.
      const { items: scanned, end } = await rows.scan(start, limit && limit - items.length + 2);
      for (const item of scanned) {
        bytes += bytesOf(item);
        if (items.length === limit || bytes > this.#options.capacity) return listing(items, items.at(-1)?.key);
        items.push(item);
      }
      start = end;
    } while (start !== undefined);
    return listing(items);
  }

  async find(sent: string): Promise<StoredItem | undefined> {
    const key = keyIn(sent);
    return key === undefined ? undefined : (await this.#beginWith(key)).get(key);
  }

  async create(item: StoredItem): Promise<StoredItem | Misfit> {
    if (!isStorable(item.name)) return 'too large';
    const rows = this.#begin();
    const refusal = await rows.put(item);
    if (!refusal) return item;
    const found = refusal.uncertain ? await rows.get(item.key) : undefined;
    if (found?.json === item.json && found.version === item.version) return item;
    throw new Error(`the key ${item.key} is taken`);
  }

  async update(
    sent: string,
    members: Partial<WritableMembers>,
    condition: Condition,
  ): Promise<StoredItem | Misfit | 'stale' | undefined> {
    const key = keyIn(sent);
    if (!key) return undefined;
    const rows = await this.#beginWith(key);
    if (isStorable(members.name ?? '')) {
      return write(rows, key, condition, (demand) => rows.update(key, members, demand));
    }
    const item = await rows.get(key);
    return item && (unmet(item.version, condition) ? 'stale' : 'too large');
  }

  async remove(sent: string, condition: Condition): Promise<StoredItem | 'stale' | undefined> {
    const key = keyIn(sent);
    if (!key) return undefined;
    const rows = await this.#beginWith(key);
    const isFirst = key === this.#options.first.key;
    return write(rows, key, condition, (demand) => (isFirst ? rows.empty(key, demand) : rows.remove(key, demand)));
  }

  async #beginWith(key: string): Promise<Rows> {
    const rows = this.#begin();
    if (key === this.#options.first.key) await this.#createFirst(rows);
    return rows;
  }

  /** Tried once in each instance's life, from when the item could be missed; it works once in the table's. */
  async #createFirst(rows: Rows): Promise<void> {
    this.#firstCreated ??= rows.put(this.#options.first);
    try {
      await this.#firstCreated;
    } catch (error) {
      this.#firstCreated = undefined;
      throw error;
    }
  }
}

/** A key that is no GUID is one that nobody has, and a table would refuse one that is empty or very long. */
function keyIn(text: string): string | undefined {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text) ? text.toLowerCase() : undefined;
}

function listing(items: readonly StoredItem[], next?: string): Listing {
  return { json: `[${items.map(({ json }) => json).join(',')}]`, ...(next !== undefined && { next }) };
}

/**
 * Writes under a condition. One that DynamoDB can't take along, or that another instance's write has come to meet
 * meanwhile, is made into a demand for the very version that was found to meet it.
 */
async function write(
  rows: Rows,
  key: string,
  condition: Condition,
  write: (demand: Demand) => Promise<StoredItem | ConditionFailed>,
): Promise<StoredItem | 'stale' | undefined> {
  let uncertain = false;
  for (let demand = demandOf(condition); ; ) {
    const written = demand && (await write(demand));
    if (written && !(written instanceof ConditionFailed)) return written;
    uncertain ||= written?.uncertain ?? false;
    const item = await rows.get(key);
    if (!item) return undefined;
    if (!unmet(item.version, condition)) demand = demandOf({ among: [item.version] });
    else if (uncertain) throw new Unavailable('an attempt whose reply was lost may have changed the item');
    else return 'stale';
  }
}
