import { Problem } from '../problem.js';
import type { ObjectSchema, Resource } from '../schema/schema.js';
import { type Creation, newCreation, secondsNow } from './creation.js';
import { newKey } from './key.js';
import { bytesInList, type Items, jsonOf, type ListPage, newItem, type Store, type StoredItem } from './store.js';

/**
 * All callers share the items of a resource, as long as the instance lives.
 *
 * @param capacity - The most bytes that a list may take, inside a string of the result's JSON. A write beyond it is
 * rejected, so the list of a resource always fits into one response.
 */
export function createMemory(capacity: number): Store {
  const opened = new Map<Resource, unknown>();
  return <Schema extends ObjectSchema>(resource: Resource<Schema>) => {
    const items = opened.get(resource) ?? openItems(resource, capacity);
    opened.set(resource, items);
    return items as Items<Schema>;
  };
}

function openItems<Schema extends ObjectSchema>({ initial }: Resource<Schema>, capacity: number): Items<Schema> {
  const items = new Map<string, StoredItem<Schema>>();
  /** By `Idempotency-Key`, the oldest first. */
  const creations = new Map<string, Creation>();
  /** Differs from that of any other instance, also after a restart. */
  const instance = newKey().replaceAll('-', '');
  /** The JSON of the whole list until a change, because a long one takes long to write. */
  let whole: string | undefined;
  let bytes = BRACKETS;
  let changes = 0;

  if (initial) put(newItem(newKey(), initial));

  return {
    async list({ limit, after, matches }) {
      const before = after?.toLowerCase() ?? '';
      const listed: StoredItem<Schema>[] = [];
      for (const stored of items.values()) {
        if (stored.key <= before || matches?.(stored.item) === false) continue;
        if (listed.length === limit) return pageOf(listed, listed.at(-1)?.key);
        listed.push(stored);
      }
      return pageOf(listed);
    },

    async find(key) {
      return lookUp(key);
    },

    async create(members, idempotencyKey) {
      const stored = newItem<Schema>(newKey(), members);
      checkSize(stored);
      if (idempotencyKey === undefined) return put(stored);
      const creation = newCreation(stored.key, members);
      const known = creations.get(idempotencyKey);
      if (known && known.expires > secondsNow()) {
        if (known.digest !== creation.digest) throw new Problem('idempotency-key-reused');
        return newItem(known.itemKey, members);
      }
      put(stored);
      remember(idempotencyKey, creation);
      return stored;
    },

    async update(key, change) {
      const before = lookUp(key);
      const after = newItem<Schema>(before.key, change(before), before.version + 1);
      checkSize(after);
      return put(after, before);
    },

    async remove(key, check) {
      const before = lookUp(key);
      check?.(before);
      items.delete(before.key);
      changed(bytes - bytesInList(before));
      return before;
    },
  };

  /** Never awaited, so that nothing comes between reading and writing. */
  function lookUp(key: string): StoredItem<Schema> {
    const stored = items.get(key.toLowerCase());
    if (!stored) throw new Problem('not-found');
    return stored;
  }

  function checkSize(stored: StoredItem<Schema>): void {
    if (BRACKETS + bytesInList(stored) > capacity) throw new Problem('item-too-large');
  }

  function put(stored: StoredItem<Schema>, before?: StoredItem<Schema>): StoredItem<Schema> {
    const total = bytes + bytesInList(stored) - (before ? bytesInList(before) : 0);
    if (total > capacity) throw new Problem('full');
    items.set(stored.key, stored);
    changed(total);
    return stored;
  }

  function changed(total: number): void {
    bytes = total;
    changes += 1;
    whole = undefined;
  }

  function remember(idempotencyKey: string, creation: Creation): void {
    // A map would keep the position of a key that it already has.
    creations.delete(idempotencyKey);
    creations.set(idempotencyKey, creation);
    if (creations.size > MAX_CREATIONS) creations.delete(creations.keys().next().value as string);
  }

  function pageOf(listed: readonly StoredItem<Schema>[], next?: string): ListPage {
    const isWhole = listed.length === items.size;
    if (isWhole) whole ??= jsonOf(listed);
    return { json: isWhole ? (whole as string) : jsonOf(listed), next, version: `${instance}_${changes}` };
  }
}

/** Each item counts with a comma, which is one too many, so the two brackets add one byte. */
const BRACKETS = 1;

/** About 3 MB. */
const MAX_CREATIONS = 10_000;
