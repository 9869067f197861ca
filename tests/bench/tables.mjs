import { once } from 'node:events';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { OAuth2Server } from 'oauth2-mock-server';
import { FILES, SDK } from './build.mjs';
import { startCold, takeTurns } from './turns.mjs';

const STAGE = { items: 100, names: ['list', 'get', 'post', 'put', 'delete'], warmUp: 100, passes: 10, batch: 11 };
const ROUNDS = { warm: 3, cold: 9 };
const TABLE = {
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: ['resource', 'key'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  KeySchema: ['resource', 'key'].map((AttributeName, index) => ({ AttributeName, KeyType: ['HASH', 'RANGE'][index] })),
};
const ENVIRONMENT = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  // This DynamoDB has signed its certificate itself.
  NODE_TLS_REJECT_UNAUTHORIZED: '0',
  NODE_NO_WARNINGS: '1',
};

/**
 * Measures the service with a table beside the handler with AWS's SDK, and with people who sign in. All talk to a DynamoDB and a
 * provider in this process, over TLS as in AWS, so that the CPU time measured is that of the handlers alone.
 *
 * @returns The figures of `takeTurns` and `startCold`.
 */
export async function measureTables() {
  Object.assign(process.env, ENVIRONMENT);
  const server = dynalite({ createTableMs: 0, ssl: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env.AWS_ENDPOINT_URL_DYNAMODB = `https://127.0.0.1:${server.address().port}`;
  const client = new DynamoDBClient();
  const provider = new OAuth2Server();
  const contestants = {
    ours: { file: FILES.ours, environment: { TABLE_NAME: 'ours' } },
    'AWS SDK': { file: SDK, environment: { TABLE_NAME: 'sdk' } },
    'signed in': { file: FILES.ours, environment: { TABLE_NAME: 'signed-in', ...(await signIn(provider)) } },
  };
  for (const TableName of ['ours', 'sdk', 'signed-in'])
    await client.send(new CreateTableCommand({ TableName, ...TABLE }));
  const warm = await takeTurns(contestants, [STAGE], ROUNDS.warm);
  // Not comparable: the service leaves a tombstone.
  delete warm.delete;
  const cold = await startCold(contestants, ROUNDS.cold);
  client.destroy();
  server.close();
  await provider.stop();
  return { ...warm, ...cold };
}

/** Starts a provider, and returns the variables of a service that takes its tokens, and one of these. */
async function signIn(provider) {
  await provider.issuer.keys.generate('RS256');
  await provider.start(undefined, '127.0.0.1');
  const TOKEN_AUDIENCE = 'bench';
  const scopesOrTransform = (_header, payload) => Object.assign(payload, { sub: 'ada', aud: TOKEN_AUDIENCE });
  const TOKEN = await provider.issuer.buildToken({ scopesOrTransform });
  return { TOKEN_ISSUER: provider.issuer.url, TOKEN_AUDIENCE, TOKEN };
}
