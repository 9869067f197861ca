// npm run load: what the function has in use, in a process of its own: full, and over a million calls after that.
const HEADERS = { 'Content-Type': 'application/json' };
const CALLS = Number(process.env.LOAD_CALLS ?? 1_000_000);

process.env.LOG_LEVEL = 'silent';
const built = new URL('../../dist/api.mjs', import.meta.url).href;
const { handler } = await import(built);

function call(method, path, body) {
  const event = { httpMethod: method, path, headers: HEADERS, body: body && JSON.stringify(body) };
  return handler(event);
}

const inMegabytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MB`;

function heap() {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const keys = [];
for (;;) {
  const { statusCode, body } = await call('POST', '/api/todo', { name: 'x' });
  if (statusCode !== 201) break;
  keys.push(JSON.parse(body).key);
}
const list = JSON.stringify(await call('GET', '/api/todo'));
console.log(`full: ${keys.length + 1} items, a list of ${Buffer.byteLength(list)} bytes as a result`);
console.log(`${inMegabytes(heap())} in use`);
for (const key of keys) await call('DELETE', `/api/todo/${key}`);

const heaps = [];
for (let calls = 0; calls < CALLS; calls += 5) {
  if (calls % (CALLS / 10) === 0) heaps.push(heap());
  const { key } = JSON.parse((await call('POST', '/api/todo', { name: `item ${calls}` })).body);
  await call('PATCH', `/api/todo/${key}`, { isComplete: true });
  await call('GET', `/api/todo/${key}`);
  await call('GET', '/api/todo');
  await call('DELETE', `/api/todo/${key}`);
}
console.log(`in use over ${CALLS} calls: ${heaps.map(inMegabytes).join(', ')}`);
