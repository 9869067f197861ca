import { once } from 'node:events';
import { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import dynalite from 'dynalite';
import { readConfiguration, type TableConfiguration } from '../../functions/configuration.js';
import { connect } from '../../shared/dynamodb/send.js';
import { openLog } from '../../shared/log.js';
import { TableStore } from '../../shared/todo/dynamodb.js';
import { type StoredItem, storedItem } from '../../shared/todo/item.js';
import { rowOf } from '../../shared/todo/row.js';

/** A DynamoDB of one's own. */
export interface Tables {
  readonly endpoint: string;
  /**
   * Creates a table as serverless.yml does, unless it is there.
   *
   * @param name - Its name; a new one when left out.
   * @returns The environment variables of a service that keeps its collection there.
   */
  create(name?: string): Promise<TableEnvironment>;
  stop(): Promise<void>;
}

/** What a service needs to find its table. */
export interface TableEnvironment extends Record<string, string> {
  TODO_TABLE: string;
}

/**
 * Starts a DynamoDB on a free port, or takes the one that TABLES_ENDPOINT names.
 *
 * @param path - A folder that keeps the data; in memory when left out.
 * @returns It, when it listens.
 */
export async function startTables(path?: string): Promise<Tables> {
  const { TABLES_ENDPOINT } = process.env;
  if (TABLES_ENDPOINT && !path) return tablesAt(TABLES_ENDPOINT, async () => {});
  const server = dynalite({ createTableMs: 0, ...(path && { path }) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return tablesAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, async () => {
    server.closeAllConnections();
    // With data in memory, dynalite's own way to close is left out: it closes the database as well, and what a request
    // that was cut off still does there would throw, outside of any test.
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

/** The item that the tables of {@link openTable} begin with. */
export const FIRST = storedItem('11111111-1111-4111-8111-111111111111', { name: 'first', isComplete: false }, 1);

/**
 * Opens a store, as another instance of the service would.
 *
 * @param environment - The environment of that service.
 * @param capacity - The most bytes that a list may take.
 * @returns The store.
 */
export function openTable(environment: TableEnvironment, capacity = 6_000_000): TableStore {
  const { name, ...access } = readConfiguration(environment).table as TableConfiguration;
  return new TableStore({ access, table: name, capacity, first: FIRST, log: openLog('silent') });
}

/**
 * Gives the environment of a service.
 *
 * @param TODO_TABLE - The table's name.
 * @param endpoint - Where DynamoDB is, or what pretends to be one.
 * @returns The environment variables.
 */
export function environmentOf(TODO_TABLE: string, endpoint: string): TableEnvironment {
  return {
    TODO_TABLE,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  };
}

/**
 * Puts items into a table, faster than the service could.
 *
 * @param environment - The environment of a service that uses it.
 * @param items - The items.
 */
export async function fillTable(environment: TableEnvironment, items: readonly StoredItem[]): Promise<void> {
  const { name, ...access } = readConfiguration(environment).table as TableConfiguration;
  const send = connect(access);
  for (let start = 0; start < items.length; start += 25) {
    const puts = items.slice(start, start + 25).map((item) => ({ PutRequest: { Item: rowOf(item) } }));
    await send('BatchWriteItem', JSON.stringify({ RequestItems: { [name]: puts } }), AbortSignal.timeout(5_000));
  }
}

async function createTable(environment: TableEnvironment): Promise<void> {
  const { name, ...access } = readConfiguration(environment).table as TableConfiguration;
  const send = connect(access);
  const table = {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'key', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'key', KeyType: 'HASH' }],
  };
  const { status, text } = await send('CreateTable', JSON.stringify(table), AbortSignal.timeout(5_000));
  if (status !== 200 && !text.includes('ResourceInUseException')) throw new Error(text);
  const described = JSON.stringify({ TableName: name });
  while (!(await send('DescribeTable', described, AbortSignal.timeout(5_000))).text.includes('"ACTIVE"'));
}
