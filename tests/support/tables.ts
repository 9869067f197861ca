import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import dynalite from 'dynalite';
import { readConfiguration, type TableConfiguration } from '../../functions/configuration.js';
import { connect } from '../../shared/dynamodb/send.js';

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
 * Starts a DynamoDB on a free port.
 *
 * @param path - A folder that keeps the data; in memory when left out.
 * @returns It, when it listens.
 */
export async function startTables(path?: string): Promise<Tables> {
  const server = dynalite({ createTableMs: 0, ...(path && { path }) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    endpoint,
    async create(name = `todo-${String(Math.random()).slice(2)}`) {
      const environment = environmentOf(name, endpoint);
      await createTable(environment);
      return environment;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
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

async function createTable(environment: TableEnvironment): Promise<void> {
  const { name, ...access } = readConfiguration(environment).table as TableConfiguration;
  const send = connect(access);
  const table = {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['resource', 'key'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [
      { AttributeName: 'resource', KeyType: 'HASH' },
      { AttributeName: 'key', KeyType: 'RANGE' },
    ],
  };
  const { status, text } = await send('CreateTable', JSON.stringify(table), AbortSignal.timeout(5_000));
  if (status !== 200 && !text.includes('ResourceInUseException')) throw new Error(text);
  const described = JSON.stringify({ TableName: name });
  while (!(await send('DescribeTable', described, AbortSignal.timeout(5_000))).text.includes('"ACTIVE"'));
}
