/** Makes numbers that look random, and are the same for the same seed (mulberry32, by Tommy Ettinger). */
export function createRandom(seed: number) {
  let state = seed;
  /** From 0 to 1, without 1. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(next() * values.length)] as Value;
  return { next, pick };
}

export type Random = ReturnType<typeof createRandom>;
