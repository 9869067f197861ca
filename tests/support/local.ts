// Runs the service under serverless-offline on a DynamoDB of its own, whose data .dynamodb/ keeps: `npm run local`.
import { spawn } from 'node:child_process';
import { startTables } from './tables.js';

const tables = await startTables('.dynamodb');
const environment = await tables.create('todo');
const offline = spawn('node', ['node_modules/serverless/bin/serverless.js', 'offline', ...process.argv.slice(2)], {
  env: { ...process.env, ...environment },
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => offline.kill(signal));
offline.on('exit', async (code) => {
  await tables.stop();
  process.exitCode = code ?? 0;
});
