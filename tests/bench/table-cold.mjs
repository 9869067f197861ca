// Starts one implementation on a table cold, once: node table-cold.mjs FILE EFFORT.
import './runtime.mjs';
import { call } from './events.mjs';
import { load, report } from './load.mjs';
import { processorClock } from './timing.mjs';

const started = processorClock();
const { handler } = await load();
const { status } = await call(handler, 'GET', `/api/todo/${process.env.BENCH_KEY}`);
const figures = {
  'table, cold: import to first GET, ms': (processorClock() - started) / 1000,
  'table, cold: memory, MB': process.resourceUsage().maxRSS / 1024,
};
if (status !== 200) throw new Error(`GET answers ${status}`);
report(figures);
process.exit();
