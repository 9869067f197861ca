// A third store, written only from what CONTRIBUTING says of stores: it shows that the tests of every store hold no more than that.
import type { Resource } from '../../../shared/schema/resource.js';
import type { ObjectSchema, PatchOf, WritableOf } from '../../../shared/schema/schema.js';
import { newKey } from '../../../shared/store/key.js';
import type { Collection, ListQuery, Precondition, Store } from '../../../shared/store/store.js';
import { firstVersion, jsonOf, type Version } from '../../../shared/store/version.js';
import { describeStore } from './every-store.js';

/** Keeps the items of each owner in a `Map`, and never refuses one. */
function openMap<Schema extends ObjectSchema>(resource: Resource<Schema>): Store<Schema> {
  const collections = new Map<string | undefined, Collection<Schema>>();
  return ({ owner }) => {
    const collection = collections.get(owner) ?? collectionOf(resource);
    collections.set(owner, collection);
    return collection;
  };
}

const AN_HOUR = 3_600_000;

function collectionOf<Schema extends ObjectSchema>({ first }: Resource<Schema>): Collection<Schema> {
  const items = new Map<string, Version<Schema>>();
  const uses = new Map<string, { readonly members: string; readonly version: Version<Schema>; readonly at: number }>();
  const find = (key: string) => items.get(key.toLowerCase());
  // Another one after each change. A digest of the list would do, too, but its code must not be loaded for an instance's first requests.
  let state = newKey();
  const put = (version: Version<Schema>) => {
    items.set(version.key, version);
    state = newKey();
    return version;
  };
  if (first) put(firstVersion(newKey(), first));
  return {
    async list({ limit = Number.POSITIVE_INFINITY, after = '', matches = () => true }: ListQuery<Schema>) {
      const behind = Array.from(items.values()).filter(({ key, item }) => key > after.toLowerCase() && matches(item));
      const page = behind.slice(0, limit);
      const next = behind.length > page.length ? page.at(-1)?.key : undefined;
      const now = state;
      return { json: jsonOf(page), next, tag: (form: string) => `${now}-${Buffer.from(form).toString('base64url')}` };
    },
    find: async (key: string) => find(key),
    async create(members: WritableOf<Schema>, idempotencyKey?: string) {
      const known = idempotencyKey === undefined ? undefined : uses.get(idempotencyKey);
      const text = JSON.stringify(members);
      if (known && known.at > Date.now() - AN_HOUR)
        return known.members === text ? known.version : 'idempotency-key-reused';
      const version = put(firstVersion<Schema>(newKey(), members));
      if (idempotencyKey !== undefined) uses.set(idempotencyKey, { members: text, version, at: Date.now() });
      return version;
    },
    async update(key: string, change: PatchOf<Schema>, precondition: Precondition | undefined) {
      const before = find(key);
      return before && (precondition?.(before.number) ?? put(before.next(change)));
    },
    async remove(key: string, precondition: Precondition | undefined) {
      const before = find(key);
      const failure = before && precondition?.(before.number);
      if (failure || !before) return failure;
      items.delete(before.key);
      state = newKey();
      return before;
    },
  };
}

describeStore('in a map', async (resource) => openMap(resource));
