import { readFileSync } from 'node:fs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Aborts when this process should clean up and end: at a signal, however often it comes, or when npm has ended, or the
 * shell in which npm runs a command, because Debian's shell passes no signal on.
 */
export function watchForInterruption(): AbortSignal {
  const interruption = new AbortController();
  for (const signal of SIGNALS) process.on(signal, () => interruption.abort());
  if (process.env.npm_lifecycle_event) {
    const shell = process.ppid;
    const npm = parentOf(shell);
    setInterval(() => {
      if (process.ppid !== shell || parentOf(shell) !== npm) interruption.abort();
    }, 200).unref();
  }
  return interruption.signal;
}

/** Undefined if the parent is gone, and everywhere except Linux. */
function parentOf(process: number): string | undefined {
  try {
    // The second field is a name in parentheses, which may contain blanks and parentheses.
    return readFileSync(`/proc/${process}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1];
  } catch {
    return undefined;
  }
}
