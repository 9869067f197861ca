import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { FRAMEWORKS } from './build.mjs';

/**
 * Times implementations warm. Each has a process of its own, and they take turns of a few milliseconds, one at a time,
 * so that other work on the machine affects all of them alike.
 *
 * @param {Record<string, Contestant>} contestants - By name.
 * @param {{ items: number, names: string[], warmUp: number, passes: number, batch: number }[]} stages - Each times these
 * operations with this number of items: after `warmUp` calls of each operation, `passes` turns of `batch` calls.
 * @param {number} rounds - Each has new processes, because V8 does not compile the same in every process.
 * @returns {Promise<Figures>} Microseconds per call: the lower quartile of a round's turns, because other work on the
 * machine can only add to a time.
 *
 * @typedef {object} Contestant
 * @property {string} file - The bundle.
 * @property {string} node - The Node.js that it runs under.
 * @property {Record<string, string>} environment - Added to this process's own.
 * @typedef {Record<string, Record<string, number[]>>} Figures - By row and by contestant, one per round.
 */
export async function takeTurns(contestants, stages, rounds) {
  const figures = {};
  for (let round = 0; round < rounds; round += 1) {
    const workers = Object.entries(contestants).map(([name, one]) => start(name, one));
    for (const stage of stages) {
      const turns = {};
      for (const { ask } of workers) await ask('prepare', stage);
      for (let pass = 0; pass < stage.passes; pass += 1) {
        for (let index = 0; index < workers.length; index += 1) {
          const { name, ask } = workers[(index + pass) % workers.length];
          collect(turns, name, await ask('turn', stage));
        }
      }
      for (const [row, ofRow] of Object.entries(turns)) {
        for (const [name, all] of Object.entries(ofRow)) collect(figures, name, { [row]: lowerQuartile(all) });
      }
    }
    for (const { stop } of workers) stop();
  }
  return figures;
}

/**
 * Starts each implementation cold, one per round and one at a time, with space for all of its new objects: otherwise it would be
 * chance whose start has a garbage collection, which takes a fifth of it. Returns milliseconds.
 */
export async function startCold(contestants, rounds) {
  const figures = {};
  const all = Object.entries(contestants);
  for (let round = 0; round < rounds; round += 1) {
    for (let index = 0; index < all.length; index += 1) {
      const [name, one] = all[(index + round) % all.length];
      const { ask, stop } = start(name, one, ['--min-semi-space-size=16']);
      collect(figures, name, await ask('cold'));
      stop();
    }
  }
  return figures;
}

/** Checks the answers of implementations, and of each the duties that it has. */
export async function checkAll(contestants) {
  for (const [name, one] of Object.entries(contestants)) {
    const { ask, stop } = start(name, one);
    await ask('check', { validates: name !== 'bare', all: !['bare', ...FRAMEWORKS].includes(name) });
    stop();
  }
}

/** Starts the process of an implementation, which runs the commands of contestant.mjs. */
function start(name, { file, node, environment }, execArgv = []) {
  const path = fileURLToPath(new URL('contestant.mjs', import.meta.url));
  const env = { ...process.env, ...environment };
  const child = fork(path, [file], { execPath: node, execArgv, env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ask = (command, argument) =>
    new Promise((resolve, reject) => {
      const failed = () => reject(new Error(`${name} failed: ${command}`));
      child.once('exit', failed);
      child.once('message', (message) => {
        child.off('exit', failed);
        resolve(message.reply);
      });
      child.send({ command, argument });
    });
  return { name, ask, stop: () => child.kill() };
}

function collect(figures, name, more) {
  for (const [row, figure] of Object.entries(more)) {
    figures[row] ??= {};
    figures[row][name] ??= [];
    figures[row][name].push(figure);
  }
}

function lowerQuartile(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 2];
}
