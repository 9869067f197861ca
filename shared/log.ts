import { sourceStack } from './stack.js';

/** The levels of the log, the most talkative first; `silent` is above them all. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** One of the levels. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Writes one line at its level, if the log's own level lets it through. */
export type Log = (
  level: Exclude<LogLevel, 'silent'>,
  message: string,
  fields: Readonly<Record<string, unknown>>,
) => void;

/**
 * Opens the log: one JSON object a line on standard output, with the members by which CloudWatch Logs filters.
 *
 * @param threshold - Lines below this level are left out.
 * @returns The function that writes a line.
 */
export function openLog(threshold: LogLevel): Log {
  return (level, message, fields) => {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(threshold)) return;
    const line = { timestamp: new Date().toISOString(), level: level.toUpperCase(), message, ...fields };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  };
}

/**
 * Makes an error fit for a log line, with the causes that led to it.
 *
 * @param error - Whatever was thrown.
 * @returns Its type, message and stack, with the lines of the source; of anything but an Error, the value as text.
 */
export function describeError(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  return {
    name,
    message,
    stack: stack && sourceStack(stack),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}
