// What `serverless offline --local` runs: what the service uses on AWS, on this machine. It sends the function's variables when
// all of it is ready, and ends with the process that started it.
import { createTable, environmentOf, localTable, startDynamodb } from './dynamodb.js';
import { refuseForeignCalls } from './local-calls.cjs';

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
process.send?.(environmentOf(table));
