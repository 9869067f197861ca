import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { FRAMEWORKS } from './build.mjs';

/**
 * Times implementations warm. Each has a process of its own, and they take turns of a few milliseconds, one at a time,
 * so that whatever else the machine does hits them alike.
 *
 * @param {Record<string, Contestant>} contestants - By name.
 * @param {{ items: number, names: string[], warmUp: number, passes: number, batch: number }[]} stages - Which operations
 * to time with how many items, after how many calls of each; how many turns, and of how many calls.
 * @param {number} rounds - Each with new processes, because what V8 compiles differs from one to the next.
 * @returns {Promise<Figures>} In microseconds a call: of the turns of a round the lower quartile, because what others do
 * on the machine can only add to a time.
 *
 * @typedef {object} Contestant
 * @property {string} file - The bundle.
 * @property {string} node - The Node.js that it runs under.
 * @property {Record<string, string>} environment - Added to this process's own.
 * @typedef {Record<string, Record<string, number[]>>} Figures - By row and by contestant, one a round.
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
          collect(turns, name, labelled(await ask('turn', stage), stage.items));
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

/** Starts implementations cold, one after the other, so many times each. Gives milliseconds. */
export async function startCold(contestants, rounds) {
  const figures = {};
  const all = Object.entries(contestants);
  for (let round = 0; round < rounds; round += 1) {
    for (let index = 0; index < all.length; index += 1) {
      const [name, one] = all[(index + round) % all.length];
      const { ask, stop } = start(name, one);
      collect(figures, name, await ask('cold'));
      stop();
    }
  }
  return figures;
}

/** Checks that implementations are the API that they stand for, before they are timed. */
export async function checkAll(contestants) {
  for (const [name, one] of Object.entries(contestants)) {
    const { ask, stop } = start(name, one);
    await ask('check', { validates: name !== 'bare', all: !['bare', ...FRAMEWORKS].includes(name) });
    stop();
  }
}

/** Starts a process for an implementation, which answers what it is asked. */
function start(name, { file, node, environment }) {
  const path = fileURLToPath(new URL('contestant.mjs', import.meta.url));
  const env = { ...process.env, ...environment };
  const child = fork(path, [file], { execPath: node, env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
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

function labelled({ list, ...figures }, items) {
  return list === undefined ? figures : { [`list of ${items}`]: list, ...figures };
}

function lowerQuartile(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 2];
}
