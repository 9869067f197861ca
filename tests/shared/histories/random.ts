/** Numbers that look random, and are the same for the same seed. */
export interface Random {
  /** From 0 to 1, without 1. */
  next(): number;
  /** One of a list. */
  pick<Value>(values: readonly Value[]): Value;
}

/** Makes such numbers (mulberry32, by Tommy Ettinger). */
export function createRandom(seed: number): Random {
  let state = seed;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    next,
    pick: <Value>(values: readonly Value[]) => values[Math.floor(next() * values.length)] as Value,
  };
}
