// Times one implementation with one item, a thousand, and as many small ones as it takes: node growth.mjs FILE EFFORT.
import { call } from './events.mjs';
import { load, report } from './load.mjs';
import { fill, operationsOn } from './operations.mjs';
import { timeByTurns } from './timing.mjs';

const MEMBERS = { name: 'x' };
const MOST = 100_000;

const effort = JSON.parse(process.argv[3]);
const { handler } = await load();
await timed();
const few = await timed();
await fill(handler, 1_000, MEMBERS);
const thousand = await timed();
await fill(handler, MOST, MEMBERS);
await makeRoom(effort.warmUp);
const most = await timed();
report(
  Object.fromEntries(
    Object.keys(few).flatMap((name) => [
      [`${name} with 1,000 items`, thousand[name] / few[name]],
      [`${name} with the most items`, most[name] / few[name]],
    ]),
  ),
);

async function timed() {
  const { get, put, patch, post, delete: remove } = await operationsOn(handler, MEMBERS);
  return timeByTurns(handler, { get, put, patch, post, delete: remove }, effort);
}

async function makeRoom(count) {
  const { content } = await call(handler, 'GET', '/api/todo');
  for (const { key } of content.slice(-count)) await call(handler, 'DELETE', `/api/todo/${key}`);
}
