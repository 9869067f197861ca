/** The levels of the log, the most talkative first; `silent` is above them all. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** One of the levels. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Writes one line. */
export type Write = (message: string, fields: Readonly<Record<string, unknown>>) => void;

/** One function a level; those below the log's own level are undefined, so that `?.` spares the making of their fields. */
export type Log = { readonly [Level in Exclude<LogLevel, 'silent'>]: Write | undefined };

/**
 * Opens the log: one JSON object a line on standard output, with the members by which CloudWatch Logs filters.
 *
 * @param threshold - Lines below this level are left out.
 * @returns The functions that write a line.
 */
export function openLog(threshold: LogLevel): Log {
  const at = (level: LogLevel): Write | undefined => {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(threshold)) return undefined;
    return (message, fields) => {
      const line = { timestamp: new Date().toISOString(), level: level.toUpperCase(), message, ...fields };
      process.stdout.write(`${JSON.stringify(line)}\n`);
    };
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/**
 * Makes an error fit for a log line, with the causes that led to it.
 *
 * @param error - Whatever was thrown.
 * @returns Its type, message and stack, with the lines of the source; of anything but an Error, the value as text.
 */
export async function describeError(error: unknown): Promise<Readonly<Record<string, unknown>>> {
  if (!(error instanceof Error)) return { message: String(error) };
  // What this loads of Node.js would cost every cold start half a millisecond.
  const { sourceStack } = await import('./stack.js');
  const { name, message, stack, cause } = error;
  return {
    name,
    message,
    stack: stack && sourceStack(stack),
    ...(cause === undefined ? {} : { cause: await describeError(cause) }),
  };
}
