import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { FILES, SDK } from './build.mjs';
import { startCold, takeTurns } from './turns.mjs';

const STAGE = { items: 100, names: ['get', 'post', 'put', 'list'], warmUp: 100, passes: 10, batch: 11 };
const ROUNDS = { warm: 3, cold: 9 };

/**
 * Measures the service on a table beside the same written with AWS's SDK. Both talk to a DynamoDB in a process of its own,
 * over TLS as in AWS, so that the CPU time is that of the handlers alone.
 *
 * @param {string} node - The Node.js that they run under.
 * @returns {Promise<import('./turns.mjs').Figures>}
 */
export async function measureTables(node) {
  const ours = { file: FILES.ours, node, environment: { ...ENVIRONMENT, TODO_TABLE: 'ours' } };
  const sdk = { file: SDK, node, environment: { ...ENVIRONMENT, TODO_TABLE: 'sdk' } };
  const database = fork(fileURLToPath(new URL('dynamodb.mjs', import.meta.url)), ['ours', 'sdk'], {
    execPath: node,
    env: { ...process.env, ...ENVIRONMENT },
  });
  const [endpoint] = await once(database, 'message');
  for (const one of [ours, sdk]) one.environment.AWS_ENDPOINT_URL_DYNAMODB = endpoint;
  try {
    const warm = await takeTurns({ ours, 'AWS SDK': sdk }, [STAGE], ROUNDS.warm);
    return { ...warm, ...(await startCold({ ours, 'AWS SDK': sdk }, ROUNDS.cold)) };
  } finally {
    database.kill();
  }
}

/** The certificate of this DynamoDB is its own. */
const ENVIRONMENT = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  LOG_LEVEL: 'silent',
  NODE_TLS_REJECT_UNAUTHORIZED: '0',
  NODE_NO_WARNINGS: '1',
};
