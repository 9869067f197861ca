// Starts one implementation cold, once: node cold.mjs FILE. Without a file it is an empty process, to compare with.
import { call } from './events.mjs';
import { load, report } from './load.mjs';

const figures = process.argv[2] ? await start() : {};
const { user, system } = process.cpuUsage();
const { maxRSS } = process.resourceUsage();
report({ ...figures, 'cold: CPU, ms': (user + system) / 1000, 'cold: memory, MB': maxRSS / 1024 });

async function start() {
  const started = process.hrtime.bigint();
  const { handler } = await load();
  const { content } = await call(handler, 'GET', '/api/todo');
  const first = since(started);
  const { key } = (await call(handler, 'POST', '/api/todo', { name: 'a' })).content;
  await call(handler, 'GET', `/api/todo/${key}`);
  await call(handler, 'PUT', `/api/todo/${key}`, { ...content[0], key });
  await call(handler, 'PATCH', `/api/todo/${key}`, { name: 'b' });
  await call(handler, 'DELETE', `/api/todo/${key}`);
  return { 'cold: import to first answer, ms': first, 'cold: one of each operation, ms': since(started) };
}

/** In milliseconds. Not by performance.now, which would load what an implementation may load itself. */
function since(started) {
  return Number(process.hrtime.bigint() - started) / 1e6;
}
