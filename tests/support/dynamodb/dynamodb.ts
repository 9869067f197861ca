import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import dynalite from 'dynalite';
import { type Access, connect, type Reply } from '../../../shared/dynamodb/send.js';
import { parseYaml } from '../parse-yaml.js';

/** For a call on a busy machine, in milliseconds. */
const TIMEOUT = 50_000;

export interface Dynamodb {
  readonly endpoint: string;
  stop(): Promise<void>;
}

export interface Table extends Access {
  readonly name: string;
}

/**
 * Starts a DynamoDB on a free port.
 *
 * @param path - The folder for the data; in memory when left out.
 */
export async function startDynamodb(path?: string): Promise<Dynamodb> {
  const server = dynalite({ createTableMs: 0, ...(path && { path }) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.closeAllConnections();
    // dynalite's own close would also close the database in memory, and a request that was cut off but still runs would
    // throw, outside of any test.
    if (path) server.close();
    else Server.prototype.close.call(server);
    await once(server, 'close');
  };
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

/** It takes any credentials. */
export function localTable(name: string, endpoint: string): Table {
  return { name, endpoint, region: 'eu-central-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
}

export function environmentOf({ name, endpoint, region, credentials }: Table): Record<string, string> {
  return {
    TABLE_NAME: name,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
}

/** Creates the table of serverless/dynamodb-table.yml, unless it exists, and waits until it can be used. */
export async function createTable(table: Table): Promise<void> {
  const send = sendTo(table);
  const { status, text } = await send('CreateTable', keysAndIndexes());
  if (status !== 200 && !text.includes('ResourceInUseException')) throw new Error(text);
  while (!(await send('DescribeTable')).text.includes('"ACTIVE"'));
}

export function sendTo({ name: TableName, ...access }: Table): (operation: string, input?: object) => Promise<Reply> {
  const send = connect(access);
  return (operation, input = {}) => send(operation, JSON.stringify({ TableName, ...input }), TIMEOUT);
}

/** Backups, protection and the like are for AWS, and made by other calls. */
function keysAndIndexes(): object {
  const template = parseYaml(readFileSync('serverless/dynamodb-table.yml', 'utf8')) as TableTemplate;
  const { BillingMode, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } = template.Resources.Table.Properties;
  return { BillingMode, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes };
}

interface TableTemplate {
  readonly Resources: { readonly Table: { readonly Properties: Readonly<Record<string, unknown>> } };
}
