// Starts one implementation cold, once, and tells the milliseconds of CPU time that it took: node cold.mjs FILE.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { call } from './events.mjs';

// What AWS's runtime client has loaded before a handler; by require as there, because an import would load much more.
const require = createRequire(import.meta.url);
for (const name of ['path', 'fs', 'net', 'http', 'os', 'util', 'worker_threads']) require(`node:${name}`);
// The benchmark's own code has run once before it is timed.
await call(async () => ({ body: '{}', headers: { 'content-type': 'application/json' } }), 'PUT', '/', {});

const started = process.cpuUsage();
const { handler } = await import(pathToFileURL(process.argv[2]).href);
const { content } = await call(handler, 'GET', '/api/todo');
const figures = { 'cold start to first GET, ms': sinceStart() };
if (!process.env.TODO_TABLE) {
  await oneOfEach(content[0]);
  figures['cold start, one of each, ms'] = sinceStart();
}
process.send({ reply: figures });

async function oneOfEach(first) {
  const { key } = (await call(handler, 'POST', '/api/todo', { name: 'Walk the dog', isComplete: false })).content;
  await call(handler, 'GET', `/api/todo/${key}`);
  await call(handler, 'PUT', `/api/todo/${key}`, { ...first, key });
  await call(handler, 'PATCH', `/api/todo/${key}`, { name: 'b' });
  await call(handler, 'DELETE', `/api/todo/${key}`);
  await call(handler, 'GET', '/swagger/v1/swagger.json');
  await call(handler, 'GET', '/swagger/ui');
}

function sinceStart() {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}
