import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Runs a measuring script for several implementations, round by round, each time in a process of its own, so that all
 * of them meet the machine's good and bad moments alike.
 *
 * @param {string} script - Relative to this folder.
 * @param {Record<string, Contestant>} contestants - By name.
 * @param {number} rounds - Each begins with another one.
 * @param {object} effort - Handed to the script.
 * @param {{ advance(what: string): void }} progress - Told after each process.
 * @returns {Promise<Record<string, Record<string, number[]>>>} By row and by contestant, one figure a round.
 *
 * @typedef {object} Contestant
 * @property {string} file - The bundle; empty for none.
 * @property {string} node - The Node.js that it runs under.
 * @property {string[]} [flags] - Those of Node.js.
 * @property {Record<string, string>} [environment] - Added to this process's own.
 */
export async function interleave(script, contestants, rounds, effort, progress) {
  const rows = {};
  const names = Object.keys(contestants);
  for (let round = 0; round < rounds; round += 1) {
    for (let index = 0; index < names.length; index += 1) {
      const name = names[(index + round) % names.length];
      const figures = await run(script, contestants[name], { ...effort, name });
      progress.advance(`${script.replace('.mjs', '')}, ${name}`);
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
export async function run(script, { file, node, flags = [], environment }, effort) {
  const options = { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit', 'pipe'] };
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(node, [...flags, path, file, JSON.stringify(effort)], options);
  child.stdout.resume();
  let figures = '';
  child.stdio[3].on('data', (chunk) => {
    figures += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${script} failed for ${file}`);
  return JSON.parse(figures);
}
