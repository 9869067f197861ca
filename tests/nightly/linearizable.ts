/**
 * Searches for an order in which the calls, done one at a time, give the answers that were given, and in which none
 * comes before another that ended before it began (Wing and Gong, "Testing and Verifying Concurrent Objects", 1993). States
 * that were reached before with the same calls left are not searched again (Lowe, "Testing for Linearizability", 2017).
 *
 * @param calls - The calls on one object.
 * @param initial - The object's state before them all. States are compared by their JSON.
 * @param step - Does a call: the state after it, or undefined if its answer is impossible in this state.
 * @returns Whether there is such an order, and what it is; otherwise the longest that explains some of the calls.
 */
export function linearize<State, Call extends { readonly begin: number; readonly end: number }>(
  calls: readonly Call[],
  initial: State,
  step: (state: State, call: Call) => State | undefined,
): { readonly linearizable: boolean; readonly order: readonly Call[] } {
  const byEnd = [...calls].sort((one, other) => one.end - other.end);
  const reached = new Set<string>();
  let longest: readonly Call[] = [];

  /** The calls that are in the order already are the bits of a number. */
  function search(state: State, ordered: bigint, order: readonly Call[]): boolean {
    if (order.length > longest.length) longest = order;
    const isOrdered = (number: number) => (ordered >> BigInt(number)) & 1n;
    const firstEnd = byEnd.find((_, number) => !isOrdered(number))?.end ?? Infinity;
    if (firstEnd === Infinity) {
      longest = order;
      return true;
    }
    const node = `${ordered} ${JSON.stringify(state)}`;
    if (reached.has(node)) return false;
    reached.add(node);
    return byEnd.some((call, number) => {
      if (call.begin > firstEnd || isOrdered(number)) return false;
      const next = step(state, call);
      return next !== undefined && search(next, ordered | (1n << BigInt(number)), [...order, call]);
    });
  }

  return { linearizable: search(initial, 0n, []), order: longest };
}
