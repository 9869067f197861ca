// Times one implementation, warm, with few and with many items, when turns.mjs says so: node warm.mjs FILE EFFORT.
import { load } from './load.mjs';
import { fill, MEMBERS, operationsOn } from './operations.mjs';
import { createTimer, processorClock, quiet, wallClock } from './timing.mjs';

const THROUGH_JSON = ['get', 'put', 'post', 'list'];
/** After so many calls, V8 has compiled what it will. */
const WARM = 5_000;

const effort = JSON.parse(process.argv[3]);
const { handler } = await load();
const figures = {};
let stage;
let time;

const commands = {
  async prepare(next) {
    stage = next;
    await fill(handler, stage.items, MEMBERS);
    const all = await operationsOn(handler, MEMBERS);
    const chosen = Object.fromEntries(stage.names.map((name) => [name, all[name]]));
    time = createTimer(handler, chosen, THROUGH_JSON, stage.batch === 1 ? processorClock : wallClock);
    const end = performance.now() + effort.warmUp;
    for (let calls = 0; calls < WARM && performance.now() < end; calls += 5 * stage.batch) await time(5 * stage.batch);
  },
  /** The first calls, which meet a processor that has just served others, don't count. */
  async turn() {
    await time(1);
    for (const [name, figure] of Object.entries(await time(stage.batch))) {
      const row = label(name, stage.items);
      figures[row] ??= [];
      figures[row].push(figure);
    }
  },
  finish() {
    return Object.fromEntries(Object.entries(figures).map(([row, all]) => [row, quiet(all)]));
  },
};

process.on('message', async ({ command, argument }) => {
  process.send({ reply: await commands[command](argument) });
  if (command === 'finish') process.disconnect();
});

function label(name, items) {
  return name.includes('list') ? name.replace('list', `list of ${items.toLocaleString('en')}`) : name;
}
