import type { ObjectSchema } from '../schema/schema.js';
import type { Store } from './store.js';

/** Stands in for a store whose code is still being loaded: each call waits for it. */
export function deferred<Schema extends ObjectSchema>(loading: Promise<Store<Schema>>): Store<Schema> {
  // Without this, a failure while no request waits would end the process. Each request that waits gets the error.
  loading.catch(() => {});
  return {
    list: async (...parameters) => (await loading).list(...parameters),
    find: async (...parameters) => (await loading).find(...parameters),
    create: async (...parameters) => (await loading).create(...parameters),
    createOnce: async (...parameters) => (await loading).createOnce(...parameters),
    update: async (...parameters) => (await loading).update(...parameters),
    remove: async (...parameters) => (await loading).remove(...parameters),
  };
}
