import type { ObjectSchema, Resource, WritableOf } from '../schema/schema.js';
import { newKey } from './key.js';
import { digestOf, newRememberedKey, now, type RememberedKey } from './remembered-key.js';
import type { CapacityExceeded, Collection, ListPage, ListQuery, Precondition, Store } from './store.js';
import { type Change, jsonOf, newItem, type StoredItem } from './stored-item.js';

/**
 * One collection serves all callers as long as the instance lives.
 *
 * @param capacity - The most bytes that the list may take, inside a string of the result's JSON. A write beyond it is
 * rejected, so the list always fits into one response.
 */
export function openMemory<Schema extends ObjectSchema>(resource: Resource<Schema>, capacity: number): Store<Schema> {
  const collection = new MemoryCollection(resource, capacity);
  return () => collection;
}

class MemoryCollection<Schema extends ObjectSchema> implements Collection<Schema> {
  readonly #items = new Map<string, StoredItem<Schema>>();
  /** The oldest first. */
  readonly #rememberedKeys = new Map<string, RememberedKey>();
  readonly #capacity: number;
  #bytes = BRACKETS;
  /** Kept until a change, because a long list takes long to write. */
  #list: ListPage | undefined;
  /** Differs from that of any other instance, also after a restart. */
  readonly #instance = newKey().replaceAll('-', '');
  #changes = 0;

  constructor({ initial }: Resource<Schema>, capacity: number) {
    this.#capacity = capacity;
    if (initial) this.#put(newItem(newKey(), initial));
  }

  async list({ limit, after, matches }: ListQuery<Schema>): Promise<ListPage> {
    if (limit === undefined && after === undefined && !matches) {
      this.#list ??= this.#pageOf(this.#items.values());
      return this.#list;
    }
    const before = after?.toLowerCase() ?? '';
    const listed: StoredItem<Schema>[] = [];
    for (const stored of this.#items.values()) {
      if (stored.key <= before || matches?.(stored.item) === false) continue;
      if (listed.length === limit) return this.#pageOf(listed, listed.at(-1)?.key);
      listed.push(stored);
    }
    return this.#pageOf(listed);
  }

  async find(key: string): Promise<StoredItem<Schema> | undefined> {
    return this.#find(key);
  }

  async create(members: WritableOf<Schema>, idempotencyKey?: string) {
    const stored = newItem<Schema>(newKey(), members);
    if (idempotencyKey === undefined) return this.#put(stored);
    if (this.#isTooLarge(stored.bytes)) return 'item-too-large';
    const digest = digestOf(members);
    const known = this.#rememberedKeys.get(idempotencyKey);
    if (known && known.expires > now())
      return known.digest === digest ? newItem(known.itemKey, members) : 'idempotency-key-reused';
    const created = this.#put(stored);
    if (typeof created === 'object') this.#remember(idempotencyKey, newRememberedKey(stored.key, digest));
    return created;
  }

  async update<Failure extends string>(key: string, change: Change<Schema>, precondition?: Precondition<Failure>) {
    const before = this.#find(key);
    return before && (precondition?.(before.version) ?? this.#put(before.next(change), before));
  }

  async remove<Failure extends string>(key: string, precondition?: Precondition<Failure>) {
    const stored = this.#find(key);
    if (!stored) return undefined;
    const failure = precondition?.(stored.version);
    if (failure) return failure;
    this.#items.delete(stored.key);
    this.#bytes -= stored.bytes;
    this.#listChanges();
    return stored;
  }

  #find(key: string): StoredItem<Schema> | undefined {
    return this.#items.get(key.toLowerCase());
  }

  #remember(idempotencyKey: string, remembered: RememberedKey): void {
    // A map would keep the position of a key that it already has.
    this.#rememberedKeys.delete(idempotencyKey);
    this.#rememberedKeys.set(idempotencyKey, remembered);
    if (this.#rememberedKeys.size > MAX_REMEMBERED_KEYS)
      this.#rememberedKeys.delete(this.#rememberedKeys.keys().next().value as string);
  }

  #isTooLarge(bytes: number): boolean {
    return BRACKETS + bytes > this.#capacity;
  }

  #put(stored: StoredItem<Schema>, before?: StoredItem<Schema>): StoredItem<Schema> | CapacityExceeded {
    const { bytes } = stored;
    if (this.#isTooLarge(bytes)) return 'item-too-large';
    const total = this.#bytes + bytes - (before?.bytes ?? 0);
    if (total > this.#capacity) return 'full';
    this.#items.set(stored.key, stored);
    this.#bytes = total;
    this.#listChanges();
    return stored;
  }

  #listChanges(): void {
    this.#list = undefined;
    this.#changes += 1;
  }

  /** The tag belongs to the list as it is now, even if somebody asks for it after a change. */
  #pageOf(listed: Iterable<StoredItem<Schema>>, next?: string): ListPage {
    const state = `${this.#instance}_${this.#changes}`;
    return { json: jsonOf(listed), next, tag: (form) => `${state}_${form.replace(/[\W_]/g, escaped)}` };
  }
}

/** So that a tag has only letters, digits and `_`, and no two forms have the same. */
function escaped(character: string): string {
  return `_${character.charCodeAt(0).toString(36)}_`;
}

/** Each item counts with a comma, which is one too many, so the two brackets add one byte. */
const BRACKETS = 1;

/** About 3 MB. */
const MAX_REMEMBERED_KEYS = 10_000;
