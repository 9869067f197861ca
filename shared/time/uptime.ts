/**
 * Returns the milliseconds since the process started, by a clock that is never set. `performance.now` does the same, but takes 0.4 to
 * 0.9 ms to load at a cold start.
 */
export function uptime(): number {
  return process.uptime() * 1_000;
}
