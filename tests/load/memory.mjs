// Prints what the function has in use, in MB, in a process of its own: full, emptied, and over LOAD_CALLS calls after that.
const HEADERS = { 'Content-Type': 'application/json' };
const CALLS = Number(process.env.LOAD_CALLS);
// What the test that runs this sends: tests/support/service/resource.ts has it.
const { path, item, change } = JSON.parse(process.env.RESOURCE);

process.env.LOG_LEVEL = 'silent';
const built = new URL('../../dist/api.mjs', import.meta.url).href;
const { handler } = await import(built);

function call(method, target, body) {
  const event = { httpMethod: method, path: target, headers: HEADERS, body: body && JSON.stringify(body) };
  return handler(event);
}

function heap() {
  globalThis.gc();
  return Math.round((process.memoryUsage().heapUsed / 2 ** 20) * 10) / 10;
}

const keys = [];
for (;;) {
  const { statusCode, body } = await call('POST', path, item);
  if (statusCode !== 201) break;
  keys.push(JSON.parse(body).key);
}
// The list is kept, once it has been made.
await call('GET', path);
const full = heap();
for (const key of keys) await call('DELETE', `${path}/${key}`);

const heaps = [];
for (let calls = 0; calls < CALLS; calls += 5) {
  if (calls % (CALLS / 10) === 0) heaps.push(heap());
  const { key } = JSON.parse((await call('POST', path, item)).body);
  await call('PATCH', `${path}/${key}`, change);
  await call('GET', `${path}/${key}`);
  await call('GET', path);
  await call('DELETE', `${path}/${key}`);
}
// The engine still compiles until everything has been called for a while.
const [, emptied, ...later] = heaps;
console.log(JSON.stringify({ items: keys.length + 1, full, emptied, later }));
