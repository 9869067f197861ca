import { once } from 'node:events';
import { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import dynalite from 'dynalite';
import { connect, type Reply } from '../shared/dynamodb/send.js';

/** How long a call may take on a busy machine, in milliseconds. */
const TIMEOUT = 50_000;

/** A DynamoDB on this machine. */
export interface Dynamodb {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** The variables of a service that keeps its items in a table. */
export interface TableEnvironment extends Record<string, string> {
  TABLE_NAME: string;
  AWS_ENDPOINT_URL_DYNAMODB: string;
  AWS_REGION: string;
  AWS_ACCESS_KEY_ID: string;
  AWS_SECRET_ACCESS_KEY: string;
}

/**
 * Starts a DynamoDB on a free port.
 *
 * @param path - A folder that keeps the data; in memory when left out.
 * @returns The DynamoDB, when it listens.
 */
export async function startDynamodb(path?: string): Promise<Dynamodb> {
  const server = dynalite({ createTableMs: 0, ...(path && { path }) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.closeAllConnections();
    // With data in memory, the server is closed without dynalite's own close: that closes the database, too, and then a
    // request that was cut off but still runs would throw, outside of any test.
    if (path) server.close();
    else Server.prototype.close.call(server);
    await once(server, 'close');
  };
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

/**
 * Returns the variables of a service.
 *
 * @param TABLE_NAME - The table's name.
 * @param AWS_ENDPOINT_URL_DYNAMODB - The URL of DynamoDB, or of a stand-in.
 * @returns The variables.
 */
export function environmentOf(TABLE_NAME: string, AWS_ENDPOINT_URL_DYNAMODB: string): TableEnvironment {
  return {
    TABLE_NAME,
    AWS_ENDPOINT_URL_DYNAMODB,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  };
}

/** Creates the table of a service as serverless/table.yml does, unless it exists, and waits until it can be used. */
export async function createTable(environment: TableEnvironment): Promise<void> {
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
export function sendTo(environment: TableEnvironment): (operation: string, input?: object) => Promise<Reply> {
  const { TABLE_NAME: TableName, AWS_ENDPOINT_URL_DYNAMODB: endpoint, AWS_REGION: region } = environment;
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = environment;
  const send = connect({ endpoint, region, credentials: { accessKeyId, secretAccessKey } });
  return (operation, input = {}) => send(operation, JSON.stringify({ TableName, ...input }), TIMEOUT);
}
