/**
 * Takes work that begins before a request waits for it.
 *
 * @returns Its promise. A failure ends the process only if nobody could wait for it: each request that waits gets the error.
 */
export function begunEarly<Value>(work: Value | Promise<Value>): Promise<Value> {
  const promise = Promise.resolve(work);
  promise.catch(() => {});
  return promise;
}
