import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What is timed with how many items. With ten thousand, one call takes long enough by itself. */
const STAGES = [
  { items: 1, names: ['list'] },
  { items: 100, names: ['get', 'put', 'patch', 'post', 'delete', 'unknown route', 'document'] },
  { items: 100, names: ['list', 'put, then list'] },
  { items: 10_000, names: ['list', 'put, then list'], batch: 1, share: 0.5 },
];

/**
 * Times implementations warm. Each has a process of its own, and they take turns of a few milliseconds, one at a time,
 * so that whatever else the machine does hits them alike.
 *
 * @param {Record<string, import('./interleave.mjs').Contestant>} contestants - By name.
 * @param {number} rounds - Each with new processes: what V8 compiles differs from one to the next.
 * @param {{ warmUp: number, passes: number, batch: number }} effort - The most milliseconds to warm up; how many turns
 * count then, and with how many calls of each operation.
 * @param {{ advance(what: string): void }} progress - Told after each stage of a process.
 * @returns {Promise<Record<string, Record<string, number[]>>>} Microseconds a call by row and by contestant, one a round.
 */
export async function takeTurns(contestants, rounds, effort, progress) {
  const rows = {};
  for (let round = 0; round < rounds; round += 1) {
    const workers = Object.entries(contestants).map(([name, contestant]) => startWorker(name, contestant, effort));
    for (const stage of STAGES) await runStage(workers, { batch: effort.batch, share: 1, ...stage }, effort, progress);
    for (const { name, ask } of workers) {
      for (const [row, figure] of Object.entries(await ask('finish'))) {
        rows[row] ??= {};
        rows[row][name] ??= [];
        rows[row][name].push(figure);
      }
    }
  }
  return rows;
}

/** How many times it tells the progress. */
export function stepsOf(contestants, rounds) {
  return Object.keys(contestants).length * STAGES.length * rounds;
}

async function runStage(workers, stage, { passes }, progress) {
  for (const { name, ask } of workers) {
    await ask('prepare', stage);
    progress.advance(`warm, ${name}`);
  }
  for (let pass = 0; pass < passes * stage.share; pass += 1) {
    for (let index = 0; index < workers.length; index += 1) await workers[(index + pass) % workers.length].ask('turn');
  }
}

/** The log goes to a pipe that is read, as under Lambda. */
function startWorker(name, { file, node, environment }, effort) {
  const options = { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] };
  const script = fileURLToPath(new URL('warm.mjs', import.meta.url));
  const child = spawn(node, [script, file, JSON.stringify(effort)], options);
  child.stdout.resume();
  let waiting;
  child.on('message', ({ reply }) => waiting.resolve(reply));
  child.on('exit', () => waiting.reject(new Error(`warm.mjs failed for ${file}`)));
  const ask = (command, argument) =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject };
      child.send({ command, argument });
    });
  return { name, ask };
}
