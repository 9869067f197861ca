import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The Node.js of the function in AWS. */
const node = process.version.startsWith('v24.') ? process.execPath : pathOf('node_modules/node24/bin/node');

/**
 * Times implementations. Each has a process of its own, and they take turns of a few milliseconds, one at a time, so that other
 * work on the machine affects all of them alike. Each stage of a round has new processes, because V8 does not compile the same in
 * every process, and what ran before changes how fast long texts are written; and a round has five cold starts of each.
 *
 * @param {Record<string, { file: string, environment?: Record<string, string> }>} contestants - Their bundles and variables, by name.
 * @param {{ items: number, names: string[], warmUp: number, passes: number, batch: number }[]} stages - Each times these
 * operations with this number of items: after `warmUp` calls of each operation, `passes` turns of `batch` calls.
 * @returns {Promise<Record<string, Record<string, number[]>>>} CPU time by row and by contestant, one per round: the lower quartile
 * of a round's turns, because other work on the machine can only add to a time.
 */
export async function measure(contestants, stages, rounds) {
  const figures = {};
  for (let round = 0; round < rounds; round += 1) {
    process.stderr.write(
      `Round ${round + 1} of ${rounds}, ${Math.round(performance.now() / 1000)} s after the start\n`,
    );
    const turns = {};
    for (const stage of stages) {
      const processes = Object.entries(contestants).map((contestant) => start(contestant));
      for (const { ask } of processes) await ask('prepare', stage);
      for (let pass = 0; pass < stage.passes; pass += 1)
        for (const { name, ask } of rotated(processes, pass)) collect(turns, name, await ask('turn', stage));
      for (const { stop } of processes) stop();
    }
    for (const [row, ofRow] of Object.entries(turns))
      for (const [name, all] of Object.entries(ofRow)) collect(figures, name, { [row]: lowerQuartile(all) });
    for (let pass = 0; pass < 5; pass += 1)
      for (const method of ['POST', 'GET'])
        for (const contestant of rotated(Object.entries(contestants), pass))
          collect(figures, contestant[0], await askOnce(contestant, 'cold', method));
  }
  return figures;
}

/**
 * Asks a new process. It has space for all of its new objects: otherwise it would be chance which cold start has a garbage
 * collection, which takes a fifth of it.
 */
export async function askOnce(contestant, command, argument) {
  const { ask, stop } = start(contestant, ['--min-semi-space-size=16']);
  const reply = await ask(command, argument);
  stop();
  return reply;
}

/** Starts the process of an implementation. It prints why it fails, if it does. */
function start([name, { file, environment }], execArgv = []) {
  const env = { ...process.env, ...environment };
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'];
  const child = fork(pathOf('contestant.mjs'), [file], { execPath: node, execArgv, env, stdio });
  child.once('exit', (code) => code && process.exit(code));
  const ask = async (command, argument) => {
    child.send({ command, argument });
    return (await once(child, 'message'))[0].reply;
  };
  return { name, ask, stop: () => child.kill() };
}

function collect(figures, name, more) {
  for (const [row, figure] of Object.entries(more)) {
    figures[row] ??= {};
    figures[row][name] ??= [];
    figures[row][name].push(figure);
  }
}

function rotated(values, by) {
  return values.map((_, index) => values[(index + by) % values.length]);
}

function lowerQuartile(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 2];
}

function pathOf(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}
