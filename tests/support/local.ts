// `npm run local`: as `npm start`, on a DynamoDB of its own whose data .dynamodb/ keeps.
import { runService } from './run.js';
import { startTables } from './tables.js';

const tables = await startTables('.dynamodb');
const environment = await tables.create('todo');
process.exitCode = await runService({ options: process.argv.slice(2), environment });
await tables.stop();
