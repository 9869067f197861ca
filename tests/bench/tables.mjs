import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ours, sdk } from './build.mjs';
import { interleave, run } from './interleave.mjs';

/** What is measured with how many items, and how often a row counts. */
const FEW = { items: 100, names: ['get', 'put', 'post', 'list'], calls: 40, passes: 10 };
const MANY = { items: 10_000, names: ['list'], calls: 1, passes: 5 };

/**
 * Measures the service on a table beside the same written with AWS's SDK: the processor's time of requests, and of a
 * cold start until the first item was found. Both talk to a DynamoDB in a process of its own, over TLS as in AWS.
 *
 * @param {string} node - The Node.js that they run under.
 * @param {{ warm: number, cold: number }} rounds
 * @param {{ advance(what: string): void }} progress
 * @returns {Promise<Record<string, Record<string, number[]>>>} By row and by implementation, one figure a round.
 */
export async function measureTables(node, rounds, progress) {
  const names = [FEW, MANY].flatMap(({ items }) => ['ours', 'sdk'].map((name) => `${name}-${items}`));
  const database = spawn(node, [fileURLToPath(new URL('dynamodb.mjs', import.meta.url)), ...names], {
    env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [endpoint] = await once(database.stdout, 'data');
  const contestants = ({ items }) => ({
    ours: { file: ours, node, environment: environmentOf(`ours-${items}`, String(endpoint).trim()) },
    'AWS SDK': { file: sdk, node, environment: environmentOf(`sdk-${items}`, String(endpoint).trim()) },
  });
  try {
    const few = await interleave('table-warm.mjs', contestants(FEW), rounds.warm, FEW, progress);
    const many = await interleave('table-warm.mjs', contestants(MANY), rounds.warm, MANY, progress);
    const started = contestants(FEW);
    for (const one of Object.values(started)) Object.assign(one.environment, await run('table-key.mjs', one, {}));
    const cold = await interleave('table-cold.mjs', started, rounds.cold, {}, progress);
    return { ...few, ...many, ...cold };
  } finally {
    database.stdin.end();
  }
}

/** How many times it tells the progress. */
export function tableSteps({ warm, cold }) {
  return 2 * (2 * warm + cold);
}

/** The certificate of this DynamoDB is its own. */
function environmentOf(TODO_TABLE, AWS_ENDPOINT_URL_DYNAMODB) {
  return {
    TODO_TABLE,
    AWS_ENDPOINT_URL_DYNAMODB,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    LOG_LEVEL: 'silent',
    BENCH_EVENT: 'browser',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    NODE_NO_WARNINGS: '1',
  };
}
