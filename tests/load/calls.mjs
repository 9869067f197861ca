// Prints the wrong answers that a hundred callers at once got, and the memory that the function used, in MB: with many items,
// after they were deleted, and over LOAD_CALLS calls after that. It runs in a process of its own, for its memory alone.
import { isDeepStrictEqual } from 'node:util';

const CALLERS = 100;
const CALLS = Number(process.env.LOAD_CALLS);
// The test that runs this passes what tests/support/service/resource.ts says that tests send.
const { path, items, change } = JSON.parse(process.env.RESOURCE);

process.env.LOG_LEVEL = 'silent';
const built = new URL('../../dist/api.mjs', import.meta.url).href;
const { handler } = await import(built);
const wrong = [];

async function call(expected, httpMethod, target, body, headers) {
  const event = {
    httpMethod,
    path: target,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: body && JSON.stringify(body),
  };
  const result = await handler(event);
  if (result.statusCode !== expected) wrong.push(`${httpMethod} ${target}: ${result.statusCode} ${result.body}`);
  return result.body && JSON.parse(result.body);
}

/** Creates an item, changes it, reads it in between, and deletes it, ten calls in all. Only this caller knows it. */
async function work(_, caller) {
  const item = items[caller % items.length];
  const created = await call(201, 'POST', path, item);
  const own = `${path}/${created.key}`;
  const finds = async (expected) => {
    const found = await call(200, 'GET', own);
    if (!isDeepStrictEqual(found, expected)) wrong.push(`${JSON.stringify(found)} is not ${JSON.stringify(expected)}`);
  };
  await finds(created);
  await call(204, 'PATCH', own, change);
  await call(412, 'PATCH', own, item, { 'If-Match': '"1"' });
  await finds({ ...created, ...change });
  await call(400, 'PUT', own, { ...item, key: 'another' });
  await call(204, 'PUT', own, { ...item, key: created.key }, { 'If-Match': '"2"' });
  await finds(created);
  await call(204, 'DELETE', own);
  await call(404, 'GET', own);
}

function heap() {
  globalThis.gc();
  return Math.round((process.memoryUsage().heapUsed / 2 ** 20) * 10) / 10;
}

const keys = [];
while (keys.length < CALLS) {
  const { statusCode, body } = await handler({ httpMethod: 'POST', path, body: JSON.stringify(items[0]) });
  if (statusCode !== 201) break;
  keys.push(JSON.parse(body).key);
}
// The list is kept in memory once it was asked for.
await call(200, 'GET', path);
const full = heap();
for (const key of keys) await call(204, 'DELETE', `${path}/${key}`);

const heaps = [];
for (let part = 0; part < 10; part += 1) {
  heaps.push(heap());
  for (let calls = 0; calls < CALLS / 10; calls += 10 * CALLERS)
    await Promise.all(Array.from({ length: CALLERS }, work));
}
const left = (await call(200, 'GET', path)).length;
// In the first tenth, the engine still compiles.
const [, emptied, ...later] = heaps;
console.log(JSON.stringify({ wrong: wrong.slice(0, 5), left, items: keys.length + 1, full, emptied, later }));
