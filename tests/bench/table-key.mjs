// Tells the key of an item that is in the table of an implementation: node table-key.mjs FILE.
import { call } from './events.mjs';
import { load, report } from './load.mjs';

const { handler } = await load();
const { content } = await call(handler, 'GET', '/api/todo');
report({ BENCH_KEY: content[0].key });
process.exit();
