import { LARGEST_CONTENT } from '../shared/gateway/gateway.js';
import type { Log } from '../shared/log/log.js';
import { MemoryStore } from '../shared/store/memory.js';
import type { OpenStore } from '../shared/store/store.js';
import type { TableConfiguration } from './configuration.js';

/**
 * Says where items are kept: in a table, otherwise in memory for as long as this instance lives. In memory, each resource may
 * grow as large as a result; memorySize in serverless.yml was measured with one resource.
 *
 * @param table - The table; undefined for memory.
 * @param log - Where calls of the table that are repeated are logged.
 * @returns The function that opens the store of a resource.
 */
export function storesIn(table: TableConfiguration | undefined, log: Log): OpenStore {
  const capacity = LARGEST_CONTENT;
  if (!table) return (resource) => new MemoryStore(resource, capacity);
  const { name, ...access } = table;
  return async (resource) => {
    // The code for tables is in a file of its own, so that a cold start without a table does not load it.
    const { TableStore } = await import('../shared/store/table.js');
    return new TableStore(resource, { access, table: name, capacity, log });
  };
}
