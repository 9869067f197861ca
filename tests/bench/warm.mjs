// Times one implementation, warm, with few and with many items: node warm.mjs FILE EFFORT.
import { load, report } from './load.mjs';
import { fill, MEMBERS, operationsOn } from './operations.mjs';
import { timeByTurns } from './timing.mjs';

const THROUGH_JSON = ['get', 'put', 'post', 'list'];

const effort = JSON.parse(process.argv[3]);
const { handler } = await load();
const figures = {};

await stage(1, ['list'], effort);
await stage(100, ['get', 'put', 'patch', 'post', 'delete', 'unknown route', 'document'], effort);
await stage(100, ['list', 'put, then list'], effort);
await stage(10_000, ['list', 'put, then list'], { ...effort, passes: Math.ceil(effort.passes / 2), batch: 1 });
report(figures);

async function stage(items, names, effort) {
  await fill(handler, items, MEMBERS);
  const all = await operationsOn(handler, MEMBERS);
  const chosen = Object.fromEntries(names.map((name) => [name, all[name]]));
  const timed = await timeByTurns(handler, chosen, effort, THROUGH_JSON);
  for (const [name, time] of Object.entries(timed)) figures[label(name, items)] = time;
}

function label(name, items) {
  return name.includes('list') ? name.replace('list', `list of ${items.toLocaleString('en')}`) : name;
}
