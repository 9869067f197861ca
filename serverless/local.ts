// What `serverless offline --local` runs: what the service uses on AWS, on this machine; with `--people`, also who signs in. It
// sends the function's variables and the tokens when all of it is ready, and ends with the process that started it.
import { createTable, environmentOf, localTable, startDynamodb } from './dynamodb.js';
import { type LocalProvider, startLocalProvider } from './local-provider.js';
import { refuseForeignCalls } from './refuse-foreign-calls.js';

/** What it sends: the function's variables, and with `--people` a token of each. */
export interface Local {
  readonly environment: Readonly<Record<string, string>>;
  readonly tokens?: LocalProvider['tokens'] | undefined;
}

// dynalite answers pages of any origin.
refuseForeignCalls();
// Ctrl-C reaches this process, too, which the service needs until it has ended.
process.on('SIGINT', () => {});
const dynamodb = await startDynamodb('.dynamodb');
const table = localTable('local', dynamodb.endpoint);
await createTable(table);
process.on('disconnect', async () => {
  await dynamodb.stop();
  process.exit();
});
const people = process.argv.includes('--people') ? await startLocalProvider() : undefined;
const local: Local = { environment: { ...environmentOf(table), ...people?.environment }, tokens: people?.tokens };
process.send?.(local);
