/**
 * Takes work that is begun before any request waits for it.
 *
 * @returns Its promise. If the work fails meanwhile, the process goes on, and each request that waits for it gets the error.
 */
export function begunEarly<Value>(work: Value | Promise<Value>): Promise<Value> {
  const promise = Promise.resolve(work);
  promise.catch(() => {});
  return promise;
}
