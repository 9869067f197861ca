// Prints the wrong answers that a hundred callers at once got, and the memory that the function used, in MB: with many items,
// after they were deleted, and over LOAD_CALLS calls after that. It runs in a process of its own, for its memory alone.
import { isDeepStrictEqual } from 'node:util';
import { PARCELS } from '../../support/service/parcels.js';
import { makeHandler, type Result } from '../../support/service/service.js';

const CALLERS = 100;
const CALLS = Number(process.env.LOAD_CALLS);
const items = Array.from({ length: 7 }, (_, number) => ({ label: `x${'"é😀\\'.repeat(number)}` }));
const handler = makeHandler();
const wrong: string[] = [];
let loaded = 0;

async function call(expected: number, httpMethod: string, target: string, body?: object, headers?: object) {
  const event = {
    httpMethod,
    path: target,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: body && JSON.stringify(body),
  };
  const result = (await handler(event)) as Result;
  if (result.statusCode !== expected) wrong.push(`${httpMethod} ${target}: ${result.statusCode} ${result.body}`);
  return result.body && JSON.parse(result.body);
}

/** Creates an item, changes it, reads it in between, and deletes it, ten calls in all. Only this caller knows it. */
async function work(_: unknown, caller: number) {
  const item = items[caller % items.length] as object;
  const created = await call(201, 'POST', PARCELS, item);
  const own = `${PARCELS}/${created.key}`;
  const finds = async (expected: unknown) => {
    const found = await call(200, 'GET', own);
    if (!isDeepStrictEqual(found, expected)) wrong.push(`${JSON.stringify(found)} is not ${JSON.stringify(expected)}`);
  };
  await finds(created);
  await call(204, 'PATCH', own, { fragile: true });
  await call(412, 'PATCH', own, item, { 'If-Match': '"1"' });
  await finds({ ...created, fragile: true });
  await call(400, 'PUT', own, { ...item, key: 'another' });
  await call(204, 'PUT', own, { ...item, key: created.key }, { 'If-Match': '"2"' });
  await finds(created);
  await call(204, 'DELETE', own);
  await call(404, 'GET', own);
}

/** The memory that is used besides what the loaded code takes. */
function heap(): number {
  globalThis.gc?.();
  return Math.round((process.memoryUsage().heapUsed / 2 ** 20 - loaded) * 10) / 10;
}

await work(undefined, 0);
loaded = heap();

const keys: string[] = [];
while (keys.length < CALLS) {
  const post = { httpMethod: 'POST', path: PARCELS, body: JSON.stringify(items[0]) };
  const { statusCode, body } = (await handler(post)) as Result;
  if (statusCode !== 201) break;
  keys.push(JSON.parse(body).key);
}
// The list is kept in memory once it was asked for.
await call(200, 'GET', PARCELS);
const full = heap();
for (const key of keys) await call(204, 'DELETE', `${PARCELS}/${key}`);

const heaps: number[] = [];
for (let part = 0; part < 10; part += 1) {
  heaps.push(heap());
  for (let calls = 0; calls < CALLS / 10; calls += 10 * CALLERS)
    await Promise.all(Array.from({ length: CALLERS }, work));
}
const left = (await call(200, 'GET', PARCELS)).length;
// In the first tenth, the engine still compiles.
const [, emptied, ...later] = heaps;
console.log(JSON.stringify({ wrong: wrong.slice(0, 5), left, items: keys.length + 1, full, emptied, later }));
