// Prints the wrong answers that a hundred callers at once got, and the memory that the function used, in MB: with many items,
// after they were deleted, and over LOAD_CALLS calls after that. It runs in a process of its own, for its memory alone.
import { PARCELS } from '../../support/service/parcels.js';
import { makeHandler, type Result } from '../../support/service/service.js';

const CALLERS = 100;
const CALLS = Number(process.env.LOAD_CALLS);
const handler = makeHandler();
const wrong: string[] = [];

async function call(expected: number, httpMethod: string, path: string, body?: object, headers?: object) {
  const event = { httpMethod, path, headers, body: body && JSON.stringify(body) };
  const result = (await handler(event)) as Result;
  if (result.statusCode !== expected) wrong.push(`${httpMethod} ${path}: ${result.statusCode} ${result.body}`);
  return result.body && JSON.parse(result.body);
}

/** Creates an item, changes it, and deletes it, five calls in all. Only this caller knows it. */
async function work(_: unknown, caller: number) {
  const { key } = await call(201, 'POST', PARCELS, { label: `x${'"é😀\\'.repeat(caller % 7)}` });
  const path = `${PARCELS}/${key}`;
  await call(412, 'PATCH', path, { label: 'y' }, { 'If-Match': '"2"' });
  await call(204, 'PUT', path, { key, label: key }, { 'If-Match': '"1"' });
  const { label } = await call(200, 'GET', path);
  if (label !== key) wrong.push(`${key} has the label ${label}`);
  await call(204, 'DELETE', path);
}

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

await work(undefined, 0);
const loaded = heap();

const keys: string[] = [];
while (keys.length < CALLS) {
  const body = JSON.stringify({ label: 'x' });
  const result = (await handler({ httpMethod: 'POST', path: PARCELS, body })) as Result;
  if (result.statusCode !== 201) break;
  keys.push(JSON.parse(result.body).key);
}
// The list is kept in memory once it was asked for.
await call(200, 'GET', PARCELS);
const full = heap();
for (const key of keys) await call(204, 'DELETE', `${PARCELS}/${key}`);

const heaps: number[] = [];
for (let part = 0; part < 10; part += 1) {
  heaps.push(heap());
  for (let calls = 0; calls < CALLS / 10; calls += 5 * CALLERS)
    await Promise.all(Array.from({ length: CALLERS }, work));
}
const left = (await call(200, 'GET', PARCELS)).length;
const used = [full, ...heaps].map((megabytes) => Math.round((megabytes - loaded) * 10) / 10);
console.log(JSON.stringify({ wrong: wrong.slice(0, 5), left, items: keys.length + 1, used }));
