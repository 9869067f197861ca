import type { Resource } from '../schema/resource.js';
import type { ObjectSchema, PatchOf, WritableOf } from '../schema/schema.js';
import { digestOf, FirstUses, firstUse } from './first-use.js';
import { newKey } from './key.js';
import type {
  Collection,
  Created,
  CreatedOnce,
  ListPage,
  ListQuery,
  Precondition,
  Removed,
  Store,
  Updated,
} from './store.js';
import { firstVersion, jsonOf, type Version } from './version.js';

/**
 * Keeps items in memory, for as long as the instance lives. The list always fits into one response: a write that would
 * make it too large is rejected and changes nothing.
 */
export class MemoryStore<Schema extends ObjectSchema> implements Store<Schema>, Collection<Schema> {
  /** By key, in the order of the list: keys sort in the order of their creation, and a changed item keeps its place. */
  readonly #versions = new Map<string, Version<Schema>>();
  readonly #firstUses = new FirstUses();
  readonly #capacity: number;
  #bytes = BRACKETS;
  #list: ListPage | undefined;
  /** The tags of responses with the list as it is, by their form. */
  #tags = new Map<string, string>();

  /** The capacity is the most bytes that the list may take, inside a string of the result's JSON. */
  constructor({ first }: Resource<Schema>, capacity: number) {
    this.#capacity = capacity;
    if (first) this.#put(firstVersion(newKey(), first));
  }

  /** All callers share one collection. */
  for(): Collection<Schema> {
    return this;
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

  create(members: WritableOf<Schema>): Promise<Created<Schema>>;
  create(members: WritableOf<Schema>, idempotencyKey: string | undefined): Promise<CreatedOnce<Schema>>;
  async create(members: WritableOf<Schema>, idempotencyKey?: string): Promise<CreatedOnce<Schema>> {
    const digest = idempotencyKey === undefined ? '' : await digestOf(members);
    // The key is made last, because items must be put in the order of their keys.
    const version = firstVersion<Schema>(newKey(), members);
    if (this.#isTooLarge(version)) return 'item-too-large';
    if (idempotencyKey === undefined) return this.#put(version);
    const first = this.#firstUses.find(idempotencyKey);
    if (first) return first.digest === digest ? firstVersion(first.itemKey, members) : 'idempotency-key-reused';
    const created = this.#put(version);
    if (typeof created === 'object') this.#firstUses.remember(idempotencyKey, firstUse(version.key, digest));
    return created;
  }

  async update(key: string, change: PatchOf<Schema>, precondition: Precondition | undefined): Promise<Updated<Schema>> {
    const before = this.#find(key);
    return before && (precondition?.(before.version) ?? this.#put(before.next(change), before));
  }

  async remove(key: string, precondition: Precondition | undefined): Promise<Removed<Schema>> {
    const version = this.#find(key);
    if (!version) return undefined;
    const failure = precondition?.(version.version);
    if (failure) return failure;
    this.#versions.delete(version.key);
    this.#bytes -= version.bytes;
    this.#forgetList();
    return version;
  }

  #find(key: string): Version<Schema> | undefined {
    return this.#versions.get(key) ?? this.#versions.get(key.toLowerCase());
  }

  #isTooLarge({ bytes }: Version<Schema>): boolean {
    return BRACKETS + bytes > this.#capacity;
  }

  /** Puts a version in place of the one before it, unless it has no room. */
  #put(version: Version<Schema>, before?: Version<Schema>): Created<Schema> {
    const bytes = this.#bytes + version.bytes - (before?.bytes ?? 0);
    if (this.#isTooLarge(version)) return 'item-too-large';
    if (bytes > this.#capacity) return 'full';
    this.#versions.set(version.key, version);
    this.#bytes = bytes;
    this.#forgetList();
    return version;
  }

  #forgetList(): void {
    this.#list = undefined;
    this.#tags = new Map();
  }

  /** Makes a page. Its tags are those of the list as it is now, even if one is asked for after a change. */
  #pageOf(versions: Iterable<Version<Schema>>, next?: string): ListPage {
    const tags = this.#tags;
    return { json: jsonOf(versions), next, tag: (form) => tagIn(tags, form) };
  }
}

/** Of an empty list. Each item counts with a comma, which is one comma too many, so two brackets leave one more byte. */
const BRACKETS = 1;

/**
 * Finds or makes the tag of a form. A key is unique even after a restart, which a counter is not, and takes less time
 * than a digest, for which a cold start would load `node:crypto`.
 */
function tagIn(tags: Map<string, string>, form: string): string {
  const known = tags.get(form);
  if (known !== undefined) return known;
  if (tags.size >= MAX_TAGS) tags.clear();
  const tag = newKey();
  tags.set(form, tag);
  return tag;
}

/** How many pages of a list keep their tags until it changes. They take a megabyte at most. */
const MAX_TAGS = 1_000;
