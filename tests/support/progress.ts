/**
 * Says how far a long run is, on standard error, each tenth of the way. A short run says nothing.
 *
 * @param total - How many there are to do; below 10,000 the run is short.
 * @param what - What they are, such as `calls`.
 * @returns The function to call with how many are done.
 */
export function createProgress(total: number, what: string): (done: number) => void {
  let told = 0;
  return (done) => {
    const tenths = Math.min(10, Math.floor((10 * done) / total));
    if (total < 10_000 || tenths <= told) return;
    told = tenths;
    process.stderr.write(`${tenths * 10} %, ${done} of ${total} ${what}\n`);
  };
}
