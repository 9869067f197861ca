import { writeSync } from 'node:fs';

/** The most detailed first; `silent` is above them all. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export type Write = (message: string, fields: Fields) => void;

export type Fields = Readonly<Record<string, unknown>>;

/** Levels below the log's own are undefined, so that `log.info?.(…)` builds no fields. */
export type Log = { readonly [Level in Exclude<LogLevel, 'debug' | 'silent'>]: Write | undefined };

/** Writes each entry as a line of JSON. */
export function openLog(threshold: LogLevel): Log {
  const at = (name: keyof Log): Write | undefined => {
    if (LOG_LEVELS.indexOf(name) < LOG_LEVELS.indexOf(threshold)) return undefined;
    const level = name.toUpperCase();
    return (message, fields) => write(`${JSON.stringify({ timestamp: timestamp(), level, message, ...fields })}\n`);
  };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

/** process.stdout would add 1 ms to a cold start. Once something has loaded it, `writeSync` fails on a full pipe. */
function write(line: string): void {
  let written = 0;
  try {
    written = writeSync(1, line);
  } catch {
    // The whole line is left to write.
  }
  if (written < Buffer.byteLength(line)) process.stdout.write(Buffer.from(line).subarray(written));
}

let second: number | undefined;
let secondText = '';

/** Calls toISOString once a second, because that would take 8 % of each request. */
function timestamp(): string {
  const now = Date.now();
  const milliseconds = now % 1_000;
  if (now - milliseconds !== second) {
    second = now - milliseconds;
    secondText = new Date(second).toISOString().slice(0, -4);
  }
  return `${secondText}${String(milliseconds).padStart(3, '0')}Z`;
}

/**
 * Describes whatever was thrown, an error with its stack, in lines of the source, and its causes, each once; anything
 * else as text. It never rejects.
 */
export async function describeError(error: unknown, seen: readonly unknown[] = []): Promise<Fields> {
  try {
    return error instanceof Error ? await describe(error, seen) : { message: String(error) };
  } catch {
    return { message: "something that can't be described was thrown" };
  }
}

/**
 * An `AggregateError` may have no message, for example if no address of a host can be reached. Then it is the messages
 * of its errors.
 */
export function messageOf(error: Error): string {
  if (error.message || !('errors' in error)) return error.message;
  return (error.errors as readonly Error[]).map(messageOf).join(', ');
}

async function describe(error: Error, seen: readonly unknown[]): Promise<Fields> {
  // Loaded on demand, because it would cost every cold start half a millisecond.
  const { namingSource } = await import('./stack.js');
  const { name, stack, cause } = error;
  const chain = [...seen, error];
  return {
    name: String(name),
    message: String(messageOf(error)),
    stack: stack && namingSource(stack),
    ...(cause === undefined || chain.includes(cause) ? {} : { cause: await describeError(cause, chain) }),
  };
}
