import { LARGEST_CONTENT } from '../../../shared/gateway/gateway.js';
import { openLog } from '../../../shared/log/log.js';
import type { Resource } from '../../../shared/schema/resource.js';
import type { ObjectSchema } from '../../../shared/schema/schema.js';
import { FIRST_KEY } from '../../../shared/store/key.js';
import { attributesOf } from '../../../shared/store/row.js';
import type { Store } from '../../../shared/store/store.js';
import { openTable } from '../../../shared/store/table.js';
import { parcels } from '../service/parcels.js';
import { GENEROUS } from '../service/service.js';
import { createTable, environmentOf, localTable, sendTo, startDynamodb, type Table } from './dynamodb.js';

export { environmentOf, type Table };

export type Tables = Awaited<ReturnType<typeof startTables>>;

/** Starts a DynamoDB in memory on a free port, or uses the one that TABLES_ENDPOINT names. */
export async function startTables() {
  const { TABLES_ENDPOINT } = process.env;
  const { endpoint, stop } = TABLES_ENDPOINT
    ? { endpoint: TABLES_ENDPOINT, stop: async () => {} }
    : await startDynamodb();
  return {
    endpoint,
    /** Creates a table as serverless/dynamodb-table.yml does. */
    async create() {
      const table = localTable(`table-${String(Math.random()).slice(2)}`, endpoint);
      await createTable(table);
      return table;
    },
    stop,
  };
}

/** Opens the store of a resource in a table, as another instance of the service would. */
export function storeIn<Schema extends ObjectSchema>(
  { name, ...access }: Table,
  resource: Resource<Schema>,
): Store<Schema> {
  const capacity = LARGEST_CONTENT;
  return openTable(resource, { access, table: name, capacity, log: openLog('silent'), timeouts: GENEROUS });
}

/** Puts tombstones of parcels into a table, after the first item and before all others. */
export async function addTombstones(table: Table, count: number): Promise<void> {
  const send = sendTo(table);
  const expires = Math.floor(Date.now() / 1_000) + 7_200;
  for (let number = 1; number <= count; number += 1) {
    const key = FIRST_KEY.replace(/\d{4}$/, String(number).padStart(4, '0'));
    const tombstone = attributesOf({ key, number: 2, expires }, 'of a deletion');
    const { status, text } = await send('PutItem', {
      Item: { partition: { S: parcels.name }, key: { S: key }, ...tombstone },
    });
    if (status !== 200) throw new Error(text);
  }
}

/** Deletes the rows that have expired at a time, in milliseconds since 1970, as DynamoDB does. */
export function deleteExpired(table: Table, now: number): Promise<void> {
  return deleteRows(table, ({ expires }) => expires !== undefined && Number(expires.N) * 1_000 <= now);
}

export async function deleteRows(table: Table, which = (_row: StoredRow) => true): Promise<void> {
  const send = sendTo(table);
  const { Items } = JSON.parse((await send('Scan')).text);
  for (const { partition, key } of (Items as StoredRow[]).filter(which))
    await send('DeleteItem', { Key: { partition, key } });
}

interface StoredRow {
  readonly partition: object;
  readonly key: { readonly S: string };
  readonly expires?: { readonly N: string };
}
