// Starts one implementation cold, once: node cold.mjs FILE EFFORT. Without a file it is an empty process, to compare with.
import './runtime.mjs';
import { call, eventText } from './events.mjs';
import { load, report } from './load.mjs';

const { first } = JSON.parse(process.argv[3]);
const ITEM = { name: 'Walk the dog', isComplete: false };
eventText('GET', '/api/todo');

const figures = process.argv[2] ? await start() : {};
const { user, system } = process.cpuUsage();
const { maxRSS } = process.resourceUsage();
const usage = { 'cold: CPU, ms': (user + system) / 1000, 'cold: memory, MB': maxRSS / 1024 };
report(first === 'GET' ? { ...figures, ...usage } : figures);

async function start() {
  const started = process.hrtime.bigint();
  const { handler } = await load();
  if (first === 'POST') {
    await call(handler, 'POST', '/api/todo', ITEM);
    return { 'cold: import to first POST, ms': since(started) };
  }
  const { content } = await call(handler, 'GET', '/api/todo');
  const answered = since(started);
  const { key } = (await call(handler, 'POST', '/api/todo', ITEM)).content;
  await call(handler, 'GET', `/api/todo/${key}`);
  await call(handler, 'PUT', `/api/todo/${key}`, { ...content[0], key });
  await call(handler, 'PATCH', `/api/todo/${key}`, { name: 'b' });
  await call(handler, 'DELETE', `/api/todo/${key}`);
  return { 'cold: import to first GET, ms': answered, 'cold: one of each operation, ms': since(started) };
}

/** In milliseconds. Not by performance.now, which would load what an implementation may load itself. */
function since(started) {
  return Number(process.hrtime.bigint() - started) / 1e6;
}
