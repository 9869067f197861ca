// How many requests the handler answers in a second of CPU time, on what npm run build has built: node tests/load/rate.mjs
// An event's JSON is read and a result's JSON is written for each, as on Lambda; the log goes to the standard output.
import { readFileSync } from 'node:fs';
import { handler } from '../../dist/api.mjs';

const recorded = JSON.parse(
  readFileSync(new URL('../support/gateways/events/rest-stage.json', import.meta.url), 'utf8'),
);
const created = JSON.parse((await answer(eventOf('POST', '/api/todo', { name: 'Walk the dog' }))).body);
const item = `/api/todo/${created.key}`;
const list = eventOf('GET', '/api/todo');
const post = eventOf('POST', '/api/todo', { name: 'Walk the dog' });

await measure('GET an item', eventOf('GET', item));
await measure('PUT an item', eventOf('PUT', item, { key: created.key, name: 'Walk the cat' }));
await fill(100);
await measure('list 100 items', list);
await fill(10_000);
await measure('list 10,000 items', list);
await measure('POST an item', post);

function eventOf(httpMethod, path, body) {
  const pathParameters = { proxy: path.slice(1) };
  const requestContext = { ...recorded.requestContext, httpMethod, path: `/live${path}` };
  return JSON.stringify({ ...recorded, httpMethod, path, pathParameters, requestContext, body: JSON.stringify(body) });
}

async function answer(event) {
  const result = await handler(JSON.parse(event));
  if (result.statusCode >= 400) throw new Error(result.body);
  JSON.stringify(result);
  return result;
}

async function fill(items) {
  for (let there = JSON.parse((await answer(list)).body).length; there < items; there++) await answer(post);
}

/** CPU time, because a busy machine hardly changes it; the best of five, because other work can only add to it. */
async function measure(what, event) {
  const seconds = [];
  for (let round = 0; round < 5; round++) {
    const before = process.cpuUsage();
    const count = what.startsWith('list') ? 500 : 4_000;
    for (let call = 0; call < count; call++) await answer(event);
    const { user, system } = process.cpuUsage(before);
    seconds.push((user + system) / 1e6 / count);
  }
  const best = Math.min(...seconds);
  console.error(`${what}: ${(best * 1e6).toFixed(1)} µs, ${Math.round(1 / best).toLocaleString('en')} in a second`);
}
