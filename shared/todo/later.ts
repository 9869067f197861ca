import type { TodoStore } from './store.js';

/**
 * Stands in for a store whose code is loaded only where it is used.
 *
 * @param opening - The store, once it is there.
 * @returns A store that waits for it.
 */
export function later(opening: Promise<TodoStore>): TodoStore {
  // Nobody may be waiting yet when the loading fails; each request that waits gets the error.
  opening.catch(() => {});
  return {
    list: async (part) => (await opening).list(part),
    find: async (key) => (await opening).find(key),
    create: async (item) => (await opening).create(item),
    update: async (key, members, condition) => (await opening).update(key, members, condition),
    remove: async (key, condition) => (await opening).remove(key, condition),
  };
}
