import { Problem } from '../problem.js';
import type { ObjectSchema, Resource } from '../schema/schema.js';
import { type IdempotencyRecord, newRecord } from './idempotency-record.js';
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
  secondsNow,
} from './store.js';

/**
 * All callers share the items of a resource, as long as the instance lives.
 *
 * @param listCapacity - The most bytes of a list, inside a string of the result's JSON. A write beyond it is rejected, so
 * the list of a resource always fits into one response.
 */
export function createMemory(listCapacity: number): Store {
  const opened = new Map<Resource, unknown>();
  return <Schema extends ObjectSchema>(resource: Resource<Schema>) => {
    const items = opened.get(resource) ?? openItems(resource, listCapacity);
    opened.set(resource, items);
    return items as Items<Schema>;
  };
}

function openItems<Schema extends ObjectSchema>({ initial }: Resource<Schema>, listCapacity: number): Items<Schema> {
  /** In the order of their creation. */
  const byKey = new Map<string, StoredItem<Schema>>();
  /** By `Idempotency-Key`, the oldest first. */
  const records = new Map<string, IdempotencyRecord>();
  /** Differs from that of any other instance, also after a restart. */
  const instance = newItemKey().replaceAll('-', '');
  /** The JSON of the whole list, until a write: making it takes a fifth of the time of a long list. */
  let wholeList: string | undefined;
  let bytes = BYTES_OF_EMPTY_LIST;
  let writes = 0;

  if (initial) put(newItem(newItemKey(), initial));

  return {
    async list({ limit, after = '', matches }) {
      const cursor = after.toLowerCase();
      const listed: StoredItem<Schema>[] = [];
      for (const stored of byKey.values()) {
        if (stored.key <= cursor || matches?.(stored.item) === false) continue;
        if (listed.length === limit) return pageOf(listed, listed.at(-1)?.key);
        listed.push(stored);
      }
      return pageOf(listed);
    },

    async find(key) {
      return lookUp(key);
    },

    async create(members, idempotencyKey) {
      const stored = newItem<Schema>(newItemKey(), members);
      checkSize(stored);
      if (idempotencyKey === undefined) return put(stored);
      const record = newRecord(stored.key, members);
      const first = records.get(idempotencyKey);
      if (first && first.expires > secondsNow()) {
        if (first.digest !== record.digest) throw new Problem('idempotency-key-reused');
        return newItem(first.itemKey, members);
      }
      put(stored);
      keep(idempotencyKey, record);
      return stored;
    },

    async update(key, change) {
      const current = lookUp(key);
      const next = newItem<Schema>(current.key, change(current), current.version + 1);
      checkSize(next);
      return put(next, current);
    },

    async remove(key, check) {
      const current = lookUp(key);
      check?.(current);
      byKey.delete(current.key);
      noteWrite(bytes - bytesInList(current));
      return current;
    },
  };

  /** Synchronous, so that nothing comes between reading and writing. */
  function lookUp(key: string): StoredItem<Schema> {
    const stored = byKey.get(key.toLowerCase());
    if (!stored) throw new Problem('not-found');
    return stored;
  }

  function checkSize(stored: StoredItem<Schema>): void {
    if (BYTES_OF_EMPTY_LIST + bytesInList(stored) > listCapacity) throw new Problem('item-too-large');
  }

  function put(next: StoredItem<Schema>, current?: StoredItem<Schema>): StoredItem<Schema> {
    const total = bytes + bytesInList(next) - (current ? bytesInList(current) : 0);
    if (total > listCapacity) throw new Problem('full');
    byKey.set(next.key, next);
    noteWrite(total);
    return next;
  }

  function noteWrite(total: number): void {
    bytes = total;
    writes += 1;
    wholeList = undefined;
  }

  function keep(idempotencyKey: string, record: IdempotencyRecord): void {
    // A map would keep the position of a key that it already has.
    records.delete(idempotencyKey);
    records.set(idempotencyKey, record);
    if (records.size > MAX_RECORDS) records.delete(records.keys().next().value as string);
  }

  function pageOf(listed: readonly StoredItem<Schema>[], next?: string): ListPage {
    const version = `${instance}_${writes}`;
    if (listed.length < byKey.size) return { json: listOf(listed), next, version };
    wholeList ??= listOf(listed);
    return { json: wholeList, version };
  }
}

/** So many take about 3 MB. One more, and the oldest is forgotten, even before its hour is over. */
const MAX_RECORDS = 10_000;
