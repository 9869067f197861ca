import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Runs a measuring script for several implementations, round by round, each time in a process of its own, so that all
 * of them meet the machine's good and bad moments alike.
 *
 * @param {string} script - Relative to this folder.
 * @param {Record<string, { file: string, environment?: object }>} implementations - By name.
 * @param {number} rounds - Each begins with another implementation.
 * @param {object} effort - Handed to the script.
 * @returns {Promise<Record<string, Record<string, number[]>>>} By row and by implementation, one figure a round.
 */
export async function interleave(script, implementations, rounds, effort = {}) {
  const rows = {};
  const names = Object.keys(implementations);
  for (let round = 0; round < rounds; round += 1) {
    for (let index = 0; index < names.length; index += 1) {
      const name = names[(index + round) % names.length];
      const figures = await run(script, implementations[name], effort);
      for (const [row, figure] of Object.entries(figures)) {
        rows[row] ??= {};
        rows[row][name] ??= [];
        rows[row][name].push(figure);
      }
    }
  }
  return rows;
}

/** The log goes to a pipe that is read, as under Lambda. */
async function run(script, { file, environment }, effort) {
  const options = { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit', 'pipe'] };
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, file, JSON.stringify(effort)], options);
  child.stdout.resume();
  let figures = '';
  child.stdio[3].on('data', (chunk) => {
    figures += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${script} failed for ${file}`);
  return JSON.parse(figures);
}
