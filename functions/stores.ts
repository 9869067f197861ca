import { LARGEST_CONTENT } from '../shared/gateway/gateway.js';
import { openLog } from '../shared/log/log.js';
import { createParser } from '../shared/schema/parse.js';
import type { ObjectSchema, PatchOf } from '../shared/schema/schema.js';
import { deferred } from '../shared/store/deferred.js';
import { MemoryStore } from '../shared/store/memory.js';
import type { Resource, Store } from '../shared/store/store.js';
import { configuration, type TableConfiguration } from './configuration.js';

/** A resource as its file declares it. Of the first item, members that have a default may be left out, or all of it. */
export type ResourceDeclaration<Schema extends ObjectSchema> = Omit<Resource<Schema>, 'first'> & {
  readonly first?: PatchOf<Schema>;
};

/**
 * Opens the store of a resource: in the table that the configuration names, otherwise in memory for as long as this
 * instance lives. In memory, each resource may grow as large as a result: memorySize in serverless.yml was measured with one.
 * No other resource has the name of this one.
 *
 * @throws Error when the first item is not valid.
 */
export function openStore<Schema extends ObjectSchema>(declaration: ResourceDeclaration<Schema>): Store<Schema> {
  const resource = { ...declaration, first: parseFirst(declaration) };
  return configuration.table ? inTable(resource, configuration.table) : new MemoryStore(resource, LARGEST_CONTENT);
}

function parseFirst<Schema extends ObjectSchema>({ name, schema, first }: ResourceDeclaration<Schema>) {
  if (!first) return undefined;
  const parsed = createParser(schema).whole(first);
  if ('errors' in parsed) throw new Error(`the first item of ${name} is not valid: ${parsed.errors[0]?.detail}`);
  return parsed.members;
}

/** The code for tables is a file of its own, so that a cold start without a table does not load it. */
function inTable<Schema extends ObjectSchema>(
  resource: Resource<Schema>,
  { name: table, ...access }: TableConfiguration,
): Store<Schema> {
  const log = openLog(configuration.logLevel, configuration.logFormat);
  const options = { access, table, capacity: LARGEST_CONTENT, log };
  return deferred(import('../shared/store/table.js').then(({ TableStore }) => new TableStore(resource, options)));
}
