import { bytesOf } from './bytes.js';
import { type Condition, unmet } from './condition.js';
import { changedItem, type StoredItem, type WritableMembers } from './item.js';
import type { Listing, Misfit, Part, TodoStore } from './store.js';

/**
 * Keeps the collection in memory, for as long as the instance lives. The list always fits into one response: a write
 * that would break that is refused and changes nothing.
 */
export class MemoryStore implements TodoStore {
  readonly #capacity: number;
  readonly #entries = new Map<string, Entry>();
  readonly #pieces = new Set<Piece>();
  #newest: Piece | undefined;
  #list: Listing | undefined;
  /** The place of the newest item. Counted on from the time, so that places in an earlier instance's list are behind. */
  #place = Date.now();
  /** The list's size, counting a comma behind each item: one too many, and the two brackets, make it one more. */
  #bytes = 1;

  /**
   * @param capacity - The most bytes that the list may take, inside a string of the result's JSON.
   */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  list({ limit, after }: Part): Listing | undefined {
    if (limit !== undefined || after !== undefined) return this.#part(limit ?? this.#entries.size, after ?? '0');
    this.#list ??= { json: `[${Array.from(this.#pieces, jsonOf).join(',')}]` };
    return this.#list;
  }

  find(key: string): StoredItem | undefined {
    return this.#entry(key)?.item;
  }

  create(item: StoredItem): StoredItem | Misfit {
    if (this.#entries.has(item.key)) throw new Error(`the key ${item.key} is taken`);
    const bytes = bytesOf(item);
    const misfit = this.#misfit(bytes, 0);
    if (misfit) return misfit;
    if (this.#newest === undefined || this.#newest.entries.size >= PIECE) {
      this.#newest = { entries: new Set(), last: 0, json: undefined };
      this.#pieces.add(this.#newest);
    }
    this.#place += 1;
    const entry = { item, bytes, place: this.#place, piece: this.#newest };
    this.#entries.set(item.key, entry);
    this.#newest.entries.add(entry);
    this.#newest.last = entry.place;
    this.#changed(entry, bytes);
    return item;
  }

  update(
    key: string,
    members: Partial<WritableMembers>,
    condition: Condition,
  ): StoredItem | Misfit | 'stale' | undefined {
    const entry = this.#entry(key);
    if (!entry) return undefined;
    if (unmet(entry.item.version, condition)) return 'stale';
    const item = changedItem(entry.item, members);
    const bytes = bytesOf(item);
    const misfit = this.#misfit(bytes, entry.bytes);
    if (misfit) return misfit;
    this.#changed(entry, bytes - entry.bytes);
    entry.item = item;
    entry.bytes = bytes;
    return item;
  }

  remove(key: string, condition: Condition): StoredItem | 'stale' | undefined {
    const entry = this.#entry(key);
    if (!entry) return undefined;
    if (unmet(entry.item.version, condition)) return 'stale';
    this.#entries.delete(entry.item.key);
    entry.piece.entries.delete(entry);
    this.#changed(entry, -entry.bytes);
    if (entry.piece.entries.size === 0) this.#drop(entry.piece);
    return entry.item;
  }

  /** Hardly anybody spells a key in upper case. */
  #entry(key: string): Entry | undefined {
    return this.#entries.get(key) ?? this.#entries.get(key.toLowerCase());
  }

  #part(limit: number, after: string): Listing | undefined {
    if (!/^\d{1,16}$/.test(after)) return undefined;
    const entries: Entry[] = [];
    for (const piece of this.#pieces) {
      if (piece.last <= Number(after)) continue;
      for (const entry of piece.entries) if (entry.place > Number(after)) entries.push(entry);
      if (entries.length > limit) break;
    }
    const json = `[${entries
      .slice(0, limit)
      .map(({ item }) => item.json)
      .join(',')}]`;
    const last = entries[limit - 1];
    return last && entries.length > limit ? { json, next: String(last.place) } : { json };
  }

  #drop(piece: Piece): void {
    this.#pieces.delete(piece);
    if (piece === this.#newest) this.#newest = undefined;
  }

  #misfit(bytes: number, freed: number): Misfit | undefined {
    if (1 + bytes > this.#capacity) return 'too large';
    return this.#bytes - freed + bytes > this.#capacity ? 'no room' : undefined;
  }

  #changed(entry: Entry, bytes: number): void {
    this.#bytes += bytes;
    this.#list = undefined;
    entry.piece.json = undefined;
  }
}

/** An item in its place. */
interface Entry {
  item: StoredItem;
  bytes: number;
  /** Grows from item to item. */
  readonly place: number;
  readonly piece: Piece;
}

/** Some neighbours in the list and their JSON, kept so that a write has only its own piece made anew. */
interface Piece {
  readonly entries: Set<Entry>;
  /** The place of the newest item that it has had. */
  last: number;
  json: string | undefined;
}

const PIECE = 100;

function jsonOf(piece: Piece): string {
  piece.json ??= Array.from(piece.entries, ({ item }) => item.json).join(',');
  return piece.json;
}
