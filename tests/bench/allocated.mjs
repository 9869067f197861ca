// Counts what one implementation allocates on V8's heap for a request, in bytes: node FLAGS allocated.mjs FILE EFFORT. The
// flags make room for a batch between two collections, so that what is there afterwards is what was allocated.
import { setImmediate as turn } from 'node:timers/promises';
import { context } from './events.mjs';
import { load, report } from './load.mjs';
import { fill, MEMBERS, operationsOn } from './operations.mjs';
import { median } from './timing.mjs';

const NAMES = ['list', 'get', 'put', 'patch', 'post', 'delete', 'unknown route', 'document'];
const LABELS = { list: 'list of 1' };
const WARM_UP = 60;
const BATCHES = 15;
const BATCH = 100;

const { handler } = await load();
await fill(handler, 1, MEMBERS);
const operations = await operationsOn(handler, MEMBERS);
const counted = {};
for (let turns = 0; turns < WARM_UP + BATCHES; turns += 1) {
  for (const name of NAMES) {
    counted[name] ??= [];
    counted[name].push(await count(operations[name]));
  }
}
const settled = Object.entries(counted).map(([name, all]) => [name, median(all.slice(WARM_UP))]);
report(Object.fromEntries(settled.map(([name, bytes]) => [`allocated: ${LABELS[name] ?? name}, bytes`, bytes])));

async function count({ texts, after }) {
  const events = texts(BATCH).map((text) => JSON.parse(text));
  const results = new Array(events.length);
  await turn();
  globalThis.gc({ type: 'minor' });
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < events.length; index += 1) results[index] = await handler(events[index], context);
  const bytes = process.memoryUsage().heapUsed - before;
  after?.(results);
  return bytes / events.length;
}
