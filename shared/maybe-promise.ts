/** A value, or the promise of one: a store in memory need not make every caller wait for the next microtask. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Goes on with a value, at once where it is there, otherwise when its promise is fulfilled. Gives what `next` makes of
 * it.
 */
export function whenReady<T, Result>(value: MaybePromise<T>, next: (value: T) => Result): MaybePromise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
