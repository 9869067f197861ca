/** A call and its place in time; times are those of one clock, all different. */
export interface Timed {
  readonly begin: number;
  /** Infinity for a call that nobody knows to be done: it may be done at any time after it began, or never. */
  readonly end: number;
}

/** What came of a search. */
export interface Verdict<Call> {
  readonly linearizable: boolean;
  /** The calls in an order that explains them, or in the longest that explains some. */
  readonly order: readonly Call[];
}

/**
 * Searches for an order in which the calls, done one at a time, give the answers that were given, and in which none
 * comes before another that ended before it began (Wing and Gong, "Testing and Verifying Concurrent Objects", 1993). States
 * that were reached before with the same calls left are not searched again (Lowe, "Testing for Linearizability", 2017).
 *
 * @param calls - The calls on one object.
 * @param initial - The object's state before them all. States are compared by their JSON.
 * @param step - Does a call: the state after it, or undefined where its answer can't be that of a call in this state.
 * @returns Whether there is such an order, and what it is.
 */
export function linearize<State, Call extends Timed>(
  calls: readonly Call[],
  initial: State,
  step: (state: State, call: Call) => State | undefined,
): Verdict<Call> {
  const reached = new Set<string>();
  const numbers = new Map(calls.map((call, number) => [call, number]));
  let longest: readonly Call[] = [];

  function search(state: State, left: readonly Call[], order: readonly Call[]): boolean {
    if (order.length > longest.length) longest = order;
    const firstEnd = left.reduce((earliest, { end }) => Math.min(earliest, end), Infinity);
    if (firstEnd === Infinity) {
      longest = order;
      return true;
    }
    const place = `${left.map((call) => numbers.get(call))} ${JSON.stringify(state)}`;
    if (reached.has(place)) return false;
    reached.add(place);
    return left.some((call) => {
      if (call.begin > firstEnd) return false;
      const next = step(state, call);
      if (next === undefined) return false;
      const others = left.filter((other) => other !== call);
      return search(next, others, [...order, call]);
    });
  }

  const byEnd = [...calls].sort((one, other) => one.end - other.end);
  return { linearizable: search(initial, byEnd, []), order: longest };
}
