import { LARGEST_CONTENT } from '../shared/gateway/gateway.js';
import { openLog } from '../shared/log.js';
import type { ObjectSchema } from '../shared/schema/schema.js';
import { lazy } from '../shared/store/lazy.js';
import { MemoryStore } from '../shared/store/memory.js';
import type { Resource, Store } from '../shared/store/store.js';
import { configuration, type TableConfiguration } from './configuration.js';

/**
 * Opens the store of a resource: in the table that the configuration names, otherwise in memory for as long as this
 * instance lives.
 *
 * @param resource - The resource, its name unlike that of any other.
 * @returns The store.
 */
export function openStore<Schema extends ObjectSchema>(resource: Resource<Schema>): Store<Schema> {
  return configuration.table ? inTable(resource, configuration.table) : new MemoryStore(resource, LARGEST_CONTENT);
}

/** The code for tables is a file of its own, which nobody loads who has none. */
function inTable<Schema extends ObjectSchema>(
  resource: Resource<Schema>,
  { name: table, ...access }: TableConfiguration,
): Store<Schema> {
  const options = { access, table, capacity: LARGEST_CONTENT, log: openLog(configuration.logLevel) };
  return lazy(import('../shared/store/table.js').then(({ TableStore }) => new TableStore(resource, options)));
}
