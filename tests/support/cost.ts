import { expect } from '@jest/globals';

/** So many that the shortest of the times has no garbage collection or compiling in it. */
const TRIES = 5;

/**
 * Expects that work takes time in proportion to its size: four times as much of it takes four times as long, and 16 times as long if
 * the time grows with the square. It is CPU time of this process, so that a busy machine makes no difference.
 *
 * @param size - The size of the smaller work, which should take some milliseconds.
 * @param prepare - Makes what work of a size needs, which is not measured, and returns that work.
 */
export async function expectInProportion(size: number, prepare: (size: number) => () => unknown): Promise<void> {
  const costs = new Map<number, number>();
  for (let tries = 0; tries < TRIES; tries += 1)
    for (const count of [size, size * 4]) {
      const work = prepare(count);
      const before = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(before);
      costs.set(count, Math.min(costs.get(count) ?? Infinity, user + system));
    }
  const [small = 0, large = 0] = costs.values();
  expect(large / small).toBeLessThan(9);
}
