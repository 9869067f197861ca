// Counts the processor's time that one implementation takes for requests on a table: node table-warm.mjs FILE EFFORT.
import { call, context } from './events.mjs';
import { load, report } from './load.mjs';
import { fill, MEMBERS, operationsOn } from './operations.mjs';
import { median, processorClock } from './timing.mjs';

const { items, names, calls, passes } = JSON.parse(process.argv[3]);
const { handler } = await load();
await fill(handler, items, MEMBERS);
const operations = await operationsOn(handler, MEMBERS);
const figures = {};
for (let pass = 0; pass < 2 * passes; pass += 1) {
  for (const name of names) {
    figures[name] ??= [];
    figures[name].push(await milliseconds(operations[name]));
  }
}
const { content } = await call(handler, 'GET', '/api/todo');
if (content.length < items) throw new Error(`The list has ${content.length} items, not ${items}`);
if (names.includes('put') && !content.some(({ isComplete }) => isComplete))
  throw new Error('No PUT has changed an item');
// The first half warms up.
const settled = Object.entries(figures).map(([name, all]) => [name, median(all.slice(passes))]);
report(Object.fromEntries(settled.map(([name, figure]) => [label(name), figure])));

process.exit();

async function milliseconds({ texts, undo }) {
  const events = texts(calls).map((text) => JSON.parse(text));
  const results = [];
  const started = processorClock();
  for (const event of events) results.push(await handler(event, context));
  const used = processorClock() - started;
  if (!results.every(({ statusCode }) => statusCode < 300)) throw new Error(JSON.stringify(results[0]));
  await undo?.(results);
  return used / 1000 / calls;
}

function label(name) {
  return `table: ${name === 'list' ? `list of ${items.toLocaleString('en')}` : name}, ms`;
}
