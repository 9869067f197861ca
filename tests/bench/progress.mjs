/**
 * Shows how far a long command is, on standard error: one line that is written over in a terminal, and elsewhere a line
 * for each tenth of the way.
 *
 * @param {number} steps - How many there are.
 */
export function startProgress(steps) {
  const started = Date.now();
  const { stderr } = process;
  let done = 0;
  let told = 0;
  return {
    /** One more step is done. */
    advance(what) {
      done += 1;
      const left = ((Date.now() - started) / done) * (steps - done);
      const line = `${Math.floor((100 * done) / steps)} %, ${duration(left)} left (${what})`;
      if (stderr.isTTY) stderr.write(`\r\u001b[K${line}${done === steps ? '\n' : ''}`);
      else if (Math.floor((10 * done) / steps) > told) stderr.write(`${line}\n`);
      told = Math.floor((10 * done) / steps);
    },
  };
}

function duration(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
