import type { Resource } from '../schema/resource.js';
import type { ObjectSchema, WritableOf } from '../schema/schema.js';
import { digestOf, type FirstUse, firstUse, now } from './first-use.js';
import { newKey } from './key.js';
import type {
  CapacityExceeded,
  Collection,
  Created,
  ListPage,
  ListQuery,
  Precondition,
  Removed,
  Store,
  Updated,
} from './store.js';
import { type Change, firstVersion, jsonOf, type Version } from './version.js';

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
  readonly #versions = new Map<string, Version<Schema>>();
  /** The oldest first. */
  readonly #firstUses = new Map<string, FirstUse>();
  readonly #capacity: number;
  #bytes = BRACKETS;
  #list: ListPage | undefined;
  /** Differs from that of any other instance, also after a restart. */
  readonly #instance = newKey().replaceAll('-', '');
  #changes = 0;

  constructor({ initial }: Resource<Schema>, capacity: number) {
    this.#capacity = capacity;
    if (initial) this.#put(firstVersion(newKey(), initial));
  }

  async list({ limit, after, matches }: ListQuery<Schema>): Promise<ListPage> {
    if (limit === undefined && after === undefined && !matches) {
      this.#list ??= this.#pageOf(this.#versions.values());
      return this.#list;
    }
    const before = after?.toLowerCase() ?? '';
    const versions: Version<Schema>[] = [];
    for (const version of this.#versions.values()) {
      if (version.key <= before || matches?.(version.item) === false) continue;
      if (versions.length === limit) return this.#pageOf(versions, versions.at(-1)?.key);
      versions.push(version);
    }
    return this.#pageOf(versions);
  }

  async find(key: string): Promise<Version<Schema> | undefined> {
    return this.#find(key);
  }

  async create(members: WritableOf<Schema>, idempotencyKey?: string): Promise<Created<Schema>> {
    const digest = idempotencyKey === undefined ? '' : await digestOf(members);
    // Made after the await, because items must be put in the order of their keys.
    const version = firstVersion<Schema>(newKey(), members);
    if (this.#isTooLarge(version)) return 'item-too-large';
    if (idempotencyKey === undefined) return this.#put(version);
    const first = this.#firstUses.get(idempotencyKey);
    if (first && first.expires > now())
      return first.digest === digest ? firstVersion(first.itemKey, members) : 'idempotency-key-reused';
    const created = this.#put(version);
    if (typeof created === 'object') this.#rememberUse(idempotencyKey, firstUse(version.key, digest));
    return created;
  }

  async update(key: string, change: Change<Schema>, precondition: Precondition | undefined): Promise<Updated<Schema>> {
    const before = this.#find(key);
    return before && (precondition?.(before.number) ?? this.#put(before.next(change), before));
  }

  async remove(key: string, precondition: Precondition | undefined): Promise<Removed<Schema>> {
    const version = this.#find(key);
    if (!version) return undefined;
    const failure = precondition?.(version.number);
    if (failure) return failure;
    this.#versions.delete(version.key);
    this.#bytes -= version.bytes;
    this.#listChanges();
    return version;
  }

  #rememberUse(idempotencyKey: string, use: FirstUse): void {
    // A map would keep the position of a key that it already has.
    this.#firstUses.delete(idempotencyKey);
    this.#firstUses.set(idempotencyKey, use);
    if (this.#firstUses.size > MAX_FIRST_USES) this.#firstUses.delete(this.#firstUses.keys().next().value as string);
  }

  #find(key: string): Version<Schema> | undefined {
    return this.#versions.get(key) ?? this.#versions.get(key.toLowerCase());
  }

  #isTooLarge({ bytes }: Version<Schema>): boolean {
    return BRACKETS + bytes > this.#capacity;
  }

  #put(version: Version<Schema>, before?: Version<Schema>): Version<Schema> | CapacityExceeded {
    const bytes = this.#bytes + version.bytes - (before?.bytes ?? 0);
    if (this.#isTooLarge(version)) return 'item-too-large';
    if (bytes > this.#capacity) return 'full';
    this.#versions.set(version.key, version);
    this.#bytes = bytes;
    this.#listChanges();
    return version;
  }

  #listChanges(): void {
    this.#list = undefined;
    this.#changes += 1;
  }

  /** The tag belongs to the list as it is now, even if somebody asks for it after a change. */
  #pageOf(versions: Iterable<Version<Schema>>, next?: string): ListPage {
    const state = `${this.#instance}_${this.#changes}`;
    return { json: jsonOf(versions), next, tag: (form) => `${state}_${hashOf(form)}` };
  }
}

/** Each item counts with a comma, which is one too many, so the two brackets add one byte. */
const BRACKETS = 1;

/** About 3 MB. */
const MAX_FIRST_USES = 10_000;

/**
 * Two 32-bit hashes by FNV-1a (RFC 9923) from different starts, because loading `node:crypto` would take 3 ms of a cold
 * start.
 */
function hashOf(text: string): string {
  let [one, other] = [0x811c9dc5, 0x050c5d1f];
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ unit, 0x01000193);
  }
  return (one >>> 0).toString(36) + (other >>> 0).toString(36);
}
