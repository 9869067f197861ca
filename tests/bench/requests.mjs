import { empty, implementations } from './build.mjs';
import { interleave, run } from './interleave.mjs';
import { startInRuntime } from './lambda.mjs';
import { sizeOf } from './size.mjs';
import { aboveEmpty } from './table.mjs';
import { stepsOf, takeTurns } from './turns.mjs';

/** With these, V8 collects no garbage within a batch of allocated.mjs. */
const HEAP = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64'];

/**
 * Chooses what is measured.
 *
 * @param {string} node - The Node.js that it runs under.
 * @param {string} event - Whose: `browser`, `curl` or `http-api`.
 * @param {readonly string[]} [names] - Which implementations; all when left out.
 * @returns {Record<string, import('./interleave.mjs').Contestant>} By name.
 */
export function contestantsOf(node, event, names = Object.keys(implementations)) {
  const unknown = names.find((name) => !(name in implementations));
  if (unknown !== undefined) throw new Error(`There is no ${unknown}, but ${Object.keys(implementations).join(', ')}`);
  const of = ({ file, environment }) => ({
    file,
    node,
    environment: { LOG_LEVEL: 'silent', ...environment, BENCH_EVENT: event },
  });
  return Object.fromEntries(names.map((name) => [name, of(implementations[name])]));
}

/** Checks that the implementations are the API that they stand for, before they are timed. */
export async function checkAll(contestants) {
  for (const [name, one] of Object.entries(contestants)) {
    await run('check.mjs', one, { name, ours: name === 'bare+' || name.startsWith('ours') });
  }
}

/**
 * Measures what requests in memory cost, warm and cold.
 *
 * @param {ReturnType<typeof contestantsOf>} contestants
 * @param {Effort} effort
 * @param {{ advance(what: string): void }} progress
 * @returns {Promise<Record<string, Record<string, number[]>>>} By row and by contestant, one figure a round.
 *
 * @typedef {object} Effort - How many rounds of each, and of a round how many turns of how many calls.
 * @property {{ rounds: number, warmUp: number, passes: number, batch: number }} warm
 * @property {{ cold: number, allocated: number, runtime: number }} rounds
 */
export async function measureRequests(contestants, { warm, rounds }, progress) {
  const started = { empty: { ...Object.values(contestants)[0], file: '' }, ...contestants };
  const counted = without('ours, logging', contestants, { flags: HEAP });
  const posted = without('ours, logging', contestants);
  const timed = await takeTurns(contestants, warm.rounds, warm, progress);
  const cold = await interleave('cold.mjs', started, rounds.cold, { first: 'GET' }, progress);
  const post = await interleave('cold.mjs', posted, rounds.cold, { first: 'POST' }, progress);
  const inRuntime = { ...started, empty: { ...started.empty, file: empty } };
  const runtime = rounds.runtime ? await startInRuntime(inRuntime, rounds.runtime, progress) : {};
  const allocated = await interleave('allocated.mjs', counted, rounds.allocated, {}, progress);
  const sizes = Object.entries(posted).map(([name, { file }]) => [name, [sizeOf(file)]]);
  return {
    ...timed,
    ...aboveEmpty({ ...cold, ...post, ...runtime }),
    ...allocated,
    'code, gzipped, kB': Object.fromEntries(sizes),
  };
}

/** How many times that tells the progress. */
export function requestSteps(contestants, { warm, rounds }) {
  const count = Object.keys(contestants).length;
  const silent = Object.keys(without('ours, logging', contestants)).length;
  const { cold, allocated, runtime } = rounds;
  return stepsOf(contestants, warm.rounds) + (count + 1) * (cold + runtime) + silent * (cold + allocated);
}

function without(name, contestants, more) {
  const others = Object.entries(contestants).filter(([other]) => other !== name);
  return Object.fromEntries(others.map(([other, one]) => [other, { ...one, ...more }]));
}
