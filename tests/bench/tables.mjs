import dynalite from 'dynalite';
import { createTable, environmentOf, localTable } from '../../serverless/local/dynamodb.ts';
import { listen } from '../support/listen.ts';
import { AUDIENCE, startProvider } from '../support/openid/provider.ts';
import { measure } from './turns.mjs';

const STAGE = {
  items: 100,
  names: ['list of 100', 'get', 'post', 'put', 'delete'],
  warmUp: 100,
  passes: 10,
  batch: 11,
};

/**
 * Measures the service with a table beside the handler with AWS's SDK, and with people who sign in. All talk to a DynamoDB over
 * TLS, as in AWS. It is in this process, so that the CPU time measured is that of the handlers alone.
 */
export async function measureTables(sdk, ours, rounds) {
  // This DynamoDB has signed its certificate itself.
  Object.assign(process.env, { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' });
  const server = dynalite({ createTableMs: 0, ssl: true });
  const endpoint = `https://${await listen(server)}`;
  const provider = await startProvider();
  await provider.addKey('RS256');
  const signIn = {
    TOKEN_ISSUER: provider.issuer,
    TOKEN_AUDIENCE: AUDIENCE,
    TOKEN: await provider.sign({}, { kid: 'RS256' }),
  };
  const contestants = {
    'AWS SDK': { file: sdk, environment: await tableFor('sdk', endpoint) },
    ours: { file: ours, environment: await tableFor('ours', endpoint) },
    'signed in': { file: ours, environment: { ...(await tableFor('signed-in', endpoint)), ...signIn } },
  };
  const figures = await measure(contestants, [STAGE], rounds);
  // Not comparable: the service leaves a tombstone.
  delete figures['delete, µs'];
  server.close();
  await provider.stop();
  return figures;
}

async function tableFor(name, endpoint) {
  const table = localTable(name, endpoint);
  await createTable(table);
  return environmentOf(table);
}
