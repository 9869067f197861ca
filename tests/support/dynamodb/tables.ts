import { once } from 'node:events';
import { Server } from 'node:http';
import dynalite from 'dynalite';
import { readConfiguration, type TableConfiguration } from '../../../functions/configuration.js';
import { connect } from '../../../shared/dynamodb/send.js';
import { openLog } from '../../../shared/log/log.js';
import type { Resource } from '../../../shared/schema/resource.js';
import type { ObjectSchema } from '../../../shared/schema/schema.js';
import { FIRST_KEY } from '../../../shared/store/key.js';
import { type Row, RowFormat } from '../../../shared/store/row.js';
import type { Collection } from '../../../shared/store/store.js';
import { TableStore } from '../../../shared/store/table.js';
import { listen } from '../listen.js';

/** How long a busy machine may take for a call, in milliseconds. */
const TIMEOUT = 50_000;

/** A DynamoDB for tests. */
export interface Tables {
  readonly endpoint: string;
  /**
   * Creates a table as serverless.yml does, unless it exists.
   *
   * @param name - Its name; a new one when left out.
   * @returns The environment variables of a service that keeps its collection there.
   */
  create(name?: string): Promise<TableEnvironment>;
  stop(): Promise<void>;
}

/** What a service needs to find its table. */
export interface TableEnvironment extends Record<string, string> {
  TABLE_NAME: string;
}

/**
 * Starts a DynamoDB on a free port, or uses the one that TABLES_ENDPOINT names.
 *
 * @param path - A folder that keeps the data; in memory when left out.
 * @returns The DynamoDB, when it listens.
 */
export async function startTables(path?: string): Promise<Tables> {
  const { TABLES_ENDPOINT } = process.env;
  if (TABLES_ENDPOINT && !path) return tablesAt(TABLES_ENDPOINT, async () => {});
  const server = dynalite({ createTableMs: 0, ...(path && { path }) });
  return tablesAt(`http://${await listen(server)}`, async () => {
    server.closeAllConnections();
    // With data in memory, the server is closed without dynalite's own close: that closes the database, too, and then a
    // request that was cut off but still runs would throw, outside of any test.
    if (path) server.close();
    else Server.prototype.close.call(server);
    await once(server, 'close');
  });
}

function tablesAt(endpoint: string, stop: () => Promise<void>): Tables {
  return {
    endpoint,
    async create(name = `todo-${String(Math.random()).slice(2)}`) {
      const environment = environmentOf(name, endpoint);
      await createTable(environment);
      return environment;
    },
    stop,
  };
}

/**
 * Opens the collection of a resource, as another instance of the service would.
 *
 * @param environment - The environment of that service.
 * @param resource - The resource whose items it keeps.
 * @param capacity - The most bytes that a list may take.
 * @param owner - Whose items they are.
 * @returns The collection.
 */
export function openTable<Schema extends ObjectSchema>(
  environment: TableEnvironment,
  resource: Resource<Schema>,
  capacity = 6_000_000,
  owner?: string,
): Collection<Schema> {
  const { name, ...access } = readConfiguration(environment).table as TableConfiguration;
  const timeouts = { total: 2 * TIMEOUT, attempt: TIMEOUT };
  const options = { access, table: name, capacity, log: openLog('silent'), timeouts };
  return new TableStore(resource, options).for({ requestId: 'request-1', owner });
}

/**
 * Returns the environment of a service.
 *
 * @param TABLE_NAME - The table's name.
 * @param endpoint - The URL of DynamoDB, or of a stand-in.
 * @returns The environment variables.
 */
export function environmentOf(TABLE_NAME: string, endpoint: string): TableEnvironment {
  return {
    TABLE_NAME,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  };
}

/**
 * Puts a row into a table, unless there is one under its key.
 *
 * @param environment - The environment of a service that uses it.
 * @param resource - The resource that has the row.
 * @param row - The row.
 */
export async function createRow<Schema extends ObjectSchema>(
  environment: TableEnvironment,
  { name, schema }: Pick<Resource<Schema>, 'name' | 'schema'>,
  row: Row<Schema>,
): Promise<void> {
  const Item = new RowFormat(schema).attributesOf(name, row);
  const put = { Item, ConditionExpression: 'attribute_not_exists(version)' };
  const { status, text } = await sendTo(environment)('PutItem', put);
  if (status !== 200 && !text.includes('ConditionalCheckFailed')) throw new Error(text);
}

/** Puts tombstones of a resource into a table, after its first item and before all others. */
export async function addTombstones<Schema extends ObjectSchema>(
  environment: TableEnvironment,
  resource: Pick<Resource<Schema>, 'name' | 'schema'>,
  count: number,
): Promise<void> {
  const expires = Math.floor(Date.now() / 1_000) + 7_200;
  for (let number = 1; number <= count; number += 1) {
    const key = FIRST_KEY.replace(/\d{4}$/, String(number).padStart(4, '0'));
    await createRow(environment, resource, { key, version: 2, writeId: 'of a deletion', item: undefined, expires });
  }
}

/** Deletes the rows that have expired at a time, in milliseconds since 1970, as DynamoDB does. */
export function deleteExpired(environment: TableEnvironment, now: number): Promise<void> {
  return deleteRows(environment, ({ expires }) => expires !== undefined && Number(expires.N) * 1_000 <= now);
}

/** Deletes all rows of a table, or those that a function chooses. */
export async function deleteRows(environment: TableEnvironment, which = (_row: StoredRow) => true): Promise<void> {
  const send = sendTo(environment);
  const { Items } = JSON.parse((await send('Scan')).text);
  for (const { resource, key } of (Items as StoredRow[]).filter(which))
    await send('DeleteItem', { Key: { resource, key } });
}

interface StoredRow {
  readonly resource: object;
  readonly key: object;
  readonly expires?: { readonly N: string };
}

async function createTable(environment: TableEnvironment): Promise<void> {
  const send = sendTo(environment);
  const { status, text } = await send('CreateTable', {
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['resource', 'key'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [
      { AttributeName: 'resource', KeyType: 'HASH' },
      { AttributeName: 'key', KeyType: 'RANGE' },
    ],
  });
  if (status !== 200 && !text.includes('ResourceInUseException')) throw new Error(text);
  while (!(await send('DescribeTable')).text.includes('"ACTIVE"'));
}

/** Returns the function that sends requests to the table of a service. */
function sendTo(environment: TableEnvironment) {
  const { name: TableName, ...access } = readConfiguration(environment).table as TableConfiguration;
  const send = connect(access);
  return (operation: string, input: object = {}) => send(operation, JSON.stringify({ TableName, ...input }), TIMEOUT);
}
