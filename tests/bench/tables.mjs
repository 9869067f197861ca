import { once } from 'node:events';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { FILES, SDK } from './build.mjs';
import { startCold, takeTurns } from './turns.mjs';

const STAGE = { items: 100, names: ['list', 'get', 'post', 'put'], warmUp: 100, passes: 10, batch: 11 };
const ROUNDS = { warm: 3, cold: 9 };
const TABLE = {
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: ['resource', 'key'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  KeySchema: ['resource', 'key'].map((AttributeName, index) => ({ AttributeName, KeyType: ['HASH', 'RANGE'][index] })),
};

/**
 * Measures the service with a table beside the handler with AWS's SDK, under a Node.js given by its path. Both talk to a
 * DynamoDB in this process, over TLS as in AWS, so that the CPU time measured is that of the handlers alone.
 *
 * @returns {Promise<import('./turns.mjs').Figures>}
 */
export async function measureTables(node) {
  Object.assign(process.env, ENVIRONMENT);
  const server = dynalite({ createTableMs: 0, ssl: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `https://127.0.0.1:${server.address().port}`;
  const client = new DynamoDBClient({ endpoint });
  const environmentOf = (TABLE_NAME) => ({ TABLE_NAME, AWS_ENDPOINT_URL_DYNAMODB: endpoint });
  const contestants = {
    ours: { file: FILES.ours, node, environment: environmentOf('ours') },
    'AWS SDK': { file: SDK, node, environment: environmentOf('sdk') },
  };
  for (const TableName of ['ours', 'sdk']) await client.send(new CreateTableCommand({ TableName, ...TABLE }));
  const warm = await takeTurns(contestants, [STAGE], ROUNDS.warm);
  const cold = await startCold(contestants, ROUNDS.cold);
  client.destroy();
  server.close();
  return { ...warm, ...cold };
}

const ENVIRONMENT = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  LOG_LEVEL: 'silent',
  // This DynamoDB has signed its certificate itself.
  NODE_TLS_REJECT_UNAUTHORIZED: '0',
  NODE_NO_WARNINGS: '1',
};
