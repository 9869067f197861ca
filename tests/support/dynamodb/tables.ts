import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Server } from 'node:http';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { listen } from '../listen.js';
import { parseYaml } from '../parse-yaml.js';

export type Table = Awaited<ReturnType<typeof createTable>>;
export type Tables = Awaited<ReturnType<typeof startTables>>;

/** Starts an emulator of DynamoDB on a free port, or uses the one that TABLES_ENDPOINT names. */
export async function startTables() {
  const { TABLES_ENDPOINT } = process.env;
  if (TABLES_ENDPOINT) return { create: () => createTable(TABLES_ENDPOINT), stop: async () => {} };
  const server = dynalite({ createTableMs: 0 });
  const endpoint = `http://${await listen(server)}`;
  const stop = async () => {
    server.closeAllConnections();
    // dynalite's own close would also close the database, and a request that was cut off but still runs would throw,
    // outside of any test.
    Server.prototype.close.call(server);
    await once(server, 'close');
  };
  return { create: () => createTable(endpoint), stop };
}

/** Creates the table of serverless/dynamodb-table.yml under another name, without backups and the like. */
async function createTable(endpoint: string) {
  const TableName = `table-${String(Math.random()).slice(2)}`;
  const [region, accessKeyId, secretAccessKey] = ['eu-central-1', 'local', 'local'];
  const template = parseYaml(readFileSync('serverless/dynamodb-table.yml', 'utf8')) as TableTemplate;
  const { BillingMode, AttributeDefinitions, KeySchema } = template.Resources.Table.Properties;
  const client = new DynamoDBClient({ endpoint, region, credentials: { accessKeyId, secretAccessKey } });
  await client.send(new CreateTableCommand({ TableName, BillingMode, AttributeDefinitions, KeySchema }));
  while ((await client.send(new DescribeTableCommand({ TableName }))).Table?.TableStatus !== 'ACTIVE');
  /** The variables of a function that keeps its items in this table. */
  const environment: Record<string, string> = {
    TABLE_NAME: TableName,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  };
  return { name: TableName, endpoint, client, environment };
}

interface TableTemplate {
  readonly Resources: { readonly Table: { readonly Properties: CreateTableCommandInput } };
}
