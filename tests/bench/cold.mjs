// Starts one implementation cold, once: node cold.mjs FILE EFFORT. Without a file it is an empty process, to compare with.
import './runtime.mjs';
import { call, eventText } from './events.mjs';
import { load, report } from './load.mjs';

const { first } = JSON.parse(process.argv[3]);
const ITEM = { name: 'Walk the dog', isComplete: false };
eventText('GET', '/api/todo');

const figures = process.argv[2] ? await start() : {};
const { maxRSS } = process.resourceUsage();
report(first === 'GET' ? { ...figures, 'cold: memory, MB': maxRSS / 1024 } : figures);

async function start() {
  const started = process.cpuUsage();
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

/** The processor's time, in milliseconds: what others do on the machine hardly matters to it, and a small function waits for it. */
function since(started) {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}
