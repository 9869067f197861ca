import { expectThat, type Lines } from './outcome.js';

/** In milliseconds. Sound stages need less than a tenth of it. */
const SLOWEST = 5_000;

/**
 * Says how long answers took: the first one, which may have started an instance, and the middle one of the others.
 *
 * @param times - In milliseconds.
 * @throws Fault if the middle one took more than five seconds.
 */
export async function* tellDurations([first, ...later]: readonly number[]): Lines {
  if (first === undefined) return;
  const middle = later.sort((one, other) => one - other)[Math.floor(later.length / 2)] ?? first;
  const told = `The first answer took ${Math.round(first)} ms, the others ${Math.round(middle)} ms (median of ${later.length})`;
  expectThat(middle <= SLOWEST, `${told}. That is slow: docs/scaling.md.`);
  yield told;
}
