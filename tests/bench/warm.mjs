// One implementation in a process of its own, which does what turns.mjs asks for: node warm.mjs FILE.
import { pathToFileURL } from 'node:url';
import { check } from './check.mjs';
import { invoke } from './events.mjs';
import { fill, operationsOn, undo } from './operations.mjs';

const { handler } = await import(pathToFileURL(process.argv[2]).href);
let operations;

const commands = {
  check: (duties) => check(handler, duties),

  /** Calls each operation until V8 has compiled what it will. */
  async prepare({ items, names, warmUp, batch }) {
    await fill(handler, items);
    const all = await operationsOn(handler);
    operations = names.map((name) => [name, all[name]]);
    for (let calls = 0; calls < warmUp; calls += batch) await commands.turn({ batch });
  },

  /** Gives the microseconds of CPU time that one call of each operation takes. */
  async turn({ batch }) {
    const figures = {};
    for (const [name, textsOf] of operations) figures[name] = await time(name, await textsOf(batch));
    return figures;
  },
};

process.on('message', async ({ command, argument }) => process.send({ reply: await commands[command](argument) }));
process.send({ reply: 'ready' });

/** The first call, which meets a processor that has just served others, does not count. */
async function time(name, [first, ...texts]) {
  const results = [await invoke(handler, first)];
  const started = process.cpuUsage();
  for (const text of texts) results.push(await invoke(handler, text));
  const { user, system } = process.cpuUsage(started);
  if (name === 'post') await undo(handler, results);
  return (user + system) / texts.length;
}
