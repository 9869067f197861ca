// The process of one implementation, which runs the commands that turns.mjs sends: node contestant.mjs FILE.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { call, fill, invoke, MEMBERS, operationsOn } from './events.mjs';

const load = async () => (await import(pathToFileURL(process.argv[2]).href)).handler;
const created = [];
let handler;
let operations;

const commands = {
  answers: async (hasAllDuties) => (await import('./check.mjs')).answersOf(await load(), hasAllDuties),

  /** Starts it cold, and returns the milliseconds of CPU time that this took until it had answered its first request. */
  async cold(method) {
    // AWS's runtime client has loaded these before a handler, by require. An import would load much more.
    const require = createRequire(import.meta.url);
    for (const name of ['path', 'fs', 'net', 'http', 'os', 'util', 'worker_threads']) require(`node:${name}`);
    // The benchmark's own code runs once before anything is timed.
    await call(async () => ({ body: '{}', headers: { 'content-type': 'application/json' } }), 'PUT', '/', {});
    const started = process.cpuUsage();
    handler = await load();
    const { content } = await call(handler, method, '/api/todo', method === 'POST' ? MEMBERS : undefined);
    const figures = { [`cold start to first ${method}, ms`]: microsecondsSince(started) / 1000 };
    if (method === 'POST' || process.env.TABLE_NAME) return figures;
    await oneOfEach(content[0]);
    return { ...figures, 'cold start, one of each, ms': microsecondsSince(started) / 1000 };
  },

  /** Calls each operation until V8 has compiled it. */
  async prepare({ items, names, warmUp, batch }) {
    handler = await load();
    const all = operationsOn(await fill(handler, items), created);
    operations = names.map((name) => [name, all[name]]);
    for (let calls = 0; calls < warmUp; calls += batch) await commands.turn({ batch });
  },

  /** Returns the microseconds of CPU time that each operation takes once. */
  async turn({ batch }) {
    const figures = {};
    for (const [name, next] of operations)
      figures[`${name}, µs`] = await time(name, Array.from({ length: batch }, next));
    return figures;
  },

  /** Returns the kilobytes of content that an operation answers. */
  async content({ items, names: [name] }) {
    handler = await load();
    const [text] = operationsOn(await fill(handler, items), created)[name]();
    const { body, isBase64Encoded } = JSON.parse(await invoke(handler, text));
    return Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8') / 1000;
  },
};

process.on('message', async ({ command, argument }) => process.send({ reply: await commands[command](argument) }));

/** The first time does not count: the processor's caches are still those of another process. */
async function time(name, [first, ...others]) {
  const results = [];
  for (const text of first) results.push(await invoke(handler, text));
  const started = process.cpuUsage();
  for (const text of others.flat()) results.push(await invoke(handler, text));
  const figure = microsecondsSince(started) / others.length;
  if (name === 'post') created.push(...results.map((result) => JSON.parse(JSON.parse(result).body).key));
  return figure;
}

async function oneOfEach(first) {
  const { key } = (await call(handler, 'POST', '/api/todo', MEMBERS)).content;
  await call(handler, 'GET', `/api/todo/${key}`);
  await call(handler, 'PUT', `/api/todo/${key}`, { ...first, key });
  await call(handler, 'PATCH', `/api/todo/${key}`, { name: 'b' });
  await call(handler, 'DELETE', `/api/todo/${key}`);
  await call(handler, 'GET', '/swagger/v1/swagger.json');
  await call(handler, 'GET', '/swagger/ui');
}

function microsecondsSince(started) {
  const { user, system } = process.cpuUsage(started);
  return user + system;
}
