/**
 * Reports the progress of a long run on standard error, each tenth of it. A short run prints nothing.
 *
 * @param total - The number of all; a run of fewer than 10,000 is short.
 * @param what - What they are, such as `calls`.
 * @returns The function to call with the number of those that are finished.
 */
export function createProgress(total: number, what: string): (finished: number) => void {
  let printed = 0;
  return (finished) => {
    const tenths = Math.min(10, Math.floor((10 * finished) / total));
    if (total < 10_000 || tenths <= printed) return;
    printed = tenths;
    process.stderr.write(`${tenths * 10} %, ${finished} of ${total} ${what}\n`);
  };
}
