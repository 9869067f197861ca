import {
  createTable,
  environmentOf,
  localTable,
  sendTo,
  startDynamodb,
  type Table,
} from '../../../serverless/dynamodb.js';
import { openLog } from '../../../shared/log/log.js';
import type { Resource } from '../../../shared/schema/resource.js';
import type { ObjectSchema } from '../../../shared/schema/schema.js';
import { FIRST_KEY } from '../../../shared/store/key.js';
import { type Row, RowFormat } from '../../../shared/store/row.js';
import type { Collection } from '../../../shared/store/store.js';
import { TableStore } from '../../../shared/store/table.js';

export { environmentOf, type Table };

/** How long a busy machine may take for a call, in milliseconds. */
const TIMEOUT = 50_000;

/** A DynamoDB for tests. */
export interface Tables {
  readonly endpoint: string;
  /**
   * Creates a table as serverless.yml does, unless it exists.
   *
   * @param name - Its name; a new one when left out.
   */
  create(name?: string): Promise<Table>;
  stop(): Promise<void>;
}

/** Starts a DynamoDB in memory on a free port, or uses the one that TABLES_ENDPOINT names. */
export async function startTables(): Promise<Tables> {
  const { TABLES_ENDPOINT } = process.env;
  const { endpoint, stop } = TABLES_ENDPOINT
    ? { endpoint: TABLES_ENDPOINT, stop: async () => {} }
    : await startDynamodb();
  return {
    endpoint,
    async create(name = `table-${String(Math.random()).slice(2)}`) {
      const table = localTable(name, endpoint);
      await createTable(table);
      return table;
    },
    stop,
  };
}

/**
 * Opens the collection of a resource, as another instance of the service would.
 *
 * @param table - The table.
 * @param resource - The resource whose items it keeps.
 * @param capacity - The most bytes that a list may take.
 * @param owner - Whose items they are.
 * @returns The collection.
 */
export function openTable<Schema extends ObjectSchema>(
  table: Table,
  resource: Resource<Schema>,
  capacity = 6_000_000,
  owner?: string,
): Collection<Schema> {
  const { name, ...access } = table;
  const timeouts = { total: 2 * TIMEOUT, attempt: TIMEOUT };
  const options = { access, table: name, capacity, log: openLog('silent'), timeouts };
  return new TableStore(resource, options).for({ requestId: 'request-1', owner });
}

/**
 * Puts a row into a table, unless there is one under its key.
 *
 * @param table - The table.
 * @param resource - The resource that has the row.
 * @param row - The row.
 */
export async function createRow<Schema extends ObjectSchema>(
  table: Table,
  { name, schema }: Pick<Resource<Schema>, 'name' | 'schema'>,
  row: Row<Schema>,
): Promise<void> {
  const Item = new RowFormat(schema).attributesOf(name, row);
  const put = { Item, ConditionExpression: 'attribute_not_exists(version)' };
  const { status, text } = await sendTo(table)('PutItem', put);
  if (status !== 200 && !text.includes('ConditionalCheckFailed')) throw new Error(text);
}

/** Puts tombstones of a resource into a table, after its first item and before all others. */
export async function addTombstones<Schema extends ObjectSchema>(
  table: Table,
  resource: Pick<Resource<Schema>, 'name' | 'schema'>,
  count: number,
): Promise<void> {
  const expires = Math.floor(Date.now() / 1_000) + 7_200;
  for (let number = 1; number <= count; number += 1) {
    const key = FIRST_KEY.replace(/\d{4}$/, String(number).padStart(4, '0'));
    await createRow(table, resource, { key, version: 2, writeId: 'of a deletion', item: undefined, expires });
  }
}

/** Deletes the rows that have expired at a time, in milliseconds since 1970, as DynamoDB does. */
export function deleteExpired(table: Table, now: number): Promise<void> {
  return deleteRows(table, ({ expires }) => expires !== undefined && Number(expires.N) * 1_000 <= now);
}

/** Deletes all rows of a table, or those that a function chooses. */
export async function deleteRows(table: Table, which = (_row: StoredRow) => true): Promise<void> {
  const send = sendTo(table);
  const { Items } = JSON.parse((await send('Scan')).text);
  for (const { resource, key } of (Items as StoredRow[]).filter(which))
    await send('DeleteItem', { Key: { resource, key } });
}

interface StoredRow {
  readonly resource: object;
  readonly key: { readonly S: string };
  readonly expires?: { readonly N: string };
}
