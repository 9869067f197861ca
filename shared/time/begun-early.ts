/**
 * Takes work that starts before a request waits for it. If it fails before, the process goes on, and each request that
 * waits for it gets the error.
 */
export function begunEarly<Value>(work: Value | Promise<Value>): Promise<Value> {
  const promise = Promise.resolve(work);
  promise.catch(() => {});
  return promise;
}
